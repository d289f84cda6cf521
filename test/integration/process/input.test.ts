import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { fixture, play, startAgent } from "./harness.js";

/** The program must have the time to start and to read, however busy the machine is. */
const patient = { bounds: { inputEndMs: 60_000 } };

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("an agent that reads slowly gets every line whole and in order (report 10)", async () => {
  const run = startAgent({ commandArgs: [fixture("slow-reader")] }, patient);
  const frames = [1, 200_000, 2, 500_000, 3].map((length) => ({ text: "x".repeat(length) }));
  for (const frame of frames) run.agent.send(frame);
  run.agent.stop("end");
  const expected = frames.map((frame) => JSON.stringify(frame)).map((line) => [line.length, sha256(line)]);
  expect(await run.firstFrame).toEqual({ lines: expected });
});

test("an agent that reads nothing blocks neither the sender nor the end", async () => {
  const bounds = { inputEndMs: 50, terminateMs: 50 };
  const run = startAgent(play(["out", '{"up":true}\n'], ["input-end"]), { bounds });
  await run.firstFrame;
  process.kill(run.agent.pid as number, "SIGSTOP");
  for (let n = 0; n < 50; n += 1) run.agent.send({ n, text: "x".repeat(100_000) });
  run.agent.stop("end");
  // A stopped process takes no SIGTERM either.
  expect(await run.exit()).toMatchObject({ signal: "SIGKILL" });
});

test("what is no frame is refused and nothing of it is written", async () => {
  const run = startAgent({ commandArgs: [fixture("slow-reader")] }, patient);
  expect(() => run.agent.send("text")).toThrow(TypeError);
  expect(() => run.agent.send({ n: 1n })).toThrow(TypeError);
  run.agent.send({ ok: true });
  run.agent.stop("end");
  expect(await run.firstFrame).toEqual({ lines: [[11, sha256('{"ok":true}')]] });
});

test("sending to an agent that has closed its input or is gone harms nobody", async () => {
  const source = `process.stdin.destroy(); require("fs").closeSync(0); console.log('{"closed":true}'); setTimeout(() => {}, 200)`;
  const run = startAgent({ args: ["-e", source] });
  await run.firstFrame;
  for (let n = 0; n < 20; n += 1) run.agent.send({ n, text: "x".repeat(100_000) });
  expect(await run.exit()).toMatchObject({ code: 0 });
  run.agent.send({ late: true });
  run.agent.stop("end");
});
