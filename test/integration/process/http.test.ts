import { expect, test, vi } from "vitest";
import type { AgentEvent } from "../../../src/process/agent-host.js";
import { expectGone, fixture, startAgent } from "./harness.js";

const SERVICE = { events: "/events", user: "user", passwordVariable: "TEST_PASSWORD" };

type Run = ReturnType<typeof startAgent>;

function startServer(args: readonly string[] = [], maxLineBytes = 64 * 1024 * 1024, bounds = {}): Run {
  const spec = { commandArgs: [fixture("http-agent")], args: [...args], channel: "http" as const, http: SERVICE };
  return startAgent({ ...spec, maxLineBytes }, { bounds });
}

function framesOf(events: readonly AgentEvent[]): unknown[] {
  return events.flatMap((event) => (event.kind === "frame" ? [event.frame] : []));
}

/** Resolves when this frame has come. */
async function comes(run: Run, frame: unknown): Promise<void> {
  await vi.waitFor(() => expect(framesOf(run.events)).toContainEqual(frame), { timeout: 5_000, interval: 5 });
}

async function answerOf(run: Run, method: string, path: string, body?: unknown): Promise<unknown> {
  const token = `${method} ${path}`;
  run.agent.send({ token, method, path, ...(body !== undefined && { body }) });
  return vi.waitFor(
    () => {
      const answers = framesOf(run.events).filter((frame) => (frame as { token?: string }).token === token);
      expect(answers).toHaveLength(1);
      return answers[0];
    },
    { timeout: 5_000, interval: 5 },
  );
}

test("the stream is open before the first request is sent, and events are frames in their order", async () => {
  const run = startServer(["", "Starting up"]);
  run.agent.send({
    token: "1",
    method: "POST",
    path: "/emit",
    body: ['data: {"n":1}\n\ndata: {"n":2}\n\n', 'data: {"n":3}\n\n'],
  });
  await comes(run, { token: "1", status: 204, body: null });
  await comes(run, { n: 3 });
  const frames = framesOf(run.events).filter((frame) => !("token" in (frame as object)));
  expect(frames).toEqual([{ stream: "open" }, { n: "stream 1" }, { n: 1 }, { n: 2 }, { n: 3 }]);
  expect(run.events[0]).toMatchObject({ kind: "noise", text: "Starting up" });
});

test("an answer is a frame with the request's token, whatever its status", async () => {
  const run = startServer();
  const body = { some: ["thing"] };
  expect(await answerOf(run, "POST", "/echo?a=%20b", body)).toEqual({
    token: "POST /echo?a=%20b",
    status: 200,
    body: { method: "POST", url: "/echo?a=%20b", body },
  });
  expect(await answerOf(run, "GET", "/echo")).toMatchObject({ status: 200, body: { method: "GET", body: "" } });
  expect(await answerOf(run, "GET", "/refused")).toMatchObject({ status: 404, body: { error: "no such thing" } });
  expect(await answerOf(run, "GET", "/text")).toMatchObject({ status: 200, body: "plain words" });
  expect(await answerOf(run, "GET", "/bytes")).toMatchObject({ status: 200, body: null });
});

test("a request that gets no whole answer is a failure", async () => {
  const run = startServer([], 10_000);
  expect(await answerOf(run, "GET", "/large")).toEqual({
    token: "GET /large",
    failure: "the body is larger than 10000 bytes",
  });
  expect(await answerOf(run, "GET", "/half")).toMatchObject({ failure: expect.any(String) });
});

test("a slow answer holds up no other request", async () => {
  const run = startServer();
  run.agent.send({ token: "hang", method: "POST", path: "/hang" });
  run.agent.send({ token: "slow", method: "POST", path: "/slow" });
  run.agent.send({ token: "fast", method: "GET", path: "/text" });
  await comes(run, { token: "slow", status: 200, body: "slow" });
  const tokens = framesOf(run.events).flatMap((frame) => (frame as { token?: string }).token ?? []);
  expect(tokens).toEqual(["fast", "slow"]);
});

test("text that is cut anywhere, between bytes too, is exact", async () => {
  const run = startServer();
  run.agent.send({ token: "1", method: "GET", path: "/bytes" });
  await comes(run, { text: "é 日本 👩‍👩‍👧" });
});

test("comments, other fields and empty events are no frames; an event that is no JSON is a fault", async () => {
  const run = startServer();
  const texts = [": ping\n\n", "id: 7\nretry: 5\n\n", "data: {broken\n\n", 'event: x\ndata: {"n":\ndata: 1}\n\n'];
  run.agent.send({ token: "1", method: "POST", path: "/emit", body: texts });
  await comes(run, { n: 1 });
  expect(run.events.filter(({ kind }) => kind === "fault")).toMatchObject([{ detail: "An event is no JSON: {broken" }]);
});

test("a stream that breaks is opened again, and that is told", async () => {
  const run = startServer();
  await comes(run, { n: "stream 1" });
  await answerOf(run, "POST", "/cut");
  await comes(run, { n: "stream 2" });
  expect(framesOf(run.events)).toContainEqual({ stream: "reopened" });
  await answerOf(run, "POST", "/emit", ['data: {"n":"on"}\n\n']);
  await comes(run, { n: "on" });
});

test("an event over the limit is a fault, and the stream goes on anew", async () => {
  const run = startServer([], 10_000);
  await comes(run, { n: "stream 1" });
  run.agent.send({ token: "1", method: "POST", path: "/emit", body: [`data: "${"x".repeat(20_000)}`] });
  await comes(run, { n: "stream 2" });
  const [fault] = run.events.filter(({ kind }) => kind === "fault");
  expect(fault).toMatchObject({ detail: "An event was discarded: the limit is 10000 characters" });
});

test("a stream that cannot be opened again ends the agent, and its exit says why", async () => {
  const run = startServer(["refuse-again"]);
  await comes(run, { n: "stream 1" });
  run.agent.send({ token: "1", method: "POST", path: "/cut" });
  expect(await run.exit()).toMatchObject({
    error: "The program's stream of events is lost: it was answered with 503",
  });
});

test("what the server said before it died comes before the exit", async () => {
  const run = startServer();
  await comes(run, { n: "stream 1" });
  run.agent.send({ token: "1", method: "POST", path: "/die" });
  expect(await run.exit()).toMatchObject({ code: 3 });
  expect(framesOf(run.events)).toContainEqual({ n: "last words" });
});

test("to end it is to terminate it, for it reads no input; one that stays is killed", async () => {
  const polite = startServer();
  await comes(polite, { n: "stream 1" });
  polite.agent.stop("end");
  expect(await polite.exit()).toMatchObject({ signal: "SIGTERM" });
  const stubborn = startServer(["stubborn"], 1_000_000, { inputEndMs: 50, terminateMs: 50 });
  await comes(stubborn, { n: "stream 1" });
  stubborn.agent.stop("end");
  expect(await stubborn.exit()).toMatchObject({ signal: "SIGKILL" });
  await expectGone(stubborn.agent.pid ?? 0);
});

test("a request that is none is refused before anything is written", async () => {
  const run = startServer();
  const wrong = [
    {},
    { token: 1, method: "GET", path: "/x" },
    { token: "1", method: "PURGE", path: "/x" },
    { token: "1", method: "GET", path: "http://elsewhere/" },
    { token: "1", method: "GET", path: "/a b" },
    { token: "1", method: "GET", path: "/a\r\nHost: x" },
    { token: "1", method: "GET", path: "//elsewhere/x" },
    { token: "1", method: "GET", path: "/\\elsewhere/x" },
  ];
  for (const frame of wrong) expect(() => run.agent.send(frame)).toThrow(TypeError);
});

test("only an address on loopback is spoken to", async () => {
  const run = startServer(["", "see http://192.0.2.1:80/ and http://example.org:4000"]);
  await comes(run, { n: "stream 1" });
  expect(run.events.filter(({ kind }) => kind === "noise")).toHaveLength(1);
});
