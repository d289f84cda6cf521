import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WireEvent } from "../../../schemas/index.js";
import { AGENTWIRE, agentwire, createFolder, ROOT } from "./agentwire.js";
import { writeProgram } from "./write-program.js";

const DEMO = join(ROOT, "golden-traces", "claude", "demo");
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };

describe("the command line itself", () => {
  test("--version prints the package's version and nothing else", async () => {
    expect(await agentwire(["--version"])).toMatchObject({ code: 0, out: `${version}\n`, err: "" });
  });

  test("without a verb it lists them all", async () => {
    const { code, out } = await agentwire([]);
    expect(code).toBe(0);
    for (const verb of [
      "run",
      "serve",
      "status",
      "stop",
      "stdio",
      "attach",
      "sessions",
      "permit",
      "agents",
      "doctor",
      "normalize",
      "db",
      "trace",
      "schema",
      "demo",
    ]) {
      expect(out).toMatch(new RegExp(`^  ${verb} +\\S`, "m"));
    }
  });

  test("an unknown verb is a usage error that names those there are", async () => {
    const { code, out, err } = await agentwire(["constructor"]);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toContain('no verb "constructor"');
    expect(err).toContain("normalize");
  });

  test("an unknown flag is a usage error that names it, with the usage", async () => {
    const { code, err } = await agentwire(["schema", "--nonsense"]);
    expect(code).toBe(2);
    expect(err).toContain("--nonsense");
    expect(err).toContain("usage: agentwire schema");
  });

  test("a value that does not fit is a usage error that names the option", async () => {
    const { code, err } = await agentwire(["run", "claude", "hello", "--mode", "wild"]);
    expect(code).toBe(2);
    expect(err).toContain("--mode");
  });
});

describe("schema --check", () => {
  test("the generated files are what the schemas say", async () => {
    expect(await agentwire(["schema", "--check"])).toMatchObject({ code: 0, out: "" });
  });

  test("a file that is not, is named", async () => {
    const folder = createFolder();
    expect(await agentwire(["schema", "--out", folder])).toMatchObject({ code: 0 });
    writeFileSync(join(folder, "openrpc.json"), "{}");
    const { code, err } = await agentwire(["schema", "--check", "--out", folder]);
    expect(code).toBe(1);
    expect(err).toContain("openrpc.json");
    expect(err).not.toContain("wire.schema.json");
  });
});

test("demo --once shows a turn with an approval, and ends well", async () => {
  const { code, out, err } = await agentwire(["demo", "--once", "--port", "0"], { cwd: createFolder() });
  expect(err).toBe("");
  expect(code).toBe(0);
  expect(out).toContain("needs permission");
  expect(out).toContain('the demo replies: {"decision":"once"}');
  expect(out).toMatch(/✓ write hello\.md/);
  expect(out).toContain("turn over: stop");
});

test("stdio answers a request, and ends with its input", async () => {
  const request = { jsonrpc: "2.0", id: 1, method: "initialize", params: { client: { name: "test" } } };
  const { code, lines, err } = await agentwire(["stdio"], { input: `${JSON.stringify(request)}\n` });
  expect(err).toBe("");
  expect(code).toBe(0);
  expect(lines).toMatchObject([{ jsonrpc: "2.0", id: 1, result: { server: { name: "agentwire", version } } }]);
});

describe.skipIf(process.platform === "win32")("run, with the bundled player as the agent's program", () => {
  /** A program that plays the agent's side of a golden trace. */
  function player(): string {
    return `claude=${writeProgram("claude", [...AGENTWIRE, "trace", "play", DEMO], createFolder())}`;
  }

  test("--json prints every event of the turn; --on-ask once allows what is asked", async () => {
    const args = [
      "run",
      "claude",
      "Write a file.",
      "--json",
      "--on-ask",
      "once",
      "--program",
      player(),
      "--cwd",
      createFolder(),
    ];
    const { code, lines, err } = await agentwire(args);
    expect(err).toBe("");
    expect(code).toBe(0);
    const events = lines.map((line) => WireEvent.parse(line));
    const tools = events.flatMap((event) =>
      event.type === "message.part.updated" && event.properties.part.type === "tool"
        ? [event.properties.part.state]
        : [],
    );
    expect(tools.map(({ status }) => status)).toEqual(["pending", "running", "blocked", "running", "completed"]);
    expect(tools.at(-1)).toMatchObject({ block: { decision: "once", decidedBy: "user" } });
    expect(events.at(-1)).toMatchObject({ type: "session.status", properties: { status: { type: "idle" } } });
  });

  test("the prompt may come on standard input; without a terminal what is asked is rejected, and the exit code tells the end", async () => {
    const { code, out } = await agentwire(["run", "claude", "--program", player(), "--cwd", createFolder()], {
      input: "Write a file.\n",
    });
    // The player insists on the answer of the recording, and the agent is gone.
    expect(code).toBe(7);
    expect(out).toContain("> Write a file.");
    expect(out).toMatch(/✗ .*exited with code 1/);
  });

  test.each([
    ["no agent", [], 2, "name an agent"],
    ["no prompt", ["claude"], 2, "give a prompt"],
    ["an unknown agent", ["nobody", "hello"], 3, 'no agent "nobody"'],
    ["a directory that is not there", ["claude", "hello", "--cwd", "/nowhere/at/all"], 2, "/nowhere/at/all"],
  ])("%s is refused", async (_, args, exit, message) => {
    const { code, err, out } = await agentwire(["run", ...args, "--program", player()]);
    expect(code).toBe(exit);
    expect(err).toContain(message);
    expect(out).toBe("");
  });
});

test("trace replay says how many passed", async () => {
  const { code, out } = await agentwire(["trace", "replay", join(ROOT, "golden-traces", "claude", "text")]);
  expect({ code, out }).toEqual({ code: 0, out: "1 passed, 0 failed\n" });
});

test("trace without an action that there is, is a usage error", async () => {
  const { code, err } = await agentwire(["trace", "rewind"]);
  expect(code).toBe(2);
  expect(err).toContain("record, replay, update, show, play");
});

test("trace show prints a trace as a person reads it", async () => {
  const { code, out } = await agentwire(["trace", "show", DEMO]);
  expect(code).toBe(0);
  expect(out).toContain("needs permission");
});
