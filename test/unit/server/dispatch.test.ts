import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { ERROR_TABLE, METHODS, type Method } from "../../../schemas/index.js";
import { GatewayError } from "../../../src/gateway-error.js";
import { type ConnectionHandlers, createDispatch } from "../../../src/server/dispatch.js";
import { initialize } from "../../../src/server/initialize.js";
import { toResponseError } from "../../../src/server/to-response-error.js";
import type { RequestHandler } from "../../../src/session/request-handler.js";
import { LEAST_PARAMS } from "./least-params.js";

const silent = pino({ level: "silent" });
const calls: unknown[] = [];
const handler = {
  handle: async (method: string, params: unknown) => {
    calls.push([method, params]);
    return {};
  },
} as RequestHandler;
const connection: ConnectionHandlers = {
  initialize: (params) => initialize(params, "1.2.3"),
  "events.subscribe": () => ({ subscriptionID: "sub_1", cursor: "0", gap: false }),
  "events.unsubscribe": () => ({}),
};
const dispatch = createDispatch(handler);

async function failure(method: string, params: unknown): Promise<GatewayError> {
  const thrown = await dispatch(method, params, connection).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(GatewayError);
  return thrown as GatewayError;
}

/** A session with tools that differ in these fields from one that is right. */
const tools = (...changes: object[]) => ({
  agent: "claude",
  directory: "/project",
  tools: changes.map((change) => ({ name: "a", description: "Does", inputSchema: { type: "object" }, ...change })),
});

describe.each(Object.keys(METHODS) as Method[])("%s", (method) => {
  test("is answered", async () => {
    await expect(dispatch(method, LEAST_PARAMS[method], connection)).resolves.toBeTypeOf("object");
  });

  test("refuses an unknown field by its path and names the known ones", async () => {
    const error = await failure(method, { ...LEAST_PARAMS[method], nonsense: 1 });
    expect(error.data).toMatchObject({ kind: "invalid_params", field: "nonsense" });
    expect(error.message).toContain("nonsense");
    for (const known of Object.keys(METHODS[method].params.shape)) expect(error.message).toContain(known);
  });

  test("takes parameters by name only", async () => {
    expect((await failure(method, [1])).message).toBe("params must be an object (parameters by name), got an array");
  });
});

const prompt = (part: unknown) => ({ sessionID: "ses_1", parts: [part] });

test.each([
  [
    "session.prompt",
    prompt({ type: "text", text: 5 }),
    "parts[0].text",
    "parts[0].text must be a string, got an integer",
  ],
  [
    "session.prompt",
    prompt({ type: "text", text: "" }),
    "parts[0].text",
    "parts[0].text must be longer: at least 1, got an empty string",
  ],
  ["session.prompt", prompt({ type: "text" }), "parts[0].text", "parts[0].text is missing: expected a string"],
  [
    "session.prompt",
    prompt({ type: "text", text: "a", txt: 1 }),
    "parts[0].txt",
    "parts[0].txt is not a known field (known here: type, id, text, synthetic)",
  ],
  [
    "session.prompt",
    prompt({ type: "agent", name: "a", txt: 1 }),
    "parts[0].txt",
    "parts[0].txt is not a known field (known here: type, id, name)",
  ],
  [
    "session.prompt",
    prompt({ type: "image" }),
    "parts[0].type",
    'parts[0].type must be one of "text", "file", "agent", got a string',
  ],
  ["session.prompt", prompt(null), "parts[0]", "parts[0] must be an object, got null"],
  [
    "session.prompt",
    { sessionID: "ses_1", parts: [] },
    "parts",
    "parts must be longer: at least 1, got an empty array",
  ],
  ["session.create", tools({ name: "a b" }), "tools[0].name", /^tools\[0\]\.name must be 1 to 48 letters/],
  ["session.create", tools({ name: "a.b" }), "tools[0].name", /^tools\[0\]\.name must be 1 to 48 letters/],
  ["session.create", tools({ name: "a".repeat(49) }), "tools[0].name", /^tools\[0\]\.name must be 1 to 48 letters/],
  [
    "session.create",
    tools({}, { name: "b" }, {}),
    "tools[2].name",
    "tools[2].name must be another name than that of tools[0], got a string",
  ],
  ["session.create", tools({ description: "" }), "tools[0].description", /^tools\[0\]\.description must be longer/],
  ["session.create", tools({ description: "a".repeat(2049) }), "tools[0].description", /must be shorter: at most 2048/],
  [
    "session.create",
    tools({ inputSchema: {} }),
    "tools[0].inputSchema.type",
    'tools[0].inputSchema.type is missing: expected "object"',
  ],
  [
    "session.create",
    tools({ inputSchema: { type: "object", title: "a".repeat(65_536) } }),
    "tools[0].inputSchema",
    "tools[0].inputSchema must be at most 65536 characters of JSON, got an object",
  ],
  ["session.create", tools({ input: {} }), "tools[0].input", /^tools\[0\]\.input is not a known field/],
  ["session.create", tools(...Array.from({ length: 129 }, (_, i) => ({ name: `t${i}` }))), "tools", /at most 128/],
  [
    "session.create",
    { agent: "claude", directory: "/project", mcpServers: { agentwire: { type: "http", url: "http://127.0.0.1" } } },
    "mcpServers.agentwire",
    /not "agentwire"/,
  ],
  ["session.list", { limit: 0 }, "limit", "limit must be at least 1, got an integer"],
  ["session.list", { limit: 1.5 }, "limit", "limit must be an integer, got a number"],
  ["session.list", { limit: 1001 }, "limit", "limit must be at most 1000, got an integer"],
  ["session.get", {}, "sessionID", "sessionID is missing: expected a string"],
  ["session.get", undefined, "sessionID", "sessionID is missing: expected a string"],
  ["session.get", null, "params", "params must be an object, got null"],
  [
    "session.get",
    { sessionID: "1" },
    "sessionID",
    'sessionID must be a session id: "ses_" and 1 to 64 letters, digits, "_" or "-", got a string',
  ],
  [
    "session.setMode",
    { sessionID: "ses_1", mode: "yollo" },
    "mode",
    /^mode must be one of "default", .*"auto", got a string$/,
  ],
  ["session.setOption", { sessionID: "ses_1", option: "a" }, "value", "value is missing"],
  [
    "block.reply",
    { blockID: "per_1", answers: [["a", 1]] },
    "answers[0][1]",
    "answers[0][1] must be a string, got an integer",
  ],
  [
    "initialize",
    { client: { name: "a", "x-y": 1 } },
    'client["x-y"]',
    'client["x-y"] is not a known field (known here: name, version)',
  ],
  ["agent.list", { a: 1, b: 2 }, "a", "a, b are not known fields (The parameters may have no fields)"],
  ["session.get", JSON.parse('{"sessionID":"ses_1","__proto__":{}}'), "__proto__", /^__proto__ is not a known field/],
])("%s with %j names %s", async (method, params, field, message) => {
  const error = await failure(method as string, params);
  expect(error.data.field).toBe(field);
  if (typeof message === "string") expect(error.message).toBe(message);
  else expect(error.message).toMatch(message as RegExp);
});

test("names the first few of many faults", async () => {
  const error = await failure("session.create", { agent: 1, directory: 2, title: 3, model: 4, mode: 5 });
  expect(error.message).toMatch(/^agent must be a string, got an integer; directory .*; title .*; and 2 more$/);
});

test.each([
  ["session/prompt", 'Did you mean "session.prompt"?'],
  ["sesion.prmpt", 'Did you mean "session.prompt"?'],
  ["blocks.reply", 'Did you mean "block.reply"?'],
  ["constructor", "`initialize` lists the methods."],
  ["tools/call", "`initialize` lists the methods."],
  ["x".repeat(1_000_000), "`initialize` lists the methods."],
])("an unknown method gets the nearest name", async (method, hint) => {
  const error = await failure(method, {});
  expect(error.data).toEqual({ kind: "method_not_found", hint });
  expect(error.message.length).toBeLessThan(200);
});

test("checked parameters reach the handler", async () => {
  calls.length = 0;
  await dispatch("session.get", { sessionID: "ses_1" }, connection);
  await dispatch("session.list", undefined, connection);
  expect(calls).toEqual([
    ["session.get", { sessionID: "ses_1" }],
    ["session.list", {}],
  ]);
});

test("without a connection there are no subscriptions", async () => {
  await expect(dispatch("events.subscribe", {})).rejects.toMatchObject({ kind: "not_supported" });
});

describe("initialize", () => {
  test("tells the versions and the methods", async () => {
    const result = await dispatch("initialize", { protocolVersion: "1.7", client: { name: "test" } }, connection);
    expect(METHODS.initialize.result.parse(result)).toEqual({
      protocolVersion: "1.0",
      server: { name: "agentwire", version: "1.2.3" },
      methods: Object.keys(METHODS),
    });
  });

  test("refuses another major version", async () => {
    const error = await failure("initialize", { protocolVersion: "2.0" });
    expect(error.data).toMatchObject({ kind: "not_supported", field: "protocolVersion" });
    expect(error.message).toBe("This gateway speaks protocol version 1.0; the client asked for major version 2");
  });

  test.each(["one", "", "1.", "v1"])("refuses %j, which is no version", async (protocolVersion) => {
    expect((await failure("initialize", { protocolVersion })).data).toMatchObject({
      kind: "invalid_params",
      field: "protocolVersion",
    });
  });
});

describe("errors", () => {
  test("keep their code and data", () => {
    const error = toResponseError(new GatewayError("busy", "wait", { hint: "later" }), "session.prompt", silent);
    expect(error.toJson()).toEqual({
      code: ERROR_TABLE.busy.rpcCode,
      message: "wait",
      data: { kind: "busy", hint: "later" },
    });
  });

  test.each([new Error("secret /home/x"), "secret", undefined, { secret: 1 }])(
    "hide what was not meant to be told",
    (thrown) => {
      const lines: string[] = [];
      const log = pino({ level: "error" }, { write: (line: string) => lines.push(line) });
      const json = toResponseError(thrown, "session.get", log).toJson();
      expect(json).toMatchObject({ code: ERROR_TABLE.internal.rpcCode, data: { kind: "internal" } });
      expect(JSON.stringify(json)).not.toMatch(/secret|stack| at /);
      const incident = /incident ([0-9a-f]{8})/.exec(json.data?.hint ?? "")?.[1];
      expect(JSON.parse(lines[0] as string)).toMatchObject({ method: "session.get", incident });
    },
  );
});
