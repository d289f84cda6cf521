import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MessageStream } from "../../../src/host/message-stream.js";

interface Message {
  readonly name: string;
}

let server: Server;
let near: Socket;
let far: Socket;

beforeEach(async () => {
  server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  near = connect(typeof address === "object" && address ? address.port : 0, "127.0.0.1");
  [far] = (await once(server, "connection")) as [Socket];
});

afterEach(() => {
  near.destroy();
  far.destroy();
  server.close();
});

test("messages come as they were sent, with the lines behind them, whatever these hold", async () => {
  const received: unknown[] = [];
  let wake = () => {};
  new MessageStream<Message, Message>(far, (message, lines) => {
    received.push([message, ...lines]);
    if (message.name === "last") wake();
  });
  const stream = new MessageStream<Message, Message>(near, () => {});
  const last = new Promise<void>((resolve) => {
    wake = resolve;
  });
  stream.send({ name: "a" });
  stream.send({ name: "b" }, ['{"type":"x"}', "", "ü 😀 \u2028", "x".repeat(300_000)]);
  stream.send({ name: "last" });
  await last;
  expect(received).toEqual([
    [{ name: "a" }],
    [{ name: "b", lines: 4 }, '{"type":"x"}', "", "ü 😀 \u2028", "x".repeat(300_000)],
    [{ name: "last" }],
  ]);
});

test("what is sent to one that is gone is dropped", async () => {
  const stream = new MessageStream<Message, Message>(near, () => {});
  const closed = once(near, "close");
  far.destroy();
  await closed;
  stream.send({ name: "late" });
});
