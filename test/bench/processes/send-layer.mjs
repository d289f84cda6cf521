import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { RpcEventFraming } from "../../../dist/src/server/rpc-event-framing.js";
import { startClients } from "./clients.mjs";

/** Ends a turn for a client that only counts. */
const END = '{"type":"result"}';

/** Sends each body as one message to so many clients in a process of their own; the CPU of this process, in µs. */
export async function measureSends(bodies, count) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  await once(server, "listening");
  const clients = await startClients({ url: `ws://127.0.0.1:${server.address().port}/`, apart: true, count });
  const outlets = [...server.clients].map((socket, index) => ({
    socket,
    framing: new RpcEventFraming(`sub_${index}`),
  }));
  const over = clients.turn();
  const before = process.cpuUsage();
  for (const body of bodies) {
    for (const { socket, framing } of outlets) socket.send(framing.events(body), { binary: false });
    await setImmediate();
  }
  for (const { socket } of outlets) socket.send(END);
  await over;
  const { user, system } = process.cpuUsage(before);
  await clients.close();
  for (const { socket } of outlets) socket.terminate();
  server.close();
  return user + system;
}
