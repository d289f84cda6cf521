import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WireEvent } from "../../../schemas/index.js";
import { native } from "../../unit/adapters/claude/native.js";
import { agentwire, createFolder, ROOT } from "./agentwire.js";

/** What the agent of a golden trace wrote, as bare native lines. */
function nativeLines(trace: string): string {
  const lines = readFileSync(join(ROOT, "golden-traces", "claude", trace, "native.jsonl"), "utf8").split("\n");
  const frames = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  return toLines(frames.filter(({ kind }) => kind === "frame").map(({ frame }) => frame));
}

function toLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

const FROM = ["normalize", "--from", "claude"];

test("a native stream on standard input becomes wire events, one a line", async () => {
  const { code, lines, err } = await agentwire(FROM, { input: nativeLines("text") });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const events = lines.map((line) => WireEvent.parse(line));
  expect(events[0]?.type).toBe("session.created");
  expect(events.at(-1)).toMatchObject({ type: "session.status", properties: { status: { type: "idle" } } });
  expect(events.some((event) => event.type === "message.part.delta")).toBe(true);
});

test("the same from a file, as one document, twice the same", async () => {
  const file = join(createFolder(), "stream.jsonl");
  writeFileSync(file, nativeLines("bash-once"));
  const run = () => agentwire([...FROM, file, "--final"]);
  const { code, out } = await run();
  expect(code).toBe(0);
  const { sessions } = JSON.parse(out);
  expect(sessions).toHaveLength(1);
  const parts = sessions[0].messages.flatMap((message: { parts: unknown[] }) => message.parts);
  // Nobody says who allowed the call: the agent went on with it.
  expect(parts).toContainEqual(
    expect.objectContaining({ type: "tool", tool: "bash", state: expect.objectContaining({ status: "completed" }) }),
  );
  expect((await run()).out).toBe(out);
});

test("a recording of both directions has the prompts, the decisions and the end", async () => {
  const call = native.call("t1", "Bash", { command: "ls" });
  const prompt = { type: "user", message: { role: "user", content: "List it." }, uuid: "u1" };
  const reply = {
    type: "control_response",
    response: { subtype: "success", request_id: "r1", response: { behavior: "deny", message: "no" } },
  };
  const recording = [
    { t: 0, dir: "meta", line: { note: "made by hand" } },
    { t: 1, dir: "in", line: prompt },
    { t: 2, dir: "out", line: native.whole("m", call) },
    { t: 3, dir: "out", line: JSON.stringify(native.ask("r1", "t1", "Bash", { command: "ls" })) },
    { t: 4, dir: "in", line: JSON.stringify(reply) },
    { t: 5, dir: "out", line: "a line of noise" },
    { t: 6, dir: "err", line: "boom" },
    { t: 7, dir: "exit", line: { exit: 3, signal: null } },
  ];
  const { code, out } = await agentwire([...FROM, "--final", "--check"], { input: toLines(recording) });
  expect(code).toBe(0);
  const [session] = JSON.parse(out).sessions;
  const [user, answer] = session.messages;
  expect(user.parts).toMatchObject([{ type: "text", text: "List it." }]);
  expect(answer.parts).toContainEqual(
    expect.objectContaining({
      type: "tool",
      state: expect.objectContaining({
        status: "error",
        error: "no",
        block: expect.objectContaining({ decision: "reject" }),
      }),
    }),
  );
  expect(session.info.error.message).toMatch(/exited with code 3.*boom/);
});

test("paths below --cwd are shown relative to it", async () => {
  const lines = [native.whole("m", native.call("t1", "Read", { file_path: "/some/where/a.ts" })), native.result()];
  const { out } = await agentwire([...FROM, "--cwd", "/some/where", "--final"], { input: toLines(lines) });
  expect(JSON.parse(out).sessions[0].messages[1].parts[1].state.title).toBe("read a.ts");
});

test("noise, blank lines and unknown kinds are no trouble; the unknown are counted", async () => {
  const input = `\nnoise\r\n{"type":"brand_new"}\n\n{"type":"brand_new"}\n${nativeLines("text")}`;
  const { code, lines, err } = await agentwire(FROM, { input });
  expect(code).toBe(0);
  expect(err).toBe("unknown: brand_new (2 lines)\n");
  expect(lines.length).toBeGreaterThan(5);
});

test("a stream that stops in the middle is closed, as a failure", async () => {
  const input = nativeLines("text").split("\n").slice(0, 8).join("\n");
  const { code, lines } = await agentwire([...FROM, "--check"], { input });
  expect(code).toBe(0);
  expect(lines.at(-1)).toMatchObject({ type: "session.status", properties: { status: { type: "idle" } } });
  expect(lines).toContainEqual(expect.objectContaining({ type: "session.error" }));
});

describe("--check", () => {
  const counted = (output_tokens: number) => [
    native.whole(
      "m",
      { type: "text", text: "a" },
      { stop_reason: "end_turn", usage: { input_tokens: 1, output_tokens: 2 } },
    ),
    native.result({ usage: { input_tokens: 1, output_tokens } }),
  ];

  test("exits with 0 where every law holds", async () => {
    expect(await agentwire([...FROM, "--check", "--final"], { input: toLines(counted(2)) })).toMatchObject({
      code: 0,
      err: "",
    });
  });

  test("exits with 1 and names the law that is broken", async () => {
    const { code, err, lines } = await agentwire([...FROM, "--check"], { input: toLines(counted(3)) });
    expect(code).toBe(1);
    expect(err).toMatch(/^law accounted: the turn that ends with msg_/);
    expect(lines.length).toBeGreaterThan(0);
  });
});

describe("what is asked for and not there", () => {
  test("--from alone lists the dialects", async () => {
    const { code, out } = await agentwire(["normalize", "--from"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^claude +Claude Code/m);
  });

  test.each([
    ["no dialect", ["normalize"], 2, "--from"],
    ["an unknown dialect", ["normalize", "--from", "martian"], 3, "claude"],
    ["a file that is not there", [...FROM, "/nowhere/at/all"], 3, "/nowhere/at/all"],
  ])("%s", async (_, args, exit, message) => {
    const { code, err, out } = await agentwire(args);
    expect(code).toBe(exit);
    expect(err).toContain(message);
    expect(out).toBe("");
  });
});
