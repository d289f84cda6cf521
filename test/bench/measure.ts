import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Measures, Row } from "./row.js";

/** Runs a row's program in a plain node, on the build: nothing that translates the sources is in what is measured. */
export async function measure(row: Row, reps: number): Promise<Measures> {
  const program = fileURLToPath(new URL(`processes/${row.program}`, import.meta.url));
  const count = Math.min(reps, row.maxReps ?? reps);
  const prepared = row.prepare ? [await row.prepare()] : [];
  const args = [...(row.nodeArgs ?? []), program, String(count), ...(row.args ?? []), ...prepared];
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], env });
  let out = "";
  child.stdout.on("data", (text) => {
    out += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${row.program} ended with ${code}`);
  return JSON.parse(out);
}
