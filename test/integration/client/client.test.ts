import { isDeepStrictEqual } from "node:util";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Params, Result, ToolPart } from "../../../schemas/index.js";
import {
  AgentwireError,
  type Client,
  type ClientEvent,
  type ConnectOptions,
  connect,
  EMPTY_STATE,
  reduce,
  type Subscription,
  type WireState,
} from "../../../src/client/index.js";
import { GatewayError } from "../../../src/gateway-error.js";
import { GatewayServer } from "../../../src/server/gateway-server.js";
import { createServerCore } from "../../../src/server/server-core.js";
import { delta, message, partUpdated, session, sessionCreated, status, text } from "../../unit/server/events.js";
import { FakeStore } from "../../unit/server/fake-store.js";
import { readOf } from "../../unit/server/read-of.js";
import { handlerOf } from "../../unit/server/stream-peer.js";
import { UnsteadyLink } from "../server/contract/unsteady-link.js";
import { TOKEN } from "../server/wire-peer.js";

type Handle = Parameters<typeof handlerOf>[0];

const P = { id: "prt_1" };
const clients: Client[] = [];
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  for (const end of ends.splice(0).reverse()) await end();
});

/** A gateway whose reads come from a store, behind a link that can be cut. */
async function serve(handle: Handle = () => ({})) {
  const store = new FakeStore();
  const handler = handlerOf((method, params) => readOf(store, method, params) ?? handle(method, params));
  const log = pino({ level: "silent" });
  const core = createServerCore({ handler, store, version: "1.2.3", log });
  const server = await GatewayServer.listen(core, { port: 0, token: TOKEN, closeMs: 100, allowedHosts: ["127.0.0.1"] });
  ends.push(() => server.close());
  const link = await UnsteadyLink.open(Number(new URL(server.url).port));
  ends.push(() => link.close());
  return { store, link, server, url: `http://127.0.0.1:${link.port}` };
}

async function open(options: ConnectOptions): Promise<Client> {
  const client = await connect({ token: TOKEN, WebSocket, reconnect: { minMs: 1, maxMs: 20 }, ...options });
  clients.push(client);
  return client;
}

/** The next event; the end is none. */
async function nextOf(events: Subscription): Promise<ClientEvent> {
  const { value } = await events.next();
  if (!value) throw new Error("the events ended");
  return value;
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe.each(["websocket", "http"] as const)("over %s", (transport) => {
  test("connects and says what the gateway is", async () => {
    const { url } = await serve();
    const client = await open({ url, transport, client: { name: "test" } });
    expect(client.gateway).toMatchObject({ protocolVersion: "1.0", server: { name: "agentwire", version: "1.2.3" } });
  });

  test.each([
    ["a wrong token", { token: "wrong" }, "unauthorized"],
    ["no token", { token: undefined }, "unauthorized"],
  ])("%s is told as such", async (_what, wrong, kind) => {
    const { url } = await serve();
    const error = await failure(connect({ url, transport, WebSocket, ...(wrong as object) }));
    expect(error).toBeInstanceOf(AgentwireError);
    expect(error).toMatchObject({ kind, hint: expect.stringContaining("Bearer") });
  });

  test("nobody there is a failed connection", async () => {
    const { url, link } = await serve();
    await link.close();
    ends.pop();
    expect(await failure(connect({ url, transport, WebSocket }))).toMatchObject({
      kind: "connection",
      isTemporary: true,
    });
  });

  test("errors keep kind, field and hint", async () => {
    const { url } = await serve(() => {
      throw new GatewayError("conflict", "decided already", { field: "blockID", hint: "too late" });
    });
    const client = await open({ url, transport });
    const error = await failure(client.session("ses_1").reply("per_1", "once"));
    expect(error).toMatchObject({ kind: "conflict", message: "decided already", field: "blockID", hint: "too late" });
    expect(await failure(client.call("session.get", { sessionID: "x" }))).toMatchObject({ kind: "invalid_params" });
  });

  test("a session takes a text, parts and options", async () => {
    const asked: unknown[] = [];
    const { url } = await serve((method, params) => {
      asked.push([method, params]);
      return method === "session.create" ? { session: session("ses_7") } : { messageID: "msg_1", queued: false };
    });
    const client = await open({ url, transport });
    const made = await client.createSession({ agent: "claude", directory: "/" });
    expect(made.id).toBe("ses_7");
    await made.prompt("hi");
    await made.prompt([{ type: "text", text: "there" }], { delivery: "steer" });
    await made.reply("que_1", { answers: [["yes"]] });
    expect(asked.slice(1)).toEqual([
      ["session.prompt", { sessionID: "ses_7", parts: [{ type: "text", text: "hi" }] }],
      ["session.prompt", { sessionID: "ses_7", parts: [{ type: "text", text: "there" }], delivery: "steer" }],
      ["block.reply", { blockID: "que_1", answers: [["yes"]] }],
    ]);
  });

  test("what comes of a request is heard by who subscribed before it", async () => {
    const { store, url } = await serve((method) => {
      if (method === "session.prompt") store.publish(status("busy"), status("idle"));
      return { messageID: "msg_1", queued: false };
    });
    store.publish(sessionCreated());
    const one = (await open({ url, transport })).session("ses_1");
    const events = one.events();
    await one.prompt("hi");
    const types: string[] = [];
    for await (const event of events) {
      if (event.type === "session.status") types.push(event.properties.status.type);
      if (types.at(-1) === "idle") break;
    }
    expect(types).toEqual(["busy", "idle"]);
  });

  test("a snapshot and what follows it are the whole state, and so it stays across breaks and gaps", async () => {
    const { store, link, url } = await serve();
    store.publish(sessionCreated(), message("msg_1"), partUpdated(text(P, "abc")), sessionCreated("ses_2", "ses_1"));
    const client = await open({ url, transport });
    const events = client.events({ snapshot: true });
    let state: WireState = EMPTY_STATE;
    let snapshots = 0;
    const until = async (condition: () => boolean): Promise<void> => {
      while (!condition()) {
        const event = await nextOf(events);
        if (event.type === "snapshot") snapshots++;
        state = reduce(state, event);
      }
    };
    await until(() => snapshots === 1);
    expect(state).toEqual(store.state);
    for (let round = 1; round <= 5; round++) {
      link.cutAfter(0);
      store.publish(delta(P, 3 * round, "def"), message(`msg_r${round}`));
      await until(() => isDeepStrictEqual(state, store.state));
    }
    expect(snapshots).toBe(1);
    link.cutAfter(0);
    store.publish({ type: "message.removed", properties: { sessionID: "ses_1", messageID: "msg_r1" } });
    store.forgetRemovals();
    await until(() => snapshots === 2);
    expect(state).toEqual(store.state);
  });

  test("without a snapshot, a gap is told", async () => {
    const { store, url } = await serve();
    const after = store.cursor;
    store.publish(sessionCreated());
    store.forgetRemovals();
    const client = await open({ url, transport });
    for await (const event of client.events({ after })) {
      expect(event).toEqual({ type: "gap", properties: {} });
      break;
    }
  });

  test("events that nobody takes cost no memory without bound, and what they came to is still told", async () => {
    const { store, link, url } = await serve();
    store.publish(sessionCreated(), message("msg_1"), partUpdated(text(P)));
    const client = await open({ url, transport });
    const [lazy, busy] = [client.events({ snapshot: true }), client.events()];
    let state = reduce(EMPTY_STATE, await nextOf(lazy));
    const most = 12_000;
    const atOnce = 500;
    for (let at = 0; at < most; at++) {
      store.publish(delta(P, at, "x"));
      // The gateway itself must not find that this client is too slow.
      for (let left = atOnce; left > 0 && at % atOnce === atOnce - 1; left--) await nextOf(busy);
    }
    // Nor does it matter that the connection breaks before it is wanted again.
    link.cutAfter(0);
    store.publish(status("busy"));
    let taken = 0;
    while (!isDeepStrictEqual(state, store.state)) {
      taken++;
      state = reduce(state, await nextOf(lazy));
    }
    expect(taken).toBeLessThan(most);
  });

  test("whoever wants to know hears that the connection is lost, and that it is there again", async () => {
    const { link, url } = await serve();
    const client = await open({ url, transport });
    const told: (string | undefined)[] = [];
    let hear: () => void = () => {};
    const events = client.events({
      onConnection: (lost) => {
        told.push(lost?.kind);
        hear();
      },
    });
    await events.opened;
    for (let times = 1; times <= 2; times++) {
      const back = new Promise<void>((resolve) => {
        hear = () => told.length === 2 * times && resolve();
      });
      link.cutAfter(0);
      await back;
    }
    expect(told).toEqual(["connection", undefined, "connection", undefined]);
  });

  test("each block is told once: those that wait already, and those that come, across breaks", async () => {
    const blocked = (id: string): ToolPart => ({
      ...{ id: `prt_${id}`, messageID: "msg_1", sessionID: "ses_1", type: "tool", callID: id, tool: "bash" },
      state: {
        status: "blocked",
        input: {},
        time: { start: 1 },
        block: {
          type: "permission",
          id: `per_${id}`,
          permission: "bash",
          patterns: [],
          always: [],
          time: { asked: 1 },
        },
      } as unknown as ToolPart["state"],
    });
    const { store, link, url } = await serve((method) => {
      const { sessionID, messageID, id: partID, callID, tool, state } = blocked("a");
      const block = (state as unknown as { block: object }).block;
      return method === "block.list" ? { blocks: [{ sessionID, messageID, partID, callID, tool, block }] } : {};
    });
    store.publish(sessionCreated(), message("msg_1"), partUpdated(blocked("a")));
    const client = await open({ url, transport });
    const told: string[] = [];
    let wake = (): void => {};
    const stop = client.session("ses_1").onBlocked(({ block }) => {
      told.push(block.id);
      wake();
    });
    const until = async (count: number): Promise<void> => {
      while (told.length < count) await new Promise<void>((resolve) => (wake = resolve));
    };
    await until(1);
    store.publish(partUpdated(blocked("b")));
    await until(2);
    link.cutAfter(0);
    store.publish(partUpdated(blocked("c")));
    await until(3);
    expect(told).toEqual(["per_a", "per_b", "per_c"]);
    stop();
  });

  test("a request that only reads is made again when the connection breaks, another one fails", async () => {
    const { link, url } = await serve((method) => {
      link.cutAfter(0);
      return method === "block.list" ? { blocks: [] } : {};
    });
    const client = await open({ url, transport });
    expect(await failure(client.call("session.abort", { sessionID: "ses_1" }))).toMatchObject({ kind: "connection" });
    const asking = client.call("agent.list", {});
    expect(await failure(asking)).toMatchObject({ kind: "connection" });
    link.cutAfter(Number.POSITIVE_INFINITY);
    expect(await client.call("todo.get", { sessionID: "ses_1" })).toEqual({ todos: [] });
  });

  test("close ends loops, fails requests, and may be called twice", async () => {
    const { server, url } = await serve();
    const client = await open({ url, transport });
    const events = client.events();
    const looping = (async () => {
      for await (const _ of events) expect.fail("nothing was published");
    })();
    await events.opened;
    client.close();
    client.close();
    await looping;
    expect(await failure(client.call("session.list", {}))).toMatchObject({ kind: "closed" });
    expect(() => client.events()).toThrow(/closed/);
    await server.close();
  });

  test("a subscription that cannot be fails its loop", async () => {
    const { url } = await serve();
    const client = await open({ url, transport });
    expect(await failure(client.events({ sessionID: "ses_9" }).next())).toMatchObject({ kind: "not_found" });
  });
});

test("without a WebSocket it goes over HTTP, unless a WebSocket is asked for", async () => {
  const { url } = await serve();
  const client = await connect({ url, token: TOKEN });
  clients.push(client);
  const listed: Result<"session.list"> = await client.call("session.list", {} satisfies Params<"session.list">);
  expect(listed).toEqual({ sessions: [] });
  if ((globalThis as { WebSocket?: unknown }).WebSocket) return;
  expect(await failure(connect({ url, token: TOKEN, transport: "websocket" }))).toMatchObject({
    kind: "not_supported",
    hint: expect.stringContaining('"ws"'),
  });
});

test("what is no URL of a gateway is refused", async () => {
  for (const url of ["", "127.0.0.1:4750", "file:///x", "unix:/x"])
    expect(await failure(connect({ url }))).toMatchObject({ kind: "invalid_params", field: "url" });
});
