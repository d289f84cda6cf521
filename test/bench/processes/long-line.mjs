// A text that comes as one line: 20 MB against 5 MB. Each is played several times in a row, because what one turn leaves
// for the garbage collector, the next one pays.
import { openGatewayPath } from "./gateway-path.mjs";
import { measureTurn } from "./measure-turn.mjs";
import { quantile, report, reps } from "./report.mjs";

const IN_A_ROW = 3;

const path = await openGatewayPath();
const clients = await path.connect({ apart: true });

async function cpuOf(length) {
  const cpus = [];
  for (let turn = 0; turn < IN_A_ROW; turn += 1)
    cpus.push((await measureTurn(path, clients, { line: { length } })).cpu);
  return quantile(cpus, 0.5);
}

const ratios = [];
for (let rep = 0; rep <= reps; rep += 1) {
  const short = await cpuOf(5_000_000);
  const long = await cpuOf(20_000_000);
  if (rep > 0) ratios.push(long / short);
}
await clients.close();
await path.close();
report({ cpu: ratios });
