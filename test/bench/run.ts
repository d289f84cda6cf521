// npm run bench -- [rows…] [--reps N] [--json]
import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measure } from "./measure.js";
import { untilQuiet } from "./quiet.js";
import { judge, type Result } from "./row.js";
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
for (const row of ROWS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const busy = await untilQuiet();
  talk(`${row.name}: ${row.what}${busy > 0.2 ? ` (others use ${Math.round(busy * 100)} % of the machine)` : ""}`);
  results.push(...judge(row, await measure(row, reps)));
}
const machine = `node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, ${reps} repetitions`;
process.stdout.write(
  `${values.json ? JSON.stringify({ machine, results }, null, 2) : `${machine}\n${table(results)}`}\n`,
);
process.exitCode = results.some(({ verdict }) => verdict === "FAIL") ? 1 : 0;

function build(): void {
  const bootstrap = fileURLToPath(new URL("../../scripts/bootstrap.mjs", import.meta.url));
  const { status } = spawnSync(process.execPath, [bootstrap], { stdio: ["inherit", 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

function talk(text: string): void {
  process.stderr.write(`${text}\n`);
}
