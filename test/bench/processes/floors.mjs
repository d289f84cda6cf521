// The CPU of the gateway's process in a burst, against what must be done at least; with and without joined deltas.
import { eachChunk, eachParsed } from "./forwards.mjs";
import { openGatewayPath } from "./gateway-path.mjs";
import { inTurns } from "./in-turns.mjs";
import { openRawPath } from "./raw-path.mjs";
import { divide, report, reps } from "./report.mjs";

const TURN = { deltas: 200_000, length: 30, perResponse: 5000 };

const paths = [
  openRawPath(),
  openRawPath({ forward: eachParsed }),
  openRawPath({ forward: eachChunk }),
  openGatewayPath(),
  openGatewayPath({ joined: false }),
];
const turns = await inTurns({ paths, clients: { apart: true }, prepare: TURN, plan: { play: {} }, reps });
const cpus = turns.map((list) => list.map(({ cpu }) => (cpu * 1000) / TURN.deltas));
const [lines, work, bytes, gateway, unjoined] = cpus;
report({
  "CPU / line pipe": divide(gateway, lines),
  "CPU / line pipe, not joined": divide(unjoined, lines),
  "CPU / work floor": divide(gateway, work),
  "CPU / work floor, not joined": divide(unjoined, work),
  "CPU / true floor": divide(gateway, bytes),
  "line pipe, CPU µs a line": lines,
  "work floor, CPU µs a line": work,
  "true floor, CPU µs a line": bytes,
  "gateway, CPU µs a line": gateway,
  "gateway, not joined, CPU µs a line": unjoined,
});
