// A text that comes as one line: one of 20 MB against the mean of four of 5 MB. Both leave as much for the garbage
// collector and the database's log, whose costs come now and then.
import { openGatewayPath } from "./gateway-path.mjs";
import { measureTurn } from "./measure-turn.mjs";
import { report, reps } from "./report.mjs";

const path = await openGatewayPath();
const clients = await path.connect({ apart: true });

/** The mean of so many turns. */
async function cpuOf(length, turns) {
  let sum = 0;
  for (let turn = 0; turn < turns; turn += 1) sum += (await measureTurn(path, clients, { line: { length } })).cpu;
  return sum / turns;
}

const ratios = [];
for (let rep = 0; rep <= reps; rep += 1) {
  const short = await cpuOf(5_000_000, 4);
  const long = await cpuOf(20_000_000, 1);
  if (rep > 0) ratios.push(long / short);
}
await clients.close();
await path.close();
report({ cpu: ratios });
