import { afterEach, describe, expect, test } from "vitest";
import { CHAT } from "../../live/chat/dialect.js";
import * as chat from "../../live/chat/seen.js";
import { GEMINI } from "../../live/gemini/dialect.js";
import * as gemini from "../../live/gemini/seen.js";
import type { Dialect } from "../../live/model-server/dialect.js";
import { DialectServer } from "../../live/model-server/dialect-server.js";
import {
  answer,
  emptyStream,
  hang,
  httpError,
  type Lanes,
  type ScriptedPart,
  say,
  spare,
  text,
  thought,
} from "../../live/model-server/script.js";

type Json = Record<string, unknown>;

/** What a test must know of an API to ask it and to read its answers. */
interface Api {
  readonly dialect: Dialect;
  readonly stream: string;
  readonly whole: string;
  request(userText: string, tools?: boolean): Json;
  /** The pieces of an answer: its thoughts in brackets. */
  said(chunk: Json): string;
  calls(chunk: Json): unknown;
  readonly usage: Json;
  readonly finishes: Readonly<Record<"stop" | "calls" | "length" | "refusal", string>>;
  finish(chunk: Json): string | undefined;
}

const chatApi: Api = {
  dialect: CHAT,
  stream: "/v1/chat/completions",
  whole: "/v1/chat/completions",
  request: (content, tools = true) => ({
    model: "m",
    messages: [{ role: "user", content }],
    ...(tools && { tools: [{ type: "function" }] }),
  }),
  said: (chunk) => {
    const choice = first(chunk.choices);
    const from = (choice?.delta ?? choice?.message ?? {}) as Json;
    return `${from.reasoning_content ? `[${from.reasoning_content}]` : ""}${from.content ?? ""}`;
  },
  calls: (chunk) => {
    const choice = first(chunk.choices);
    return ((choice?.delta ?? choice?.message ?? {}) as Json).tool_calls;
  },
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  finishes: { stop: "stop", calls: "tool_calls", length: "length", refusal: "content_filter" },
  finish: (chunk) => (first(chunk.choices)?.finish_reason ?? undefined) as string | undefined,
};

const geminiApi: Api = {
  dialect: GEMINI,
  stream: "/v1beta/models/m:streamGenerateContent?alt=sse",
  whole: "/v1beta/models/m:generateContent",
  request: (content, tools = true) => ({
    contents: [{ role: "user", parts: [{ text: content }] }],
    ...(tools && { tools: [{ functionDeclarations: [] }] }),
  }),
  said: (chunk) =>
    nativeParts(chunk)
      .map((part) => (part.thought ? `[${part.text}]` : String(part.text ?? "")))
      .join(""),
  calls: (chunk) => nativeParts(chunk).find((part) => part.functionCall !== undefined)?.functionCall,
  usage: { promptTokenCount: 100, candidatesTokenCount: 15, thoughtsTokenCount: 5, totalTokenCount: 120 },
  finishes: { stop: "STOP", calls: "STOP", length: "MAX_TOKENS", refusal: "SAFETY" },
  finish: (chunk) => first(chunk.candidates)?.finishReason as string | undefined,
};

function first(value: unknown): Json | undefined {
  return (value as Json[] | undefined)?.[0];
}

function nativeParts(chunk: Json): Json[] {
  return ((first(chunk.candidates)?.content as Json | undefined)?.parts ?? []) as Json[];
}

const APIS = [
  ["Chat Completions", chatApi],
  ["Gemini", geminiApi],
] as const;

let server: DialectServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe.each(APIS)("%s", (_name, api) => {
  const start = async (lanes: Lanes) => {
    server = await DialectServer.start(api.dialect, lanes);
    return server;
  };
  const post = (userText = "hello", more: Json = {}, tools = true) =>
    fetch(`${server?.url}${api.stream}`, {
      method: "POST",
      body: JSON.stringify({ stream: true, ...api.request(userText, tools), ...more }),
    });
  const chunksOf = async (response: Response) =>
    (await response.text())
      .split("\n")
      .filter((line) => line.startsWith("data: {"))
      .map((line) => JSON.parse(line.slice("data: ".length)) as Json);
  const call = (input: Json): ScriptedPart => ({ type: "call", name: "shell", input });

  test("thoughts and text stream in pieces, then come the reason and the usage", async () => {
    await start({ main: [answer([thought("Hm?"), text("one two", { chunk: 4 })])] });
    const chunks = await chunksOf(await post());
    expect(chunks.map(api.said).filter((said) => said !== "")).toEqual(["[Hm?]", "one ", "two"]);
    expect(chunks.map(api.finish).filter(Boolean)).toEqual([api.finishes.stop]);
    expect(chunks.at(-1)).toMatchObject(api === chatApi ? { usage: api.usage } : { usageMetadata: api.usage });
  });

  test("calls have ids that count over all requests", async () => {
    const { requests } = await start({ main: [answer([call({ a: 1 }), call({ a: 2 })]), answer([call({ a: 3 })])] });
    const text = JSON.stringify([await chunksOf(await post()), await chunksOf(await post())]);
    expect(text.match(/call_\d+/g)).toEqual(["call_0001", "call_0002", "call_0003"]);
    expect(text.match(/\\?"a\\?":\d/g)).toHaveLength(3);
    expect(requests.map(({ lane, index }) => [lane, index])).toEqual([
      ["main", 1],
      ["main", 2],
    ]);
  });

  test.each(["calls", "length", "refusal"] as const)("a response ends for the reason %s", async (reason) => {
    const answers = reason === "calls" ? answer([call({})]) : say("a", { finish: reason });
    await start({ main: [answers] });
    const chunks = await chunksOf(await post());
    expect(chunks.map(api.finish).filter(Boolean)).toEqual([api.finishes[reason]]);
  });

  test("an answer that shall not stream is one object", async () => {
    await start({ main: [answer([thought("Hm?"), text("Yes."), call({ a: 1 })])] });
    const body = JSON.stringify(api.request("hello"));
    const response = await fetch(`${server?.url}${api.whole}`, { method: "POST", body });
    const whole = (await response.json()) as Json;
    expect(api.said(whole)).toBe("[Hm?]Yes.");
    expect(api.calls(whole)).toBeDefined();
    expect(api.finish(whole)).toBe(api.finishes.calls);
  });

  test("a gate holds what comes behind it", async () => {
    const { gates } = {
      gates: await start({ main: [answer([text("onetwo", { chunk: 3, after: 1, gate: "half" })])] }),
    };
    const response = await post();
    await gates.reached("half");
    gates.open("half");
    expect((await chunksOf(response)).map(api.said).join("")).toBe("onetwo");
  });

  test("a fault is an error in the stream, or breaks it off", async () => {
    const fault = { status: 500, message: "broken" };
    await start({ main: [answer([text("a", { fault })]), answer([text("a", { fault: "cut" })])] });
    expect((await chunksOf(await post())).at(-1)).toMatchObject({ error: { message: "broken" } });
    await expect(post().then((response) => response.text())).rejects.toThrow();
  });

  test("an error has its status and the API's own body; an empty stream has nothing", async () => {
    await start({ main: [httpError(429, "slow"), emptyStream()] });
    const refused = await post();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: { message: "slow" } });
    expect(await (await post()).text()).toBe("");
  });

  test("a spare answer may be left over", async () => {
    const started = await start({ main: [say("m"), spare()] });
    expect(started.unserved).toHaveLength(1);
    await post();
    expect(started.unserved).toEqual([]);
  });

  test("what hangs is cut by a release", async () => {
    const started = await start({ main: [hang("asked")] });
    const response = post();
    response.catch(() => undefined);
    await started.reached("asked");
    started.release();
    await expect(response).rejects.toThrow();
  });

  test("lanes are named by the user's words; what offers no tools is beside them", async () => {
    const started = await start({ main: [say("m")], one: [say("o")] });
    await post("LANE=one do it");
    await post("hello");
    expect((await chunksOf(await post("A title?", {}, false))).map(api.said).join("")).toBe("ok");
    expect(started.requests.map(({ lane }) => lane)).toEqual(["one", "main", "aux"]);
    expect([...started.unserved, ...started.problems]).toEqual([]);
    await post("hello");
    expect(started.problems).toHaveLength(1);
  });

  test("other routes and bodies that are none are refused", async () => {
    const { url } = await start({ main: [] });
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
    expect((await fetch(`${url}${api.stream}`, { method: "POST", body: "[]" })).status).toBe(404);
  });
});

test("what a request holds is found", () => {
  const messages = [
    { role: "user", content: [{ type: "text", text: "hello" }] },
    { role: "tool", content: "made" },
  ];
  expect([chat.userTextIn({ messages }), chat.toolResultsIn({ messages })]).toEqual(["hello", ["made"]]);
  const contents = [
    { role: "user", parts: [{ text: "hello" }] },
    { role: "user", parts: [{ functionResponse: { name: "shell", response: { output: "made" } } }] },
  ];
  expect(gemini.userTextIn({ contents })).toContain("hello");
  expect(gemini.toolResultsIn({ contents })[0]).toContain("made");
});
