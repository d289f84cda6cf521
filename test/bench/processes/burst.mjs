// A burst of text deltas to one client.
import { report, reps } from "./report.mjs";
import { sideBySide } from "./side-by-side.mjs";

/** Responses of 150 kB, about the longest that a model gives. */
const TURN = { deltas: 200_000, length: 30, perResponse: 5000 };

const apart = process.argv[3] === "apart";
const { floor, subject } = await sideBySide({ clients: { apart }, prepare: TURN, plan: { play: {} }, reps });
const ratios = (name) => subject.map((turn, rep) => turn[name] / floor[rep][name]);
const microseconds = (turns, name) => turns.map((turn) => (turn[name] * 1000) / TURN.deltas);
report({
  wall: ratios("wall"),
  cpu: ratios("cpu"),
  bytes: ratios("bytes"),
  "raw, wall µs a line": microseconds(floor, "wall"),
  "gateway, wall µs a line": microseconds(subject, "wall"),
  "raw, CPU µs a line": microseconds(floor, "cpu"),
  "gateway, CPU µs a line": microseconds(subject, "cpu"),
});
