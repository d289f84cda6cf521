// One text of 1 MB and one of 10 MB: what a delta costs at the end of a long text, and how many bytes are sent.
import { openGatewayPath } from "./gateway-path.mjs";
import { measureTurn } from "./measure-turn.mjs";
import { report, reps } from "./report.mjs";

const LENGTH = 30;
const LONG = 10_000_000;
const turnOf = (length) => ({ deltas: Math.ceil(length / LENGTH), length: LENGTH });

const path = await openGatewayPath();
const clients = await path.connect({});
let marks = [];
path.store.subscribe((group) => {
  for (const { event } of group) if (event.type === "message.part.delta") mark(event.properties);
});

/** Keeps the CPU time at which each quarter of the long text began, and that of its end. */
function mark({ offset, delta }) {
  if (offset + delta.length < (LONG / 4) * marks.length) return;
  const { user, system } = process.cpuUsage();
  marks.push(user + system);
}

async function play(length) {
  const turn = turnOf(length);
  await measureTurn(path, clients, { prepare: turn });
  marks = [];
  const { bytes } = await measureTurn(path, clients, { play: {} });
  const quarters = marks.slice(1).map((at, index) => at - marks[index]);
  return { quarters, bytesPerByte: bytes / length };
}

const [growth, linear, ratio] = [[], [], []];
for (let rep = 0; rep <= reps; rep += 1) {
  const short = await play(LONG / 10);
  const long = await play(LONG);
  if (rep === 0) continue;
  growth.push(long.quarters[3] / long.quarters[0]);
  linear.push(long.bytesPerByte / short.bytesPerByte);
  ratio.push(long.bytesPerByte);
}
await clients.close();
await path.close();
report({ "last quarter / first": growth, "10 MB / 1 MB": linear, "bytes sent per byte of text": ratio });
