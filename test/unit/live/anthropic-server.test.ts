import { afterEach, expect, test } from "vitest";
import {
  emptyStream,
  hang,
  httpError,
  type Lanes,
  message,
  rawToolUse,
  say,
  text,
  thinking,
  toolUse,
} from "../../live/anthropic/script.js";
import { toolResultsIn, userTextIn } from "../../live/anthropic/seen.js";
import { AnthropicServer } from "../../live/anthropic/server.js";
import { allEvents, ask, eventsOf, post, type StreamEvent, written } from "./anthropic-client.js";

const running: AnthropicServer[] = [];

async function start(lanes: Lanes): Promise<AnthropicServer> {
  const server = await AnthropicServer.start(lanes);
  running.push(server);
  return server;
}

function idOf(started: StreamEvent | undefined): unknown {
  return (started?.message as { readonly id?: unknown } | undefined)?.id;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

test("streams thinking, text and a tool call in order, with counted ids", async () => {
  const blocks = [thinking("Hm."), text("I list."), toolUse("Bash", { command: "ls" })];
  const server = await start({ main: [message(blocks, { usage: { output: 9 } })] });
  const response = await post(server.url, ask("List."));
  const events = await allEvents(response);

  expect(response.headers.get("request-id")).toBe("req_0001");
  expect(events.map((event) => event.type)).toEqual([
    "message_start",
    ...["content_block_start", "content_block_delta", "content_block_delta", "content_block_stop"],
    ...["content_block_start", "content_block_delta", "content_block_stop"],
    ...["content_block_start", "content_block_delta", "content_block_stop"],
    "message_delta",
    "message_stop",
  ]);
  expect(events[0]).toMatchObject({ message: { id: "msg_0001", model: "test-model", usage: { output_tokens: 1 } } });
  expect(events.at(-5)).toMatchObject({ content_block: { type: "tool_use", id: "toolu_0001", name: "Bash" } });
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } });
  expect(written(events)).toBe('Hm.I list.{"command":"ls"}');
});

test("splits a text by characters, never inside one", async () => {
  const server = await start({ main: [message([text("a🌍b🌍c", { chunk: 1 })])] });
  const events = await allEvents(await post(server.url, ask("Hi.")));
  const deltas = events.filter((event) => event.type === "content_block_delta");
  expect(deltas.map((event) => (event.delta as { text: string }).text)).toEqual(["a", "🌍", "b", "🌍", "c"]);
});

test("sends a tool input as it is written, also where it is not JSON", async () => {
  const server = await start({ main: [message([rawToolUse("Bash", '{"command": "l')])] });
  expect(written(await allEvents(await post(server.url, ask("Hi."))))).toBe('{"command": "l');
});

test("answers a request that does not stream with the whole message", async () => {
  const server = await start({ main: [message([toolUse("Bash", { command: "ls" })])] });
  const body = await (await post(server.url, ask("Hi.", { stream: false }))).json();
  expect(body).toMatchObject({
    id: "msg_0001",
    stop_reason: "tool_use",
    content: [{ type: "tool_use", id: "toolu_0001", input: { command: "ls" } }],
    usage: { input_tokens: 11, cache_creation_input_tokens: 3, cache_read_input_tokens: 20, output_tokens: 5 },
  });
});

test("deals each lane its own answers and ids, whatever comes between", async () => {
  const server = await start({ main: [say("one"), say("two")], helper: [say("help")] });
  const answers = [];
  for (const body of [ask("Go."), ask("LANE=helper Help."), ask("A title?", { tools: [] }), ask("On.")]) {
    const events = await allEvents(await post(server.url, body));
    answers.push([idOf(events[0]), written(events)]);
  }
  expect(answers).toEqual([
    ["msg_0001", "one"],
    ["msg_helper_0001", "help"],
    ["msg_aux_0001", "ok"],
    ["msg_0002", "two"],
  ]);
  expect(server.requests.map(({ lane, index }) => `${lane} ${index}`)).toEqual([
    "main 1",
    "helper 1",
    "aux 1",
    "main 2",
  ]);
  expect(server.problems).toEqual([]);
  expect(server.unserved).toEqual([]);
});

test("reports a lane that is exhausted, and answers that nobody asked for", async () => {
  const server = await start({ main: [], other: [say("unheard")] });
  expect(written(await allEvents(await post(server.url, ask("Hi."))))).toContain("lane main is exhausted");
  expect(server.problems).toEqual(["lane main: request 1 came after the last scripted answer"]);
  expect(server.unserved).toEqual(["lane other: 1 of 1 answers were never asked for"]);
});

test("waits at a gate inside a block until it is opened", async () => {
  const server = await start({ main: [message([text("half whole", { chunk: 5, after: 1, gate: "half" })])] });
  const events = eventsOf(await post(server.url, ask("Hi.")));
  const before = [await events.next(), await events.next(), await events.next()].map(({ value }) => value);
  expect(written(before)).toBe("half ");
  await server.reached("half");
  server.open("half");
  const after = [];
  for await (const event of events) after.push(event);
  expect(written(after)).toBe("whole");
});

test("waits at the gate of an answer before anything is sent, and passes an open one", async () => {
  const server = await start({
    main: [
      { ...say("one"), gate: "start" },
      { ...say("two"), gate: "start" },
    ],
  });
  let answered = false;
  const first = post(server.url, ask("Hi.")).finally(() => {
    answered = true;
  });
  await server.reached("start");
  expect(answered).toBe(false);
  server.open("start");
  expect(written(await allEvents(await first))).toBe("one");
  expect(written(await allEvents(await post(server.url, ask("Hi."))))).toBe("two");
});

test("goes on with the next answer after a client has left at a gate", async () => {
  const server = await start({ main: [message([text("long", { gate: "long" })]), say("next")] });
  const leave = new AbortController();
  const response = await post(server.url, ask("Hi."), leave.signal);
  await server.reached("long");
  leave.abort();
  await expect(allEvents(response)).rejects.toThrow();
  expect(written(await allEvents(await post(server.url, ask("Again."))))).toBe("next");
});

test("cuts the connection inside a block, after what came before was sent", async () => {
  const server = await start({ main: [message([text("partial", { chunk: 4, after: 1, fault: "cut" })])] });
  const seen: string[] = [];
  const read = async () => {
    for await (const event of eventsOf(await post(server.url, ask("Hi.")))) seen.push(written([event]));
  };
  await expect(read()).rejects.toThrow();
  expect(seen.join("")).toBe("part");
});

test("reports an API error inside a stream, in mid-block and after the blocks", async () => {
  const fault = { type: "overloaded_error", message: "Overloaded" };
  const server = await start({ main: [message([text("partial", { fault })]), message([text("whole")], { fault })] });
  const inBlock = await allEvents(await post(server.url, ask("Hi.")));
  const afterBlocks = await allEvents(await post(server.url, ask("Hi.")));
  expect(inBlock.slice(-2).map((event) => event.type)).toEqual(["content_block_delta", "error"]);
  expect(afterBlocks.slice(-2).map((event) => event.type)).toEqual(["content_block_stop", "error"]);
  expect(inBlock.at(-1)).toMatchObject({ error: fault });
});

test("applies the faults of a script to a request that does not stream", async () => {
  const fault = { type: "api_error", message: "Broken" };
  const server = await start({ main: [message([text("x", { fault })]), message([text("x")], { fault: "cut" })] });
  const failed = await post(server.url, ask("Hi.", { stream: false }));
  expect([failed.status, await failed.json()]).toMatchObject([500, { error: fault }]);
  await expect(post(server.url, ask("Hi.", { stream: false }))).rejects.toThrow();
});

test("answers with an HTTP error and its headers", async () => {
  const server = await start({ main: [httpError(429, "rate_limit_error", "Slow down", { "retry-after": "1" })] });
  const response = await post(server.url, ask("Hi."));
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await response.json()).toEqual({
    type: "error",
    error: { type: "rate_limit_error", message: "Slow down" },
    request_id: "req_0001",
  });
});

test("ends an empty stream without an event", async () => {
  const server = await start({ main: [emptyStream()] });
  const response = await post(server.url, ask("Hi."));
  expect([response.status, await allEvents(response)]).toEqual([200, []]);
});

test("hangs until it is released", async () => {
  const server = await start({ main: [hang("asked")] });
  const response = post(server.url, ask("Hi."));
  response.catch(() => undefined);
  await server.reached("asked");
  server.release();
  await expect(response).rejects.toThrow();
});

test("ends every connection when it closes, also those at a gate", async () => {
  const server = await start({ main: [hang("asked"), message([text("x", { gate: "never" })])] });
  const hanging = post(server.url, ask("Hi."));
  hanging.catch(() => undefined);
  await server.reached("asked");
  const streaming = allEvents(await post(server.url, ask("Hi.")));
  streaming.catch(() => undefined);
  await server.reached("never");
  await server.close();
  await expect(hanging).rejects.toThrow();
  await expect(streaming).rejects.toThrow();
});

test("answers the other routes, and refuses what is no request", async () => {
  const server = await start({});
  const counted = await fetch(`${server.url}/v1/messages/count_tokens`, { method: "POST", body: "{}" });
  expect(await counted.json()).toEqual({ input_tokens: 2 });
  expect(await (await fetch(`${server.url}/v1/models`)).json()).toEqual({ data: [], has_more: false });
  expect((await fetch(`${server.url}/v1/else`)).status).toBe(404);
  expect((await fetch(`${server.url}/v1/messages`, { method: "POST", body: "[]" })).status).toBe(400);
  expect(server.requests).toEqual([]);
});

test("shows what reached the model", async () => {
  const server = await start({ main: [say("ok")] });
  const result = {
    type: "tool_result",
    tool_use_id: "toolu_0001",
    is_error: true,
    content: [{ type: "text", text: "no" }],
  };
  const messages = [
    { role: "user", content: "Run it." },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_0001", name: "Bash", input: {} }] },
    { role: "user", content: [result, { type: "text", text: "And?" }] },
  ];
  await allEvents(await post(server.url, ask("", { messages })));
  const [request] = server.requests;
  if (request === undefined) throw new Error("no request was seen");
  expect(toolResultsIn(request)).toEqual([{ id: "toolu_0001", isError: true, text: "no" }]);
  expect(userTextIn(request)).toContain("Run it.");
  expect(userTextIn(request)).toContain("And?");
});
