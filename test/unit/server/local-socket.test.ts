import { pino } from "pino";
import { expect, test } from "vitest";
import { connect } from "../../../src/client/index.js";
import { GatewayError } from "../../../src/gateway-error.js";
import { LocalSocket } from "../../../src/server/local-socket.js";
import { createServerCore } from "../../../src/server/server-core.js";
import { sessionCreated, status } from "./events.js";
import { FakeStore } from "./fake-store.js";
import { handlerOf } from "./stream-peer.js";

async function open(handle: Parameters<typeof handlerOf>[0] = () => ({})) {
  const store = new FakeStore();
  const core = createServerCore({
    handler: handlerOf(handle),
    store,
    version: "1.2.3",
    log: pino({ level: "silent" }),
  });
  class Socket extends LocalSocket {
    constructor() {
      super(core);
    }
  }
  const client = await connect({ url: "ws://in-process", WebSocket: Socket });
  return { store, client };
}

test("a client in the same process asks, is answered and hears events, in order", async () => {
  const { store, client } = await open((method) => {
    if (method === "todo.get") return { todos: [] };
    throw new GatewayError("conflict", "too late", { field: "blockID" });
  });
  expect(client.gateway.server).toEqual({ name: "agentwire", version: "1.2.3" });
  expect(await client.call("todo.get", { sessionID: "ses_1" })).toEqual({ todos: [] });
  await expect(client.call("block.reply", { blockID: "per_1", decision: "once" })).rejects.toMatchObject({
    kind: "conflict",
    field: "blockID",
  });
  const events = client.events();
  await events.opened;
  store.publish(sessionCreated());
  store.publish(status("busy"));
  store.publish(status("idle"));
  const heard = [await events.next(), await events.next(), await events.next()];
  expect(heard.map(({ value }) => value?.type)).toEqual(["session.created", "session.status", "session.status"]);
  client.close();
});

test("when the client leaves, the gateway lets go of it, and later requests say so", async () => {
  const { store, client } = await open();
  await client.events().opened;
  client.close();
  store.publish(sessionCreated());
  await expect(client.call("todo.get", { sessionID: "ses_1" })).rejects.toMatchObject({ kind: "closed" });
});
