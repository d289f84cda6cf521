import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { ERROR_TABLE } from "../../../schemas/index.js";
import { delta, message, partUpdated, sessionCreated, text } from "./events.js";
import { StreamPeer } from "./stream-peer.js";

const peers: StreamPeer[] = [];
afterEach(async () => {
  for (const one of peers.splice(0)) {
    one.abort.abort();
    await one.done;
  }
});

function peer(...args: ConstructorParameters<typeof StreamPeer>): StreamPeer {
  const one = new StreamPeer(...args);
  peers.push(one);
  return one;
}

describe("ids", () => {
  test('0, "0" and "" in one write are three requests', async () => {
    const one = peer((_method, { ref }: { ref: string }) => ({ ref })).read();
    const ids = [0, "0", "", 1, -1, 1.5, "a"];
    one.send(...ids.map((id, index) => ({ jsonrpc: "2.0", id, method: "blob.get", params: { ref: `r${index}` } })));
    const answers = await one.take(ids.length);
    expect(answers.map(({ id, result }) => [id, result])).toEqual(ids.map((id, index) => [id, { ref: `r${index}` }]));
  });

  test("an id that is used twice is answered twice", async () => {
    const one = peer().read();
    one.send({ jsonrpc: "2.0", id: 7, method: "agent.list" }, { jsonrpc: "2.0", id: 7, method: "agent.list" });
    expect((await one.take(2)).map(({ id }) => id)).toEqual([7, 7]);
  });
});

const INVALID = ERROR_TABLE.invalid_request.rpcCode;

describe("malformed messages are answered, and the next one still is", () => {
  test.each([
    ["not JSON", "{oops", null, ERROR_TABLE.parse_error.rpcCode, /^The message is not JSON: /],
    ["half a message", '{"jsonrpc":"2.0","id":1', null, ERROR_TABLE.parse_error.rpcCode, /not JSON/],
    ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"agent.list"}]', null, INVALID, /^Batches are not supported$/],
    ["a string", '"hello"', null, INVALID, /must be an object, got a string/],
    ["null", "null", null, INVALID, /must be an object, got null/],
    ["no version", '{"id":1,"method":"agent.list"}', 1, INVALID, /"jsonrpc": "2.0"/],
    ["another version", '{"jsonrpc":"1.0","id":"x","method":"agent.list"}', "x", INVALID, /"jsonrpc": "2.0"/],
    ["no method", '{"jsonrpc":"2.0","id":0}', 0, INVALID, /method must be a string, got nothing/],
    [
      "a method that is no string",
      '{"jsonrpc":"2.0","id":0,"method":{}}',
      0,
      INVALID,
      /method must be a string, got an object/,
    ],
    [
      "the id null",
      '{"jsonrpc":"2.0","id":null,"method":"agent.list"}',
      null,
      INVALID,
      /id must be a string or a number, got null/,
    ],
    ["an id of another kind", '{"jsonrpc":"2.0","id":false,"method":"agent.list"}', null, INVALID, /got a boolean/],
    [
      "params that are no object",
      '{"jsonrpc":"2.0","id":5,"method":"agent.list","params":"x"}',
      5,
      INVALID,
      /params must be an object, got a string/,
    ],
    [
      "params null",
      '{"jsonrpc":"2.0","id":5,"method":"agent.list","params":null}',
      5,
      INVALID,
      /params must be an object, got null/,
    ],
    [
      "params by position",
      '{"jsonrpc":"2.0","id":5,"method":"agent.list","params":[1]}',
      5,
      ERROR_TABLE.invalid_params.rpcCode,
      /by name/,
    ],
  ])("%s", async (_name, line, id, code, reason) => {
    const one = peer().read();
    one.write(`${line}\n`);
    const answer = await one.next();
    expect(answer).toMatchObject({ jsonrpc: "2.0", id, error: { code, data: { kind: expect.any(String) } } });
    expect(answer.error?.message).toMatch(reason);
    one.request("after", "agent.list");
    expect(await one.next()).toMatchObject({ id: "after", result: {} });
  });

  test("notifications and stray answers are silent", async () => {
    const one = peer().read();
    one.send(
      { jsonrpc: "2.0", method: "$/cancelRequest" },
      { jsonrpc: "2.0", method: "agent.list" },
      { jsonrpc: "2.0", method: "$/progress", params: [1] },
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 1, error: { code: 1, message: "" } },
    );
    one.request(2, "agent.list");
    expect(await one.next()).toMatchObject({ id: 2 });
  });
});

test("a result that is not JSON becomes an error", async () => {
  const one = peer(() => ({ big: 1n })).read();
  one.request(1, "agent.list");
  expect(await one.next()).toMatchObject({ id: 1, error: { code: ERROR_TABLE.internal.rpcCode } });
});

test("answers come when they are ready, not in the order of the requests", async () => {
  let finish: (value: object) => void = () => {};
  const slow = new Promise((resolve) => {
    finish = resolve;
  });
  const one = peer((method) => (method === "session.abort" ? slow : {})).read();
  one.request(1, "session.abort", { sessionID: "ses_1" });
  one.request(2, "agent.list");
  expect(await one.next()).toMatchObject({ id: 2 });
  finish({ aborted: true });
  expect(await one.next()).toMatchObject({ id: 1, result: { aborted: true } });
});

test("at most so many requests are handled at once; the others wait in the input", async () => {
  let running = 0;
  let most = 0;
  const handle = async () => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    running--;
    return {};
  };
  const one = peer(handle, { inFlight: 3 }).read();
  const ids = Array.from({ length: 50 }, (_, id) => id);
  one.send(...ids.map((id) => ({ jsonrpc: "2.0", id, method: "agent.list" })));
  expect((await one.take(50)).map(({ id }) => id)).toEqual(ids);
  expect(most).toBe(3);
});

test("a client that reads no answers is not read any further", async () => {
  let handled = 0;
  const answer = { data: "x".repeat(1_000), encoding: "utf8" };
  const handle = () => {
    handled++;
    return answer;
  };
  const one = peer(handle, { pendingBytes: 10_000, lowWaterBytes: 1_000 }, 1);
  for (let id = 0; id < 1_000; id++) one.request(id, "blob.get", { ref: "r" });
  while (one.output.writableLength < 10_000) await new Promise((resolve) => setImmediate(resolve));
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(handled).toBeLessThan(100);
  one.read();
  expect(await one.take(1_000)).toHaveLength(1_000);
});

describe("subscriptions", () => {
  test("the answer comes before the first event", async () => {
    const one = peer().read();
    one.store.publish(sessionCreated(), message("msg_1"));
    one.request(1, "events.subscribe", { after: "0" });
    const [answer, events] = await one.take(2);
    expect(answer).toMatchObject({ id: 1, result: { subscriptionID: "sub_1", cursor: "0", gap: false } });
    expect(events).toMatchObject({ method: "events", params: { subscriptionID: "sub_1" } });
    expect(events?.params?.events).toHaveLength(2);
  });

  test("one group is one message, with the cursor of each durable event", async () => {
    const one = peer().read();
    one.request(1, "events.subscribe", {});
    await one.next();
    one.store.publish(
      sessionCreated(),
      message("msg_1"),
      partUpdated(text({ id: "prt_1" })),
      delta({ id: "prt_1" }, 0, "a"),
    );
    const { params } = await one.next();
    expect(params?.events).toHaveLength(4);
    expect(params?.events.map((event) => Object.keys(event as object).includes("cursor"))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test("end when they are told to, and only the connection's own", async () => {
    const one = peer().read();
    one.request(1, "events.subscribe");
    one.request(2, "events.unsubscribe", { subscriptionID: "sub_1" });
    one.request(3, "events.unsubscribe", { subscriptionID: "sub_1" });
    const [, ended, unknown] = await one.take(3);
    expect(ended).toMatchObject({ id: 2, result: {} });
    expect(unknown).toMatchObject({ id: 3, error: { data: { kind: "not_found", field: "subscriptionID" } } });
    one.store.publish(sessionCreated());
    one.request(4, "agent.list");
    expect(await one.next()).toMatchObject({ id: 4 });
  });

  test("of an unknown session are refused; an unknown cursor is a gap", async () => {
    const one = peer().read();
    one.request(1, "events.subscribe", { sessionID: "ses_none" });
    expect(await one.next()).toMatchObject({ error: { data: { kind: "not_found", field: "sessionID" } } });
    one.request(2, "events.subscribe", { after: "zzz" });
    expect(await one.next()).toMatchObject({ result: { gap: true, cursor: one.store.cursor } });
  });
});

test("a client that is behind with events can still be heard", async () => {
  const asked: string[] = [];
  const heard = new Promise<void>((resolve) => {
    const handle = (method: string) => {
      asked.push(method);
      resolve();
      return { aborted: true };
    };
    const one = peer(handle, { pendingBytes: 10_000, lowWaterBytes: 1_000 }, 1);
    one.request(1, "events.subscribe", { after: "0" });
    one.store.publish(sessionCreated(), ...Array.from({ length: 1_000 }, (_, id) => message(`msg_${id}`)));
    one.request(2, "session.abort", { sessionID: "ses_1" });
  });
  await heard;
  expect(asked).toEqual(["session.abort"]);
  expect(peers[0]?.output.writableLength).toBeGreaterThan(10_000);
});

describe("the end", () => {
  test("what was asked before the input ended is still answered, also without a last line feed", async () => {
    const one = peer(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return {};
    }).read();
    one.request(1, "agent.list");
    one.write('{"jsonrpc":"2.0","id":2,"method":"agent.list"}');
    expect((await one.finish()).map(({ id }) => id)).toEqual([1, 2]);
  });

  test("comes in bounded time when an answer does not", async () => {
    const one = peer(() => new Promise(() => {}), { drainMs: 1 }).read();
    one.request(1, "session.abort", { sessionID: "ses_1" });
    expect(await one.finish()).toEqual([]);
  });

  test("comes when the output is closed", async () => {
    const one = peer();
    one.output.destroy(new Error("EPIPE"));
    await one.done;
  });

  test("comes when this side says so, with requests open and a subscription", async () => {
    const one = peer(() => new Promise(() => {})).read();
    one.request(1, "events.subscribe");
    one.request(2, "session.abort", { sessionID: "ses_1" });
    await one.next();
    one.abort.abort();
    await one.done;
    one.store.publish(sessionCreated());
    expect(one.output.readableLength).toBe(0);
  });
});

describe("lines", () => {
  test("may be cut anywhere, hold U+2028, and end in CR LF", async () => {
    const one = peer((_method, { ref }: { ref: string }) => ({ ref })).read();
    const ref = "é 日本 👩‍👩‍👧 a\u2028b\u2029c";
    const bytes = Buffer.from(
      `\r\n\n${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "blob.get", params: { ref } })}\r\n`,
    );
    for (const byte of bytes) one.write(Buffer.from([byte]));
    expect(await one.next()).toMatchObject({ result: { ref } });
  });

  test("over the limit are refused, and the next one is read", async () => {
    const one = peer(undefined, { messageBytes: 1_000 }).read();
    one.write("x".repeat(600));
    one.write(`${"x".repeat(600)}\n`);
    expect(await one.next()).toMatchObject({
      id: null,
      error: {
        code: ERROR_TABLE.too_large.rpcCode,
        message: "A message of at least 1200 bytes is over the limit of 1000 bytes",
      },
    });
    one.request(1, "agent.list");
    expect(await one.next()).toMatchObject({ id: 1 });
  });

  test("of the server hold one JSON value each", async () => {
    const one = peer(() => ({ text: "a\nb\u2028" }));
    one.request(1, "agent.list");
    const [chunk] = (await once(one.output, "data")) as [Buffer];
    expect(chunk.toString().split("\n")).toHaveLength(2);
  });
});
