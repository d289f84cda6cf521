// One session that streams to 1, 10, 100 and 1,000 clients, ten lines at a time: what the gateway's process costs, with clients of
// the WebSocket and of server-sent events, and what waits for them.
import { openGatewayPath } from "./gateway-path.mjs";
import { measureTurn } from "./measure-turn.mjs";
import { report, reps } from "./report.mjs";

const DELTAS = 2000;
const PLAN = { pace: { deltas: DELTAS, length: 30, lines: 10, everyMs: 10 } };
const COUNTS = [1, 10, 100, 1000];
const WAYS = { WebSocket: "connect", SSE: "stream" };

const measures = {};
const add = (measure, value) => {
  measures[measure] ??= [];
  measures[measure].push(value);
};

async function measure(name, count) {
  const path = await openGatewayPath();
  const clients = await path[WAYS[name]]({ apart: true, count });
  await measureTurn(path, clients, PLAN);
  const { cpu, seen } = await measureTurn(path, clients, PLAN);
  await clients.close();
  await path.close();
  add(`${name}, ${count}: messages to a client`, seen[0].messages);
  return cpu;
}

for (let rep = 0; rep < reps; rep += 1) {
  const cpus = {};
  for (const name of Object.keys(WAYS)) {
    cpus[name] = {};
    for (const count of COUNTS) cpus[name][count] = await measure(name, count);
    for (const count of COUNTS) {
      add(`${name}, ${count}: CPU µs per delta`, (cpus[name][count] * 1000) / DELTAS);
      if (count > 1) {
        const further = (cpus[name][count] - cpus[name][1]) / (count - 1);
        add(`${name}, ${count}: µs per delta and further client`, (further * 1000) / DELTAS);
      }
    }
    add(`${name}: a client of 1,000 / one of 100`, cpus[name][1000] / 1000 / (cpus[name][100] / 100));
  }
  add("SSE / WebSocket, 1000 clients", cpus.SSE[1000] / cpus.WebSocket[1000]);
}
report(measures);
