import { describe, expect, test } from "vitest";
import { fixture, type PlayStep, play, startAgent } from "./harness.js";

const update = (n: number) => ({ jsonrpc: "2.0", method: "session/update", params: { n } });
const line = (value: unknown) => `${JSON.stringify(value)}\n`;

async function readFrames(...steps: readonly PlayStep[]) {
  return (await startAgent(play(...steps)).all("frame")).map((event) => event.frame);
}

test("frames, noise and faults come in order, numbered and stamped, and the exit last", async () => {
  const title = "\u001b]0;proj: ready\u0007";
  const text = `Migrating…\n${title}${line(update(1))}\n[tool] deliberating...\n{"id":5,"res\n${line(update(2))}`;
  const run = startAgent(play(["out", text]), { now: () => 42 });
  await run.exit();
  const kinds = ["noise", "noise", "frame", "noise", "fault", "frame", "exit"];
  expect(run.events.map((event) => event.kind)).toEqual(kinds);
  expect(run.events.map((event) => event.seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(new Set(run.events.map((event) => `${event.epoch} ${event.at}`))).toEqual(new Set(["1 42"]));
});

test("text written byte by byte is exact, on stdout and stderr (report 5)", async () => {
  const text = "é 日本 👩‍👩‍👧";
  const bytes = (to: "out" | "err", all: string) =>
    Array.from(Buffer.from(all), (byte): [typeof to, Buffer] => [to, Buffer.of(byte)]);
  const run = startAgent(play(...bytes("out", line({ text })), ...bytes("err", text)));
  expect(await run.all("frame")).toMatchObject([{ frame: { text } }]);
  expect(run.stderr.join("")).toBe(text);
  expect(await run.exit()).toMatchObject({ stderr: text });
});

test("bytes that are no UTF-8 do not end the reading (report 6)", async () => {
  const bad = Buffer.concat([Buffer.from('{"t":"'), Buffer.of(0xff, 0xfe), Buffer.from('"}\n')]);
  const frames = await readFrames(["out", line(update(1))], ["out", bad], ["out", line(update(2))]);
  expect(frames).toEqual([update(1), { t: "\ufffd\ufffd" }, update(2)]);
});

test("an unterminated last line is a frame (report 12)", async () => {
  expect(await readFrames(["out", line(update(1)) + JSON.stringify(update(2))])).toEqual([update(1), update(2)]);
});

test.each([1_300_000, 20_000_000])("a line of %d bytes is a frame (report 8)", async (size) => {
  const source = `process.stdout.write('{"data":"' + "x".repeat(${size}) + '"}\\n{"n":2}\\n')`;
  const frames = (await startAgent({ args: ["-e", source] }).all("frame")).map((event) => event.frame);
  expect((frames[0] as { data: string }).data).toHaveLength(size);
  expect(frames[1]).toEqual({ n: 2 });
});

test("a line over the limit is one fault that names it, and later lines are fine (reports 8 and 9)", async () => {
  const run = startAgent({ ...play(["out", `${"a".repeat(30_000)}\n${line(update(1))}`]), maxLineBytes: 10_000 });
  await run.exit();
  expect(run.events).toMatchObject([
    { kind: "fault", detail: expect.stringContaining("the limit is 10000 bytes") },
    { kind: "frame", frame: update(1) },
    { kind: "exit" },
  ]);
});

test("plain text comes line by line, with what is left at the end", async () => {
  const run = startAgent({ ...play(["out", "Thinking…\n\n{done}"]), channel: "text" });
  const frames = (await run.all("frame")).map((event) => event.frame);
  expect(frames).toEqual([{ line: "Thinking…" }, { line: "" }, { line: "{done}" }]);
});

describe("the exit", () => {
  test("tells code and the tail of stderr (report 16)", async () => {
    const run = startAgent(play(["out", line(update(1))], ["err", "boom\n"], ["exit", 3]));
    expect(await run.exit()).toMatchObject({ code: 3, signal: null, stderr: "boom\n" });
  });

  test("tells the signal", async () => {
    const run = startAgent(play(["signal", "SIGKILL"], ["input-end"]));
    expect(await run.exit()).toMatchObject({ code: null, signal: "SIGKILL" });
  });

  test("comes after all of a large output", async () => {
    const source = `require("fs").writeSync(1, '{"n":1}\\n'.repeat(5000)); process.exit(1)`;
    const run = startAgent({ args: ["-e", source] });
    expect(await run.all("frame")).toHaveLength(5_000);
    expect(await run.exit()).toMatchObject({ code: 1 });
  });
});

test("a listener that throws costs no frame of its own or of others", async () => {
  const errors: unknown[] = [];
  const bug = new Error("bug");
  const run = startAgent(
    play(["out", line(update(1)) + line(update(2)) + line(update(3))]),
    { onListenerError: (error) => void errors.push(error) },
    undefined,
    (event) => {
      if (event.kind === "frame") throw bug;
    },
  );
  expect(await run.all("frame")).toHaveLength(3);
  expect(errors).toEqual([bug, bug, bug]);
});

test("the agent's environment is without the gateway's secrets and changed as the launch asks", async () => {
  const env = { PATH: process.env.PATH, AGENTWIRE_TOKEN: "secret", NESTED: "1", KEPT: "yes" };
  const change = { commandArgs: [fixture("say-self")], env: { NESTED: undefined, ADDED: "too" } };
  const { firstFrame } = startAgent(change, { env });
  const seen = ((await firstFrame) as { env: Record<string, string> }).env;
  expect(seen).toMatchObject({ KEPT: "yes", ADDED: "too" });
  expect(seen).not.toHaveProperty("AGENTWIRE_TOKEN");
  expect(seen).not.toHaveProperty("NESTED");
});
