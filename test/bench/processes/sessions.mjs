// Sessions at work at once, each with an agent of its own that writes 50 lines a second: the CPU of the gateway's process against
// lines that are sent unread, and 200 sessions against 50.
import { openGatewayPath } from "./gateway-path.mjs";
import { measureTurn } from "./measure-turn.mjs";
import { openRawPath } from "./raw-path.mjs";
import { divide, report, reps } from "./report.mjs";

const COUNTS = [50, 200];
const PLAN = { pace: { deltas: 250, length: 30, lines: 1, everyMs: 20 } };
/** In which the agents are started. */
const FIRST = { pace: { ...PLAN.pace, deltas: 50 } };
const WAYS = {
  raw: (count) => openRawPath({ agents: count }),
  gateway: (count) => openGatewayPath({ sessions: count }),
};

/** The CPU of a line in µs. */
async function measure(open, count) {
  const path = await open(count);
  const clients = await path.connect({ apart: true, read: "sessions", sessions: count });
  await measureTurn(path, clients, FIRST);
  const { cpu, seen } = await measureTurn(path, clients, PLAN);
  if (seen[0].failed > 0) throw new Error(`of ${count} sessions some failed`);
  await clients.close();
  await path.close();
  return (cpu * 1000) / PLAN.pace.deltas / count;
}

const cpus = { raw: { 50: [], 200: [] }, gateway: { 50: [], 200: [] } };
for (let rep = 0; rep < reps; rep += 1) {
  for (const count of COUNTS) {
    for (const [name, open] of Object.entries(WAYS)) cpus[name][count].push(await measure(open, count));
  }
}
const { raw, gateway } = cpus;
report({
  "200 sessions / raw": divide(gateway[200], raw[200]),
  "200 sessions / 50": divide(gateway[200], gateway[50]),
  "50 sessions / raw": divide(gateway[50], raw[50]),
  "raw, 200: CPU µs a line": raw[200],
  "gateway, 200: CPU µs a line": gateway[200],
  "gateway, 50: CPU µs a line": gateway[50],
});
