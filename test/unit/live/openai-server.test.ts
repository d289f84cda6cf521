import { afterEach, describe, expect, test } from "vitest";
import {
  call,
  custom,
  emptyStream,
  hang,
  httpError,
  type Lanes,
  output,
  raw,
  reasoning,
  say,
  text,
} from "../../live/openai/script.js";
import { OpenaiServer } from "../../live/openai/server.js";

type Json = Record<string, unknown>;

let server: OpenaiServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(lanes: Lanes): Promise<OpenaiServer> {
  server = await OpenaiServer.start(lanes);
  return server;
}

function post(url: string, body: Json = {}): Promise<Response> {
  return fetch(`${url}/v1/responses`, { method: "POST", body: JSON.stringify({ input: [], ...body }) });
}

function eventsIn(stream: string): Json[] {
  return stream
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice("data: ".length)) as Json);
}

const typesIn = (stream: string) => eventsIn(stream).map(({ type }) => type);

describe("an answer", () => {
  test("of a text streams in pieces, between its start and its end", async () => {
    const { url } = await start({ main: [output([text("one two", { chunk: 4 })])] });
    const stream = await (await post(url)).text();
    expect(typesIn(stream)).toEqual([
      "response.created",
      "response.output_item.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(eventsIn(stream).at(-1)).toMatchObject({ response: { usage: { input_tokens: 100, total_tokens: 120 } } });
  });

  test("has ids that count, over all requests", async () => {
    const items = [
      reasoning(["why"], { raw: "how" }),
      call("a", {}),
      custom("b", "x"),
      text("c"),
      text("d", { id: "own" }),
    ];
    const { url } = await start({ main: [output(items), say("e")] });
    const ids = async () =>
      eventsIn(await (await post(url)).text())
        .filter(({ type }) => type === "response.output_item.done")
        .map(({ item }) => (item as Json).call_id ?? (item as Json).id);
    expect(await ids()).toEqual(["rs_0001", "call_0001", "call_0002", "msg_0001", "own"]);
    expect(await ids()).toEqual(["msg_0002"]);
  });

  test("may come whole, or as the API's own item", async () => {
    const { url } = await start({ main: [output([text("whole", { whole: true }), raw({ type: "web_search_call" })])] });
    const types = typesIn(await (await post(url)).text());
    expect(types).not.toContain("response.output_text.delta");
    expect(types.filter((type) => type === "response.output_item.added")).toHaveLength(1);
  });

  test("waits at a gate in the middle", async () => {
    const { url, open, reached } = bound(
      await start({ main: [output([text("one two", { chunk: 4, after: 1, gate: "g" })])] }),
    );
    const response = post(url);
    await reached("g");
    open("g");
    expect(typesIn(await (await response).text())).toContain("response.completed");
  });

  test("may be made from the request", async () => {
    const { url } = await start({ main: [(body) => say(String(body.model))] });
    expect(await (await post(url, { model: "gpt-x" })).text()).toContain("gpt-x");
  });
});

function bound(started: OpenaiServer) {
  return { url: started.url, open: started.open.bind(started), reached: started.reached.bind(started) };
}

describe("a fault", () => {
  test("an HTTP error has the API's body", async () => {
    const { url } = await start({ main: [httpError(429, { code: "slow" })] });
    const response = await post(url);
    expect([response.status, await response.json()]).toEqual([429, { error: { code: "slow" } }]);
  });

  test.each([
    ["failed", { failed: { code: "x", message: "y" } }],
    ["incomplete", { incomplete: "max_output_tokens" }],
  ] as const)("the response is %s", async (status, fault) => {
    const { url } = await start({ main: [output([text("a")], { fault })] });
    expect(eventsIn(await (await post(url)).text()).at(-1)).toMatchObject({
      type: `response.${status}`,
      response: { status },
    });
  });

  test("the connection is cut, or the stream is empty", async () => {
    const { url } = await start({ main: [output([text("a", { fault: "cut" })]), emptyStream()] });
    await expect(post(url).then((response) => response.text())).rejects.toThrow();
    expect(await (await post(url)).text()).toBe("");
  });

  test("what hangs is cut by a release", async () => {
    const started = await start({ main: [hang("asked")] });
    const response = post(started.url);
    response.catch(() => undefined);
    await started.reached("asked");
    started.release();
    await expect(response).rejects.toThrow();
  });
});

describe("lanes", () => {
  const saying = (value: string) => ({
    input: [{ type: "message", role: "user", content: [{ type: "input_text", text: value }] }],
  });

  test("are named by the user's words, by the subagent's name, by the reviewer's trade", async () => {
    const started = await start({ main: [say("m")], one: [say("o")], helper: [say("h")], reviewer: [say("r")] });
    await post(started.url, saying("LANE=one do it"));
    await post(started.url, { client_metadata: { x: '{"agent_name":"/root/helper"}' } });
    await post(started.url, { client_metadata: { x: '{"thread_source":"guardian_review"}' } });
    await post(started.url, saying("hello"));
    expect(started.requests.map(({ lane }) => lane)).toEqual(["one", "helper", "reviewer", "main"]);
    expect(started.unserved).toEqual([]);
  });

  test("tell what was asked too much and too little", async () => {
    const started = await start({ main: [], other: [say("o")] });
    await post(started.url);
    expect(started.problems).toHaveLength(1);
    expect(started.unserved).toEqual(["lane other: 1 of 1 answers were never asked for"]);
  });
});

test("other routes and bodies that are none are refused", async () => {
  const { url } = await start({ main: [] });
  expect((await fetch(`${url}/v1/models`)).status).toBe(404);
  expect((await fetch(`${url}/v1/responses`, { method: "POST", body: "[]" })).status).toBe(400);
});
