import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import { delta, message, partUpdated, sessionCreated, status, text } from "../../unit/server/events.js";
import { handlerOf } from "../../unit/server/stream-peer.js";
import { Serving } from "./serving.js";
import { TOKEN } from "./wire-peer.js";

const servings: Serving[] = [];
afterEach(async () => {
  for (const one of servings.splice(0)) await one.stop();
});

async function serve(...args: Parameters<typeof Serving.start>): Promise<Serving> {
  const serving = await Serving.start(...args);
  servings.push(serving);
  return serving;
}

interface Refusal {
  readonly status: number | undefined;
  readonly body: Record<string, string>;
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of response) body += String(chunk);
  return body;
}

/** What a client that may not connect is told. */
async function refusal(url: string, options: ClientOptions, protocols: string[] = []): Promise<Refusal> {
  const socket = new WebSocket(url, protocols, options);
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
  const body = await bodyOf(response);
  // Never opened, so it says so when it is given up.
  socket.on("error", () => {});
  socket.terminate();
  return { status: response.statusCode, body: JSON.parse(body) as Refusal["body"] };
}

const authorization = `Bearer ${TOKEN}`;

describe("who may connect", () => {
  test.each<[string, ClientOptions, number, RegExp]>([
    ["no token", {}, 401, /missing/],
    ["a wrong token", { headers: { authorization: "Bearer wrong" } }, 401, /wrong/],
    ["a foreign origin", { headers: { authorization }, origin: "https://evil.example" }, 403, /origin/],
    [
      "a loopback origin that was not allowed",
      { headers: { authorization }, origin: "http://localhost:5173" },
      403,
      /origin/,
    ],
    ["a foreign name", { headers: { authorization, host: "evil.example" } }, 403, /Host/],
  ])("not with %s", async (_name, options, statusCode, reason) => {
    const { server } = await serve();
    const { status: got, body } = await refusal(server.websocketURL, options);
    expect(got).toBe(statusCode);
    expect(body.detail).toMatch(reason);
    expect(body.hint).toBeTruthy();
    expect(server.clients).toHaveLength(0);
  });

  test("not with the token in the URL, which would end up in logs", async () => {
    const { server } = await serve();
    expect((await refusal(`${server.websocketURL}?token=${TOKEN}`, {})).status).toBe(401);
  });

  test("not at another path", async () => {
    const { server } = await serve();
    const { status: got, body } = await refusal(`${server.websocketURL}ws`, { headers: { authorization } });
    expect(got).toBe(404);
    expect(body.hint).toMatch(/It is at \//);
  });

  test("as a browser does: origin and subprotocols", async () => {
    const { server } = await serve({ allowedOrigins: ["https://ui.example"] });
    const socket = new WebSocket(server.websocketURL, ["agentwire", `agentwire.token.${TOKEN}`], {
      origin: "https://ui.example",
    });
    await once(socket, "open");
    expect(socket.protocol).toBe("agentwire");
    socket.close();
    await once(socket, "close");
  });

  test("anybody, when there is no token to ask for", async () => {
    const serving = await serve({ token: null });
    const peer = await serving.connect({ headers: {} });
    expect(await peer.request(1, "agent.list")).toMatchObject({ id: 1, result: {} });
  });
});

describe("where it listens", () => {
  test.each(["0.0.0.0", "::", "192.168.1.5", "agent.example"])("not on %s unless that is allowed", async (host) => {
    await expect(serve({ host })).rejects.toMatchObject({ kind: "forbidden", message: expect.stringContaining(host) });
  });

  test("never beyond loopback without a token", async () => {
    await expect(serve({ host: "0.0.0.0", allowRemote: true, token: null })).rejects.toThrow(/A token is required/);
  });

  test("on an address that tells the port it got", async () => {
    const { server } = await serve();
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
    expect(server.websocketURL).toBe(`${server.url.replace("http", "ws")}/`);
  });

  test("a port in use is named", async () => {
    const { port } = await serve();
    await expect(serve({ port })).rejects.toMatchObject({
      kind: "conflict",
      message: `Port ${port} on 127.0.0.1 is in use`,
    });
  });
});

describe("a connection", () => {
  test("handles requests, malformed ones too", async () => {
    const serving = await serve({}, { handler: handlerOf((method) => ({ method })) });
    const peer = await serving.connect();
    expect(await peer.request(0, "agent.list")).toMatchObject({ id: 0, result: { method: "agent.list" } });
    expect(await peer.request("0", "nothing.here")).toMatchObject({
      id: "0",
      error: { data: { kind: "method_not_found" } },
    });
    peer.socket.send("{oops");
    await peer.answer();
    await peer.answer();
    expect(await peer.answer()).toMatchObject({ id: null, error: { code: -32700 } });
    peer.socket.send(Buffer.from("{}"));
    expect(await peer.answer()).toMatchObject({
      id: null,
      error: { message: "A message must be text, got a binary frame" },
    });
    expect(await peer.request(1, "initialize")).toMatchObject({
      result: { server: { name: "agentwire", version: "1.2.3" } },
    });
  });

  test("is ended by a message over the limit, and no other is", async () => {
    const serving = await serve({}, { limits: { messageBytes: 1_000 } });
    const [large, small] = [await serving.connect(), await serving.connect()];
    large.socket.send("x".repeat(1_001));
    expect((await once(large.socket, "close"))[0]).toBe(1009);
    expect(await small.request(1, "agent.list")).toMatchObject({ id: 1 });
  });

  test("sees the same events in the same order as any other", async () => {
    const serving = await serve();
    const peers = [await serving.connect(), await serving.connect()] as const;
    for (const peer of peers) await peer.request(1, "events.subscribe");
    serving.store.publish(sessionCreated(), message("msg_1"), partUpdated(text({ id: "prt_1" })));
    for (let at = 0; at < 100; at++) serving.store.publish(delta({ id: "prt_1" }, at, "x"));
    serving.store.publish(partUpdated(text({ id: "prt_1" }, "x".repeat(100), true)), status("idle"));
    for (const peer of peers) await peer.until(() => peer.frames.length === 102);
    expect(peers[0].frames).toEqual(peers[1].frames);
    expect(peers[0].client.state).toEqual(serving.store.state);
  });

  test("that comes back gets what it missed", async () => {
    const serving = await serve();
    const first = await serving.connect();
    await first.request(1, "events.subscribe");
    serving.store.publish(
      sessionCreated(),
      message("msg_1"),
      partUpdated(text({ id: "prt_1" })),
      delta({ id: "prt_1" }, 0, "abc"),
    );
    await first.until(() => first.frames.length === 1);
    await first.close();
    serving.store.publish(delta({ id: "prt_1" }, 3, "def"));
    const second = await serving.connect();
    second.client.state = first.client.state;
    await second.request(1, "events.subscribe", { after: first.client.cursor });
    serving.store.publish(delta({ id: "prt_1" }, 6, "ghi"), status("busy"));
    await second.until(() => second.client.cursor === serving.store.cursor);
    expect(second.client.state).toEqual(serving.store.state);
  });
});

describe("the heartbeat", () => {
  test("ends a peer that gives no sign, and keeps one that does", async () => {
    let tick: () => void = () => {};
    let stopped = false;
    const serving = await serve({
      heartbeat: (beat) => {
        tick = beat;
        return () => {
          stopped = true;
        };
      },
    });
    const alive = await serving.connect();
    const dead = await serving.connect({ autoPong: false });
    const pinged = [once(alive.socket, "ping"), once(dead.socket, "ping")];
    tick();
    await Promise.all(pinged);
    // The answer to a request comes after the pong was read.
    await alive.request(1, "agent.list");
    const closed = once(dead.socket, "close");
    tick();
    expect((await closed)[0]).toBe(1006);
    expect(await alive.request(2, "agent.list")).toMatchObject({ id: 2 });
    await serving.server.close();
    expect(stopped).toBe(true);
  });
});

describe("close", () => {
  test("says goodbye", async () => {
    const serving = await serve();
    const peer = await serving.connect();
    const closed = once(peer.socket, "close");
    await serving.server.close();
    const [code, reason] = (await closed) as [number, Buffer];
    expect([code, reason.toString()]).toEqual([1001, "the gateway is shutting down"]);
    expect(serving.server.clients).toHaveLength(0);
  });

  test("does not wait for peers that do not answer, nor for idle or half-open ones", async () => {
    const serving = await serve({ closeMs: 1 });
    const stuck = await serving.connect();
    stuck.socket.pause();
    const idle = connect(serving.port, "127.0.0.1");
    const refused = connect(serving.port, "127.0.0.1");
    await Promise.all([once(idle, "connect"), once(refused, "connect")]);
    for (const socket of [idle, refused]) socket.on("error", () => {});
    refused.write("GET / HTTP/1.1\r\nHost: evil\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    refused.pause();
    await serving.server.close();
    idle.destroy();
    refused.destroy();
    stuck.socket.terminate();
  });

  test("frees the port", async () => {
    const serving = await serve();
    await serving.server.close();
    const other = createServer().listen(serving.port, "127.0.0.1");
    await once(other, "listening");
    other.close();
    await once(other, "close");
  });
});
