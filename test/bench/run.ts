// npm run bench -- [rows…] [--reps N] [--json]
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { build } from "../build.js";
import { measure } from "./measure.js";
import { untilQuiet } from "./quiet.js";
import { judge, type Result, type Row } from "./row.js";
import { ROWS } from "./rows.js";
import { table } from "./table.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { reps: { type: "string", default: "5" }, json: { type: "boolean", default: false } },
});
const reps = Number(values.reps);
const unknown = positionals.filter((name) => !ROWS.some((row) => row.name === name));
if (unknown.length > 0 || !(reps >= 1)) {
  talk(`usage: npm run bench -- [rows…] [--reps N] [--json]\nrows: ${ROWS.map((row) => row.name).join(" ")}`);
  process.exit(2);
}

build();
const results: Result[] = [];
const isWanted = ({ name, onRequest }: Row) => (positionals.length === 0 ? !onRequest : positionals.includes(name));
for (const row of ROWS.filter(isWanted)) {
  const busy = await untilQuiet();
  talk(`${row.name}: ${row.what}${busy > 0.2 ? ` (others use ${Math.round(busy * 100)} % of the machine)` : ""}`);
  results.push(...judge(row, await measure(row, reps)));
}
const machine = `node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, ${reps} repetitions`;
process.stdout.write(
  `${values.json ? JSON.stringify({ machine, results }, null, 2) : `${machine}\n${table(results)}`}\n`,
);
process.exitCode = results.some(({ verdict }) => verdict === "FAIL") ? 1 : 0;

function talk(text: string): void {
  process.stderr.write(`${text}\n`);
}
