import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
export const AGENTWIRE = [process.execPath, join(ROOT, "dist/src/cli/main.js")] as const;

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

const running = new Set<ChildProcessWithoutNullStreams>();
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

/** Runs the command line to its end. */
export function agentwire(args: readonly string[], { input = "", ...options }: RunOptions = {}): Promise<Finished> {
  const command = new Command(args, options);
  command.end(input);
  return command.finished;
}

/** A command that runs, with what it has said so far. */
export class Command {
  out = "";
  err = "";
  /** Resolves when it has ended by itself. */
  readonly finished: Promise<Finished>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Set<() => void>();

  constructor(args: readonly string[], { cwd = ROOT, env = {} }: RunOptions = {}) {
    const [command, ...first] = AGENTWIRE;
    this.#child = spawn(command, [...first, ...args], { cwd, env: { ...process.env, NO_COLOR: "1", ...env } });
    running.add(this.#child);
    this.#child.stdout.setEncoding("utf8").on("data", (text: string) => this.#hear("out", text));
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => this.#hear("err", text));
    // A command that does not read its input ends before it was written.
    this.#child.stdin.on("error", () => {});
    this.finished = new Promise((resolve) => {
      this.#child.once("close", (code) => {
        running.delete(this.#child);
        this.#hear("err", "");
        resolve({ code, out: this.out, err: this.err, lines: readLines(this.out) });
      });
    });
  }

  /** Resolves when it has said something on either stream; fails when it has ended without. */
  async said(text: string): Promise<void> {
    while (!this.out.includes(text) && !this.err.includes(text)) {
      if (!running.has(this.#child)) throw new Error(`it ended without ${text}:\n${this.out}\n${this.err}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  type(text: string): void {
    this.#child.stdin.write(text);
  }

  end(text = ""): void {
    this.#child.stdin.end(text);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  #hear(stream: "out" | "err", text: string): void {
    this[stream] += text;
    for (const wake of [...this.#waiting]) wake();
    this.#waiting.clear();
  }
}

function readLines(out: string): unknown[] {
  return out.split("\n").flatMap((line) => (line.startsWith("{") && line.endsWith("}") ? [JSON.parse(line)] : []));
}
