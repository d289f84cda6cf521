import { Agent } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { ERROR_KINDS, ERROR_TABLE, type ErrorKind, ROUTES } from "../../../schemas/index.js";
import { GatewayError } from "../../../src/gateway-error.js";
import { message, partUpdated, sessionCreated, text } from "../../unit/server/events.js";
import { handlerOf } from "../../unit/server/stream-peer.js";
import { HttpPeer } from "./http-peer.js";
import { Serving } from "./serving.js";
import { TOKEN } from "./wire-peer.js";

const servings: Serving[] = [];
const peers: HttpPeer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) peer.close();
  for (const one of servings.splice(0)) await one.stop();
});

async function serve(...args: Parameters<typeof Serving.start>): Promise<{ serving: Serving; http: HttpPeer }> {
  const serving = await Serving.start(...args);
  servings.push(serving);
  return { serving, http: peerOf(serving) };
}

function peerOf(serving: Serving, ...token: [token?: string | undefined]): HttpPeer {
  const peer = new HttpPeer({ port: serving.port }, ...(token.length === 0 ? [] : token));
  peers.push(peer);
  return peer;
}

const JSON_TYPE = { "content-type": "application/json" };

describe("what is open", () => {
  test("/health answers without a token and tells nothing else", async () => {
    const { http } = await serve();
    const { status, headers, body } = await http.ask("GET", "/health", { headers: { authorization: "" } });
    expect([status, headers["content-type"], body]).toEqual([
      200,
      "application/json",
      { status: "ok", protocolVersion: "1.0" },
    ]);
    expect(headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
  });

  test("everything else wants the token, also what is not there", async () => {
    const { http } = await serve();
    const paths = ["/session", "/event", "/openapi.json", "/openrpc.json", "/", "/nothing"];
    for (const headers of [{ authorization: "" }, { authorization: "Bearer wrong" }, { authorization: "Basic eDp5" }]) {
      for (const path of paths) {
        const answer = await http.ask("GET", path, { headers });
        expect(answer).toMatchObject({ status: 401, body: { kind: "unauthorized" } });
        expect(answer.headers["www-authenticate"]).toBe("Bearer");
      }
    }
  });

  test("the token does not count in the URL, where logs would keep it", async () => {
    const { http } = await serve();
    const answer = await http.ask("GET", `/session?token=${TOKEN}`, { headers: { authorization: "" } });
    expect(answer.status).toBe(401);
  });
});

describe("who may ask", () => {
  test("nobody under a foreign name, nor a page whose origin was not allowed, not even for /health", async () => {
    const { http } = await serve();
    for (const path of ["/health", "/session"]) {
      for (const headers of [
        { host: "evil.example" },
        { origin: "https://evil.example" },
        { origin: "http://localhost:5173" },
        { origin: "null" },
      ]) {
        const answer = await http.ask("GET", path, { headers });
        expect(answer).toMatchObject({ status: 403, body: { kind: "forbidden" } });
        expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
      }
    }
  });

  test("a Host that is no name is refused, and the server goes on", async () => {
    const { http } = await serve();
    for (const host of ["a b", "localhost:1@evil", "[", "%"]) {
      expect((await http.ask("GET", "/health", { headers: { host } })).status).toBeGreaterThanOrEqual(400);
    }
    expect((await http.ask("GET", "/health")).status).toBe(200);
  });

  test("a page of an allowed origin, which may read the answer, errors too", async () => {
    const origin = "https://ui.example";
    const { http } = await serve({ allowedOrigins: [origin] });
    for (const [path, status] of [
      ["/session", 200],
      ["/nothing", 404],
    ] as const) {
      const answer = await http.ask("GET", path, { headers: { origin } });
      expect(answer.status).toBe(status);
      expect(answer.headers).toMatchObject({ "access-control-allow-origin": origin, vary: "Origin" });
    }
    const stream = await http.subscribe({}, { origin });
    expect(stream.response.headers["access-control-allow-origin"]).toBe(origin);
  });

  test("a preflight is answered without a token, to allowed origins alone", async () => {
    const { http } = await serve({ allowedOrigins: ["https://ui.example"] });
    const preflight = (origin: string) =>
      http.ask("OPTIONS", "/session/ses_1", {
        headers: { origin, authorization: "", "access-control-request-method": "PATCH" },
      });
    const allowed = await preflight("https://ui.example");
    expect(allowed.status).toBe(204);
    expect(allowed.headers["access-control-allow-methods"]).toContain("PATCH");
    expect(allowed.headers["access-control-allow-headers"]).toContain("authorization");
    expect(allowed.headers).not.toHaveProperty("access-control-allow-credentials");
    expect((await preflight("https://evil.example")).status).toBe(403);
  });
});

describe("routes", () => {
  test.each([
    ["GET", "/sessions", "GET /session"],
    ["POST", "/Session", "POST /session"],
    ["GET", "/session/ses_1/messages", "GET /session/{sessionID}/message"],
    ["POST", "/blocks/per_1/reply", "POST /block/{blockID}/reply"],
    ["GET", "/events", "GET /event"],
    ["POST", "/session/ses_1/prompts", "POST /session/{sessionID}/prompt"],
    ["GET", "/session/", "GET /session"],
  ])("%s %s is not there, and %s is near", async (verb, path, nearest) => {
    const { http } = await serve();
    const { status, headers, body } = await http.ask(verb, path);
    expect([status, headers["content-type"]]).toEqual([404, "application/problem+json"]);
    expect(body).toEqual({
      type: "urn:agentwire:error:method_not_found",
      title: "There is no such method",
      status: 404,
      detail: `There is no ${verb} ${path}`,
      kind: "method_not_found",
      hint: `Did you mean ${nearest}?`,
    });
  });

  test("what is like no route is told where the routes are listed", async () => {
    const { http } = await serve();
    for (const path of ["/", "/favicon.ico", "/health/x", "//", "/%00", "/%E0%A4%A", "/x?y"]) {
      expect(await http.ask("GET", path)).toMatchObject({
        status: 404,
        body: { hint: expect.stringContaining("/openapi.json") },
      });
    }
  });

  test("a path that does not take the verb says which it takes", async () => {
    const { http } = await serve();
    const answer = await http.ask("PUT", "/session/ses_1");
    expect(answer).toMatchObject({ status: 405, body: { kind: "method_not_allowed" } });
    expect(answer.headers.allow).toBe("GET, PATCH, DELETE");
    expect((await http.ask("HEAD", "/event")).status).toBe(405);
    expect((await http.ask("HEAD", "/session")).status).toBe(200);
  });

  test("a parameter in the path is what it was before it was encoded", async () => {
    const handler = handlerOf((method, params) => ({ method, params }));
    const { http } = await serve({}, { handler });
    const option = "a/b c?d#e%25é";
    const { body } = await http.call("session.setOption", { sessionID: "ses_1", option, value: null });
    expect(body.params).toEqual({ sessionID: "ses_1", option, value: null });
  });
});

describe("parameters", () => {
  const echo = { handler: handlerOf((method, params) => ({ method, params })) };

  test("a number in the query is a number, and what is none is refused as a text", async () => {
    const { http } = await serve({}, echo);
    expect((await http.ask("GET", "/session?limit=5&agent=7")).body.params).toEqual({ limit: 5, agent: "7" });
    for (const [query, field, detail] of [
      ["limit=x", "limit", "limit must be a number, got a string"],
      ["limit=", "limit", "limit must be a number, got an empty string"],
      ["limit=0", "limit", "limit must be at least 1, got an integer"],
      ["limit=1.5", "limit", "limit must be an integer, got a number"],
      ["limit=1&limit=2", "limit", "limit must be a number, got an array"],
      [
        "nonsense=1",
        "nonsense",
        "nonsense is not a known field (known here: directory, agent, archived, limit, before)",
      ],
      ["__proto__=1", "__proto__", expect.stringContaining("__proto__ is not a known field")],
    ] as const) {
      const { status, body } = await http.ask("GET", `/session?${query}`);
      expect([status, body.field, body.detail]).toEqual([400, field, detail]);
    }
  });

  test("what belongs into the body may not be in the query, nor what is in the path anywhere else", async () => {
    const { http } = await serve({}, echo);
    const twice = await http.ask("PATCH", "/session/ses_1", { headers: JSON_TYPE, body: '{"sessionID":"ses_1"}' });
    expect(twice).toMatchObject({ status: 400, body: { field: "sessionID" } });
    expect(await http.ask("GET", "/session/ses_1?sessionID=ses_2")).toMatchObject({
      status: 400,
      body: { field: "sessionID" },
    });
    const stray = await http.ask("POST", "/session?agent=claude", { headers: JSON_TYPE, body: "{}" });
    expect(stray).toMatchObject({ status: 400, body: { field: "agent" } });
  });

  test("an unknown field is refused with its path", async () => {
    const { http } = await serve({}, echo);
    const parts = [{ type: "text", text: "hi", txt: "" }];
    expect(await http.call("session.prompt", { sessionID: "ses_1", parts })).toMatchObject({
      status: 400,
      body: { kind: "invalid_params", field: "parts[0].txt" },
    });
  });

  test("an empty body is none, where none is needed", async () => {
    const { http } = await serve({}, echo);
    expect((await http.ask("POST", "/session/ses_1/abort")).body.params).toEqual({ sessionID: "ses_1" });
    expect(await http.ask("POST", "/session")).toMatchObject({ status: 400, body: { field: "agent" } });
  });

  test.each([
    ["no JSON", JSON_TYPE, "{oops", 400, "parse_error"],
    ["no UTF-8", JSON_TYPE, Buffer.from([0x22, 0xff, 0x22]), 400, "parse_error"],
    ["an array", JSON_TYPE, "[1]", 400, "invalid_params"],
    ["null", JSON_TYPE, "null", 400, "invalid_params"],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, "agent=claude", 415, "unsupported_media_type"],
    ["a text", { "content-type": "text/plain" }, "{}", 415, "unsupported_media_type"],
    ["of no type", {}, "{}", 415, "unsupported_media_type"],
    ["in Latin-1", { "content-type": "application/json; charset=latin1" }, "{}", 415, "unsupported_media_type"],
    ["compressed", { ...JSON_TYPE, "content-encoding": "gzip" }, "{}", 415, "unsupported_media_type"],
  ] as const)("a body that is %s is refused", async (_what, headers, body, status, kind) => {
    const { http } = await serve({}, echo);
    expect(await http.ask("POST", "/session", { headers, body })).toMatchObject({ status, body: { kind } });
  });

  test("JSON may say that it is UTF-8", async () => {
    const { http } = await serve({}, echo);
    const headers = { "content-type": 'Application/JSON; charset="UTF-8"' };
    const body = JSON.stringify({ agent: "é", directory: "/" });
    expect((await http.ask("POST", "/session", { headers, body })).body.params).toMatchObject({ agent: "é" });
  });

  test("a body over the limit is refused, whether it tells its length or not, and the connection lives on", async () => {
    const { http } = await serve({}, { ...echo, limits: { messageBytes: 1_000 } });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = JSON.stringify({ agent: "x".repeat(2_000), directory: "/" });
    for (const length of [{ "content-length": String(body.length) }, { "transfer-encoding": "chunked" }]) {
      const headers = { ...JSON_TYPE, ...length };
      expect(await http.ask("POST", "/session", { headers, body, agent })).toMatchObject({
        status: 413,
        body: { kind: "too_large", detail: "The body is over the limit of 1000 bytes" },
      });
    }
    expect((await http.ask("GET", "/session", { agent })).status).toBe(200);
    agent.destroy();
  });
});

describe("errors", () => {
  test.each(ERROR_KINDS.filter((kind) => kind !== "internal"))("%s has its status", async (kind: ErrorKind) => {
    const handler = handlerOf(() => {
      throw new GatewayError(kind, "what happened", { field: "f", hint: "do this" });
    });
    const { http } = await serve({}, { handler });
    const { status, headers, body } = await http.call("session.list");
    expect(status).toBe(ERROR_TABLE[kind].httpStatus);
    expect(headers["content-type"]).toBe("application/problem+json");
    expect(body).toEqual({
      type: `urn:agentwire:error:${kind}`,
      title: ERROR_TABLE[kind].title,
      status,
      detail: "what happened",
      kind,
      field: "f",
      hint: "do this",
    });
  });

  test("a decision that came too late is a conflict", async () => {
    const handler = handlerOf(() => {
      throw new GatewayError("conflict", "per_1 was decided already");
    });
    const { http } = await serve({}, { handler });
    expect(await http.call("block.reply", { blockID: "per_1", decision: "once" })).toMatchObject({
      status: 409,
      body: { kind: "conflict", detail: "per_1 was decided already" },
    });
  });

  test("what was not meant for the client is in the log, and the client gets its number", async () => {
    const handler = handlerOf(() => {
      throw new Error("/home/secret");
    });
    const { http } = await serve({}, { handler });
    const { status, text, body } = await http.call("session.list");
    expect([status, body.detail]).toEqual([500, ERROR_TABLE.internal.title]);
    expect(body.hint).toMatch(/incident [0-9a-f]{8}/);
    expect(text).not.toContain("secret");
  });
});

describe("/metrics", () => {
  test("is what the gateway says of itself, for who has the token", async () => {
    const serving = await Serving.start({}, { metrics: () => "agentwire_up 1\n" });
    servings.push(serving);
    const http = peerOf(serving);
    const { status, headers, text } = await http.ask("GET", "/metrics");
    expect([status, text]).toEqual([200, "agentwire_up 1\n"]);
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(await http.ask("GET", "/metrics", { headers: { authorization: "" } })).toMatchObject({ status: 401 });
    expect(await http.ask("POST", "/metrics")).toMatchObject({ status: 404 });
  });

  test("is not there where nobody has put it together", async () => {
    const { http } = await serve();
    expect(await http.ask("GET", "/metrics")).toMatchObject({ status: 404, body: { kind: "method_not_found" } });
  });
});

describe("the documents", () => {
  test("/openapi.json describes every route", async () => {
    const { http } = await serve();
    const { body } = await http.ask("GET", "/openapi.json");
    const paths = body.paths as Record<string, Record<string, { operationId: string }>>;
    for (const [method, { verb, path }] of Object.entries(ROUTES)) {
      expect(paths[path]?.[verb.toLowerCase()]?.operationId).toBe(method);
    }
  });

  test("/openrpc.json describes every method", async () => {
    const { http } = await serve();
    const { body } = await http.ask("GET", "/openrpc.json");
    expect((body.methods as { name: string }[]).map(({ name }) => name)).toEqual(Object.keys(ROUTES));
  });
});

describe("the stream of events", () => {
  test("is a stream that no cache and no proxy keeps", async () => {
    const { http } = await serve();
    const { response } = await http.subscribe();
    expect(response.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
  });

  test("says first what it is, and where to go on from when nothing comes", async () => {
    const { serving, http } = await serve();
    serving.store.publish(sessionCreated());
    const stream = await http.subscribe();
    const result = await stream.subscribed();
    expect(result).toEqual({ subscriptionID: expect.any(String), cursor: serving.store.cursor, gap: false });
    expect(stream.lastEventID).toBe(serving.store.cursor);
  });

  test("numbers its messages by cursor, and goes on after the last one, whatever the address says", async () => {
    const { serving, http } = await serve();
    const { store } = serving;
    const before = store.cursor;
    const first = await http.subscribe();
    await first.subscribed();
    store.publish(sessionCreated(), message("msg_1"));
    await first.until(() => first.batches.length === 1);
    expect(first.lastEventID).toBe(store.cursor);
    first.close();
    store.publish(message("msg_2"));
    const second = await http.subscribe({ after: before }, { "last-event-id": first.lastEventID ?? "" });
    await second.until(() => second.batches.length === 1);
    expect(second.batches[0]).toMatchObject([{ event: { properties: { info: { id: "msg_2" } } } }]);
  });

  test("tells a gap by a message of its own", async () => {
    const { serving, http } = await serve();
    const after = serving.store.cursor;
    serving.store.publish(sessionCreated());
    serving.store.forgetRemovals();
    const stream = await http.subscribe({ after });
    await stream.until(() => stream.messages.length === 2);
    expect(stream.messages).toMatchObject([
      { event: "subscribed", data: { gap: true, cursor: serving.store.cursor } },
      { event: "gap", data: { cursor: serving.store.cursor } },
    ]);
  });

  test("a wrong cursor or session is a problem, not a stream", async () => {
    const { http } = await serve();
    expect(await http.ask("GET", "/event?after=!")).toMatchObject({ status: 400, body: { field: "after" } });
    expect(await http.ask("GET", "/event", { headers: { "last-event-id": "!" } })).toMatchObject({ status: 400 });
    expect(await http.ask("GET", "/event?sessionID=ses_9")).toMatchObject({
      status: 404,
      body: { field: "sessionID" },
    });
  });

  test("is ended by its id, from any connection", async () => {
    const { serving, http } = await serve();
    const stream = await http.subscribe();
    const { subscriptionID } = await stream.subscribed();
    expect((await http.call("events.unsubscribe", { subscriptionID })).status).toBe(200);
    await stream.until(() => stream.ended);
    expect(stream.messages.at(-1)).toMatchObject({ event: "closed", data: { code: 1000 } });
    expect(serving.server.clients).toHaveLength(0);
    expect((await http.call("events.unsubscribe", { subscriptionID: String(subscriptionID) })).status).toBe(404);
  });

  test("leaves nothing behind when its client is gone", async () => {
    const { serving, http } = await serve();
    const stream = await http.subscribe();
    await stream.subscribed();
    const [client] = serving.server.clients;
    expect(client).toBeDefined();
    stream.close();
    // The server hears of it no later than it answers on another connection that was opened after it.
    while (serving.server.clients.length > 0) await http.ask("GET", "/health");
  });

  test("says goodbye when the gateway shuts down", async () => {
    const { serving, http } = await serve();
    const stream = await http.subscribe();
    await stream.subscribed();
    await serving.server.close();
    await stream.until(() => stream.ended);
    expect(stream.messages.at(-1)).toMatchObject({ event: "closed", data: { code: 1001 } });
  });

  test("beats while nothing happens, and gives up who takes nothing", async () => {
    let tick: () => void = () => {};
    const { serving, http } = await serve({
      heartbeat: (beat) => {
        tick = beat;
        return () => {};
      },
    });
    const [reading, stuck] = [await http.subscribe(), await http.subscribe()];
    await Promise.all([reading.subscribed(), stuck.subscribed()]);
    for (let beat = 1; beat <= 3; beat++) {
      tick();
      await reading.until(() => reading.comments.length === beat);
    }
    expect(reading.comments).toEqual(["heartbeat", "heartbeat", "heartbeat"]);
    stuck.response.pause();
    const pending = () => serving.server.clients.map((client) => client.pendingBytes);
    serving.store.publish(sessionCreated(), message("msg_1"));
    while (Math.max(...pending()) < 500_000) {
      serving.store.publish(partUpdated(text({ id: "prt_1" }, `${serving.store.cursor}${"x".repeat(200_000)}`)));
      await reading.until(() => reading.client.cursor === serving.store.cursor);
    }
    // The first one asks, the second one finds that nothing was taken since.
    tick();
    await reading.until(() => reading.comments.length === 4);
    await http.ask("GET", "/health");
    tick();
    stuck.response.resume();
    await stuck.until(() => stuck.ended);
    expect(stuck.messages.some(({ event }) => event === "closed")).toBe(false);
    expect(reading.ended).toBe(false);
  });
});
