import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach } from "vitest";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const MAIN = join(ROOT, "src/cli/main.ts");
/** By its full path: the command may start itself again in another directory. */
const LOADER = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
export const AGENTWIRE = [process.execPath, "--import", LOADER, MAIN] as const;

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** stdout as JSON, one value a line. */
  readonly lines: readonly unknown[];
}

export interface RunOptions {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const running = new Set<ReturnType<typeof spawn>>();
const folders: string[] = [];
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function createFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-cli-")));
  folders.push(folder);
  return folder;
}

/** Runs the command line from its sources, to its end. */
export async function agentwire(
  args: readonly string[],
  { input = "", cwd = ROOT, env = {} }: RunOptions = {},
): Promise<Finished> {
  const [command, ...first] = AGENTWIRE;
  const child = spawn(command, [...first, ...args], { cwd, env: { ...process.env, NO_COLOR: "1", ...env } });
  running.add(child);
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  // A command that does not read its input ends before it was written.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  running.delete(child);
  return { code, out, err, lines: readLines(out) };
}

function readLines(out: string): unknown[] {
  return out.split("\n").flatMap((line) => (line.startsWith("{") && line.endsWith("}") ? [JSON.parse(line)] : []));
}
