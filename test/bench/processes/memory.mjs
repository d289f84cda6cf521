// What a session of a million deltas leaves in the heap. Its text is in the database.
import { openGatewayPath } from "./gateway-path.mjs";
import { measureTurn } from "./measure-turn.mjs";
import { report } from "./report.mjs";

const MB = 1_000_000;
const TURN = { deltas: 100_000, length: 30, perResponse: 5000 };
const TURNS = 10;

const path = await openGatewayPath();
const clients = await path.connect({ apart: true });
await measureTurn(path, clients, { prepare: TURN });

// Two turns until code and caches are what they will be.
await measureTurn(path, clients, { play: {} });
await measureTurn(path, clients, { play: {} });
const before = heap();
let peak = 0;
const timer = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 20);
for (let turn = 0; turn < TURNS; turn += 1) await measureTurn(path, clients, { play: {} });
clearInterval(timer);
const growth = (heap() - before) / MB;
await clients.close();
await path.close();
report({ "MB of heap per 1,000,000 deltas": [growth], "peak RSS, MB": [peak / MB] });

function heap() {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
