import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { ERROR_KINDS, METHODS, type Method } from "../../../../schemas/index.js";
import { GatewayError } from "../../../../src/gateway-error.js";
import { createServerCore } from "../../../../src/server/server-core.js";
import { delta, message, partUpdated, sessionCreated, status, text } from "../../../unit/server/events.js";
import { FakeStore } from "../../../unit/server/fake-store.js";
import { LEAST_PARAMS } from "../../../unit/server/least-params.js";
import { handlerOf } from "../../../unit/server/stream-peer.js";
import type { Peer, Served } from "./peer.js";
import { TRANSPORTS } from "./transports.js";

type Handle = Parameters<typeof handlerOf>[0];

const CONNECTION_METHODS: readonly Method[] = ["initialize", "events.subscribe", "events.unsubscribe"];
const SESSION_METHODS = (Object.keys(METHODS) as Method[]).filter((method) => !CONNECTION_METHODS.includes(method));
const P = { id: "prt_1" };

/** The contract that every transport keeps: what can be asked, how it fails, and how events come. */
describe.each(TRANSPORTS)("over $name", (transport) => {
  const open: Served[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.stop();
  });

  async function setup(handle: Handle = (method, params) => ({ method, params })) {
    const store = new FakeStore();
    const log = pino({ level: "silent" });
    const served = await transport.serve(
      createServerCore({ handler: handlerOf(handle), store, version: "1.2.3", log }),
    );
    open.push(served);
    return { store, served, peer: await served.connect() };
  }

  async function failureOf(peer: Peer, params: Record<string, unknown>): Promise<unknown> {
    return peer.subscribe(params).then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  test.each(SESSION_METHODS)("%s reaches the handler with what was sent, and its result comes back", async (method) => {
    const { peer } = await setup();
    const params = LEAST_PARAMS[method];
    expect(await peer.call(method, params)).toEqual({ result: { method, params } });
  });

  test("values keep their types", async () => {
    const { peer } = await setup();
    const page = { sessionID: "ses_1", limit: 7, before: "msg_1" };
    expect(await peer.call("session.messages", page)).toMatchObject({ result: { params: page } });
    const value = { deep: [1, "1", null, true, { é: "日本 👩‍👩‍👧" }] };
    const option = { sessionID: "ses_1", option: "o", value };
    expect(await peer.call("session.setOption", option)).toMatchObject({ result: { params: option } });
  });

  test("initialize tells the version, and refuses another one", async () => {
    const { peer } = await setup();
    expect(await peer.call("initialize", { client: { name: "c" } })).toMatchObject({
      result: {
        protocolVersion: "1.0",
        server: { name: "agentwire", version: "1.2.3" },
        methods: Object.keys(METHODS),
      },
    });
    expect(await peer.call("initialize", { protocolVersion: "9.0" })).toMatchObject({
      error: { kind: "not_supported", field: "protocolVersion" },
    });
  });

  test.each(Object.keys(METHODS) as Method[])("%s refuses an unknown field by its path", async (method) => {
    const { peer } = await setup();
    if (method === "events.subscribe") {
      expect(await failureOf(peer, { nonsense: 1 })).toMatchObject({ kind: "invalid_params", field: "nonsense" });
      return;
    }
    expect(await peer.call(method, { ...LEAST_PARAMS[method], nonsense: 1 })).toMatchObject({
      error: { kind: "invalid_params", field: "nonsense" },
    });
  });

  test("a wrong field is told by its path, and what came is not repeated", async () => {
    const { peer } = await setup();
    const parts = [
      { type: "text", text: "ok" },
      { type: "text", text: 5 },
    ];
    expect(await peer.call("session.prompt", { sessionID: "ses_1", parts })).toEqual({
      error: {
        kind: "invalid_params",
        field: "parts[1].text",
        message: "parts[1].text must be a string, got an integer",
      },
    });
    expect(await peer.call("session.get", { sessionID: "secret" })).toMatchObject({
      error: { field: "sessionID", message: expect.not.stringContaining("secret") },
    });
  });

  test.each(ERROR_KINDS.filter((kind) => kind !== "internal"))("%s comes as it was thrown", async (kind) => {
    const { peer } = await setup(() => {
      throw new GatewayError(kind, "what happened", { field: "f", hint: "do this" });
    });
    expect(await peer.call("session.get", { sessionID: "ses_1" })).toEqual({
      error: { kind, message: "what happened", field: "f", hint: "do this" },
    });
  });

  test("a failure that was not meant for the client does not reach it", async () => {
    const { peer } = await setup(() => {
      throw new Error("/home/secret");
    });
    const { error } = await peer.call("session.get", { sessionID: "ses_1" });
    expect(error).toMatchObject({ kind: "internal", message: "The gateway failed" });
    expect(JSON.stringify(error)).not.toContain("secret");
  });

  test("requests are answered while others wait", async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { peer } = await setup((method) => (method === "session.abort" ? held.then(() => ({ aborted: true })) : {}));
    const abort = peer.call("session.abort", { sessionID: "ses_1" });
    expect(await peer.call("session.list")).toEqual({ result: {} });
    release();
    expect(await abort).toEqual({ result: { aborted: true } });
  });

  test("events come in the groups that were published, in order", async () => {
    const { store, peer } = await setup();
    const heard = await peer.subscribe();
    expect(heard.result).toEqual({ subscriptionID: expect.any(String), cursor: store.cursor, gap: false });
    const groups = [
      [sessionCreated(), message("msg_1"), partUpdated(text(P))],
      [delta(P, 0, "a\n\nb"), delta(P, 4, "ü")],
    ];
    for (const group of groups) store.publish(...group);
    store.publish(partUpdated(text(P, "a\n\nbü", true)), status("idle"));
    await heard.until(() => heard.client.cursor === store.cursor);
    expect(heard.batches.map((batch) => batch.length)).toEqual([3, 2, 2]);
    expect(heard.client.events.slice(0, 5)).toEqual(groups.flat());
    expect(heard.client.state).toEqual(store.state);
  });

  test("a session's subscriber hears it and its children, and nobody else", async () => {
    const { store, peer } = await setup();
    store.publish(sessionCreated());
    const heard = await peer.subscribe({ sessionID: "ses_1" });
    store.publish(sessionCreated("ses_9"));
    store.publish(sessionCreated("ses_2", "ses_1"), message("msg_2", "ses_2"));
    await heard.until(() => heard.client.events.length === 2);
    expect(heard.client.events.map(({ properties }) => properties.sessionID)).toEqual(["ses_2", "ses_2"]);
  });

  test("who comes back with a cursor gets what it missed, and then what comes", async () => {
    const { store, served, peer } = await setup();
    const first = await peer.subscribe();
    store.publish(sessionCreated(), message("msg_1"), partUpdated(text(P)), delta(P, 0, "abc"));
    await first.until(() => first.client.events.length === 4);
    first.drop();
    store.publish(delta(P, 3, "def"));
    const second = await (await served.connect()).subscribe({ after: first.client.cursor }, first.client);
    store.publish(delta(P, 6, "ghi"), status("busy"));
    await second.until(() => second.client.cursor === store.cursor);
    expect(second.client.state).toEqual(store.state);
  });

  test("a cursor that is too old is a gap", async () => {
    const { store, peer } = await setup();
    const after = store.cursor;
    store.publish(sessionCreated());
    store.forgetRemovals();
    const heard = await peer.subscribe({ after });
    expect(heard.result).toMatchObject({ gap: true, cursor: store.cursor });
    store.publish(message("msg_1"));
    await heard.until(() => heard.client.events.length === 1);
  });

  test("what cannot be subscribed to is refused", async () => {
    const { peer } = await setup();
    expect(await failureOf(peer, { sessionID: "ses_9" })).toMatchObject({ kind: "not_found", field: "sessionID" });
    expect(await failureOf(peer, { after: "!" })).toMatchObject({ kind: "invalid_params", field: "after" });
  });

  test("a subscription that was ended hears nothing more, and is unknown then", async () => {
    const { store, peer } = await setup();
    const [ended, other] = [await peer.subscribe(), await peer.subscribe()];
    const { subscriptionID } = ended.result;
    expect(await peer.call("events.unsubscribe", { subscriptionID })).toEqual({ result: {} });
    store.publish(sessionCreated());
    await other.until(() => other.client.events.length === 1);
    expect(ended.client.events).toEqual([]);
    expect(await peer.call("events.unsubscribe", { subscriptionID })).toMatchObject({
      error: { kind: "not_found", field: "subscriptionID" },
    });
  });

  test("who reads too slowly is told so, costs no more than the bound, and ends with the same state", async () => {
    const { store, served, peer } = await setup();
    const [slow, fast] = [await peer.subscribe(), await (await served.connect()).subscribe()];
    store.publish(sessionCreated(), message("msg_1"), partUpdated(text(P)));
    await Promise.all([slow, fast].map((heard) => heard.until(() => heard.client.events.length === 3)));
    slow.pause();
    const piece = "x".repeat(50_000);
    const pieces = 240;
    for (let at = 0; at < pieces; at++) {
      store.publish(delta(P, at * piece.length, piece));
      await fast.until(() => fast.client.events.length === 4 + at);
    }
    slow.resume();
    store.publish(partUpdated(text(P, piece.repeat(pieces), true)), status("idle"));
    await slow.until(() => slow.client.cursor === store.cursor);
    expect(slow.overflows).toBeGreaterThan(0);
    expect(fast.overflows).toBe(0);
    expect(slow.client.state).toEqual(store.state);
  });
});
