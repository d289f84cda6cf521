// One session that streams to many clients, ten lines at a time: the CPU of the server's process against one send per line
// and client.
import { divide, report, reps } from "./report.mjs";
import { sideBySide } from "./side-by-side.mjs";

const PLAN = { pace: { deltas: 2000, length: 30, lines: 10, everyMs: 10 } };

async function measure(count) {
  const { floor, subject } = await sideBySide({ clients: { apart: true, count }, plan: PLAN, reps });
  return { floor: floor.map(({ cpu }) => cpu), subject: subject.map(({ cpu }) => cpu) };
}

const minus = (many, one) => many.map((cpu, rep) => cpu - one[rep]);
const perLineAndClient = (cpus, count) => cpus.map((ms) => (ms * 1000) / PLAN.pace.deltas / count);

const one = await measure(1);
const ten = await measure(10);
const hundred = await measure(100);
report({
  "each further client": divide(minus(hundred.subject, one.subject), minus(hundred.floor, one.floor)),
  "1 client": divide(one.subject, one.floor),
  "10 clients": divide(ten.subject, ten.floor),
  "100 clients": divide(hundred.subject, hundred.floor),
  "raw, CPU µs per line and client, 100": perLineAndClient(hundred.floor, 100),
  "gateway, CPU µs per line and client, 100": perLineAndClient(hundred.subject, 100),
});
