import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connect } from "../../src/client/index.js";

const MAIN = resolve("dist/src/cli/main.js");
const STORY = resolve("golden-traces/claude/demo");

/** Each starts a server, an agent and a client, and the compiler. */
vi.setConfig({ testTimeout: 60_000 });

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

test("the README's client in ten lines is compiled, and drives the same", async () => {
  const port = await serve();
  const client = readmeCode("ts", "import { readFileSync }").replace("127.0.0.1:4750", `127.0.0.1:${port}`);
  const lines = client.split("\n").filter((line) => !/^(import .*|const token = .*|\})?$/.test(line));
  expect(lines.length).toBeLessThanOrEqual(10);
  const child = run(process.execPath, [compile("ten", client)]);
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  expect(child.exitCode).toBe(0);
  expect(output).toContain("I will write hello.md for you.");
  expect(output).toContain("Done: hello.md holds a heading and one sentence.");
});

test("the README's view of everything is compiled, and begins with what is there", async () => {
  const port = await serve();
  const view = readmeCode("ts", "import { connect, EMPTY_STATE").replace("127.0.0.1:4750", `127.0.0.1:${port}`);
  const token = readFileSync(join(home, ".local/state/agentwire/token"), "utf8").trim();
  const child = run("env", [`TOKEN=${token}`, process.execPath, compile("view", view)]);
  await untilSaid(child.stdout, "0 sessions");
});

test("the README's client drives prompt, block, reply and completion", async () => {
  const port = await serve();
  const client = readmeCode("js", "import { readFileSync }").replace("127.0.0.1:4750", `127.0.0.1:${port}`);
  expect(client.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(30);
  writeFileSync(join(home, "client.mjs"), client);
  symlinkSync(resolve("node_modules"), join(home, "node_modules"));
  const child = run(process.execPath, ["client.mjs"]);
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  expect(child.exitCode).toBe(0);
  expect(output).toContain("I will write hello.md for you.");
  expect(output).toContain("Done: hello.md holds a heading and one sentence.");
});

test("the README's curl lines drive the same over HTTP", async () => {
  const port = await serve();
  const [setup, ...steps] = readmeCode("sh", "api=").replace("127.0.0.1:4750", `127.0.0.1:${port}`).split("\n\n");
  const shell = (step: string) => run("sh", ["-c", `${setup}\n${step.replace(/ &$/, "")}`]);
  const answerTo = async (step: string | undefined) => {
    const child = shell(step ?? "");
    const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
    return JSON.parse(output) as unknown;
  };
  const [health, agents, session, events, prompt, reply, messages] = steps;
  expect(steps).toHaveLength(7);
  expect(await answerTo(health)).toMatchObject({ status: "ok" });
  expect(await answerTo(agents)).toMatchObject({ agents: expect.arrayContaining([expect.anything()]) });
  expect(await answerTo(session)).toMatchObject({ session: { id: "ses_mine", agent: "claude" } });
  const stream = shell(events ?? "").stdout;
  await untilSaid(stream, "event: subscribed");
  const blocked = untilSaid(stream, '"status":"blocked"');
  expect(await answerTo(prompt)).toMatchObject({ queued: false });
  await blocked;
  const idle = untilSaid(stream, '"status":{"type":"idle"}');
  expect(await answerTo(reply)).toMatchObject({ block: { decision: "once" } });
  await idle;
  expect(await answerTo("curl -s --unix-socket socket http://localhost/session")).toMatchObject({
    sessions: [{ id: "ses_mine" }],
  });
  expect(JSON.stringify(await answerTo(messages))).toContain("Done: hello.md holds a heading and one sentence.");
});

test("the README's commands for another terminal list, allow and follow the same", async () => {
  const port = await serve();
  const command = `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`;
  writeFileSync(join(home, "bin", "agentwire"), command, { mode: 0o755 });
  const path = `${join(home, "bin")}:${process.env.PATH}`;
  const outputOf = async (line: string) => {
    const child = run("sh", ["-c", line], path);
    const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
    expect(child.exitCode).toBe(0);
    return output;
  };
  const token = readFileSync(join(home, ".local/state/agentwire/token"), "utf8").trim();
  const client = await connect({ url: `http://127.0.0.1:${port}`, token, transport: "http" });
  try {
    const session = await client.createSession({ agent: "claude", directory: home });
    const blocked = new Promise((resolve) => session.onBlocked(resolve));
    await session.prompt("Create hello.txt");
    await blocked;
    const [sessions = "", permit = "", attach = "", ...others] = readmeCode("sh", "agentwire sessions").split("\n");
    expect(others).toEqual([]);
    expect(await outputOf(sessions)).toMatch(new RegExp(`^${session.id} +claude +1 blocked`, "m"));
    expect(await outputOf(permit)).toContain("allowed once by a client");
    expect(await outputOf(attach)).toContain("Done: hello.md holds a heading and one sentence.");
  } finally {
    client.close();
  }
});

/** Compiles a program that uses this package as any other does; gives the file to run. */
function compile(name: string, code: string): string {
  const modules = join(home, "node_modules");
  mkdirSync(modules, { recursive: true });
  symlinkSync(resolve("."), join(modules, "agentwire"));
  symlinkSync(resolve("node_modules/@types"), join(modules, "@types"));
  writeFileSync(join(home, `${name}.mts`), code);
  const options = ["--strict", "--module", "nodenext", "--target", "es2023", "--types", "node"];
  const tsc = spawnSync(process.execPath, [resolve("node_modules/typescript/bin/tsc"), ...options, `${name}.mts`], {
    cwd: home,
    encoding: "utf8",
  });
  expect(tsc.stdout + tsc.stderr).toBe("");
  return join(home, `${name}.mjs`);
}

/** The README's code of a language that begins with some text. */
function readmeCode(language: string, beginning: string): string {
  const blocks = readFileSync("README.md", "utf8").matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm);
  for (const [, written, code = ""] of blocks)
    if (written === language && code.startsWith(beginning)) return code.trim();
  throw new Error(`the README has no ${language} that begins with ${beginning}`);
}

/** Resolves when a process has written some text. */
async function untilSaid(stream: Readable, wanted: string): Promise<void> {
  let said = "";
  await new Promise<void>((done) => {
    const hear = (chunk: unknown): void => {
      said += String(chunk);
      if (!said.includes(wanted)) return;
      stream.off("data", hear);
      done();
    };
    stream.on("data", hear);
  });
}

/** A server as the README starts it, whose Claude Code is the bundled agent. Resolves with its port. */
async function serve(): Promise<string> {
  const bin = join(home, "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" trace play "${STORY}"\n`;
  writeFileSync(join(bin, "claude"), script, { mode: 0o755 });
  const args = [MAIN, "serve", "--port", "0", "--socket", "socket", "--log-level", "silent"];
  const child = run(process.execPath, args, `${bin}:${process.env.PATH}`);
  for await (const chunk of child.stdout) {
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(String(chunk))?.[1];
    if (port) return port;
  }
  throw new Error("the server did not start");
}

function run(program: string, args: string[], path = process.env.PATH) {
  const { XDG_STATE_HOME: _, ...env } = process.env;
  const child = spawn(program, args, {
    cwd: home,
    env: { ...env, HOME: home, PATH: path },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return child;
}
