import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SpawnSpec } from "../../../src/process/agent-host.js";
import { LocalAgentHost } from "../../../src/process/local-agent-host.js";
import { createSpec, fixture, onPosix, play, startAgent } from "./harness.js";

let root = "";
const inRoot = (...parts: readonly string[]) => join(root, ...parts);

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-process-")));
  mkdirSync(inRoot("a dir"));
  mkdirSync(inRoot("program files (x)"));
  copyFileSync(fixture("say-self"), inRoot("program files (x)", "my agent.mjs"));
  chmodSync(inRoot("program files (x)", "my agent.mjs"), 0o755);
  writeFileSync(inRoot("plain-file"), "");
  writeFileSync(inRoot("bad-interpreter"), "#!/no/such/interpreter\n", { mode: 0o755 });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.runIf(onPosix)("a program in a path with blanks, with any arguments, in any directory (report 44)", async () => {
  const args = ["two words", 'a "quote"', "$HOME", "*", "", "a\nb", "日本"];
  const command = inRoot("program files (x)", "my agent.mjs");
  const { firstFrame } = startAgent({ command, args, directory: inRoot("a dir") });
  expect(await firstFrame).toMatchObject({ args, cwd: inRoot("a dir") });
});

describe("why a program did not start", () => {
  const cases: readonly (readonly [string, () => Partial<SpawnSpec>, () => readonly string[]])[] = [
    ["directory missing", () => ({ directory: inRoot("no dir") }), () => [inRoot("no dir"), "directory", "create"]],
    [
      "directory is a file",
      () => ({ directory: inRoot("plain-file") }),
      () => [inRoot("plain-file"), "not a directory"],
    ],
    ["program not on PATH", () => ({ command: "no-such-agent" }), () => ["no-such-agent", "PATH", "install"]],
    ["program missing", () => ({ command: inRoot("no agent") }), () => [inRoot("no agent"), "does not exist"]],
    ["program below a file", () => ({ command: inRoot("plain-file", "agent") }), () => ["does not exist"]],
    ["a file on PATH", () => ({ command: "no-such-agent", env: { PATH: inRoot("plain-file") } }), () => ["PATH"]],
    ["relative program missing", () => ({ command: "./no-agent", directory: root }), () => [inRoot("no-agent")]],
    ["interpreter missing", () => ({ command: inRoot("bad-interpreter") }), () => ["bad-interpreter", "interpreter"]],
    ["not executable", () => ({ command: inRoot("plain-file") }), () => [inRoot("plain-file"), "chmod"]],
    ["a directory", () => ({ command: inRoot("a dir") }), () => [inRoot("a dir"), "check that it is a program"]],
    ["arguments too long", () => ({ args: ["x".repeat(10_000_000)] }), () => [process.execPath, "too long"]],
    ["NUL in the program", () => ({ command: "a\0b" }), () => ["null bytes"]],
    ["NUL in an argument", () => ({ args: ["a\0b"] }), () => [process.execPath, "null bytes"]],
  ];

  test.runIf(onPosix).each(cases)("%s", async (_name, change, words) => {
    const run = startAgent(change());
    expect(run.events).toEqual([]);
    expect(run.agent.pid).toBeUndefined();
    const { error, ...exit } = await run.exit();
    expect(exit).toMatchObject({ seq: 1, code: null, signal: null, stderr: "" });
    for (const word of words()) expect(error).toContain(word);
    run.agent.send({ late: true });
    run.agent.stop("kill");
  });
});

test("a closed host starts nothing", async () => {
  const host = new LocalAgentHost();
  await host.close();
  const run = startAgent(createSpec(play()), {}, host);
  expect(await run.exit()).toMatchObject({ error: expect.stringContaining("closed") });
});
