// How long a line takes from the agent's write to the client, at 100 lines a second.
import { divide, quantile, report, reps } from "./report.mjs";
import { sideBySide } from "./side-by-side.mjs";

const PLAN = { pace: { deltas: 300, length: 30, lines: 1, everyMs: 10 } };

const { floor, subject } = await sideBySide({ clients: { apart: true, read: "stamps" }, plan: PLAN, reps });
const at = (turns, part) => turns.map((turn) => quantile(turn.seen[0].ages, part));
report({
  p50: divide(at(subject, 0.5), at(floor, 0.5)),
  p99: divide(at(subject, 0.99), at(floor, 0.99)),
  "raw p50, ms": at(floor, 0.5),
  "gateway p50, ms": at(subject, 0.5),
  "raw p99, ms": at(floor, 0.99),
  "gateway p99, ms": at(subject, 0.99),
});
