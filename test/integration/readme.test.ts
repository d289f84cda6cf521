import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";

const MAIN = resolve("dist/src/cli/main.js");
const STORY = resolve("golden-traces/claude/demo");

let home: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "agentwire-readme-"));
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGTERM");
    await once(child, "close");
  }
  rmSync(home, { recursive: true, force: true });
});

test("the README's client drives prompt, block, reply and completion", async () => {
  const port = await serve();
  const client = readmeClient().replace("127.0.0.1:4750", `127.0.0.1:${port}`);
  expect(client.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(30);
  writeFileSync(join(home, "client.mjs"), client);
  symlinkSync(resolve("node_modules"), join(home, "node_modules"));
  const child = run(["client.mjs"]);
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  expect(child.exitCode).toBe(0);
  expect(output).toContain("I will write hello.md for you.");
  expect(output).toContain("Done: hello.md holds a heading and one sentence.");
});

function readmeClient(): string {
  return /```js\n([\s\S]*?)```/.exec(readFileSync("README.md", "utf8"))?.[1] ?? "";
}

/** A server as the README starts it, whose Claude Code is the bundled agent. Resolves with its port. */
async function serve(): Promise<string> {
  const bin = join(home, "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" trace play "${STORY}"\n`;
  writeFileSync(join(bin, "claude"), script, { mode: 0o755 });
  const child = run([MAIN, "serve", "--port", "0", "--log-level", "silent"], `${bin}:${process.env.PATH}`);
  for await (const chunk of child.stdout) {
    const port = /ws:\/\/127\.0\.0\.1:(\d+)\//.exec(String(chunk))?.[1];
    if (port) return port;
  }
  throw new Error("the server did not start");
}

function run(args: string[], path = process.env.PATH) {
  const { XDG_STATE_HOME: _, ...env } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: home,
    env: { ...env, HOME: home, PATH: path },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return child;
}
