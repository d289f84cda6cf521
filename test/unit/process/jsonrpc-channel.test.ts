import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createJsonrpcChannel } from "../../../src/process/jsonrpc-channel.js";

const line = (message: unknown) => JSON.stringify(message);
const read = (...messages: unknown[]) => {
  const channel = createJsonrpcChannel();
  return messages.flatMap((message) => channel.read(line(message)));
};

describe("what the agent says", () => {
  test("a notification is as it came", () => {
    expect(read({ method: "tick", params: { n: 1 }, emittedAtMs: 5 })).toEqual([
      { kind: "frame", frame: { method: "tick", params: { n: 1 }, emittedAtMs: 5 } },
    ]);
  });

  test("an answer has the id that was sent, and no protocol field", () => {
    expect(read({ jsonrpc: "2.0", id: "aw-1", result: {} })).toEqual([
      { kind: "frame", frame: { id: "aw-1", result: {} } },
    ]);
  });

  test.each([
    [0, "0"],
    ["0", '"0"'],
    [7, "7"],
    ["", '""'],
    [-1.5, "-1.5"],
  ])("a request with the id %j has the token %s", (id, token) => {
    expect(read({ id, method: "ask", params: {} })).toEqual([
      { kind: "frame", frame: { token, method: "ask", params: {} } },
    ]);
  });

  test("a token of its own is no token", () => {
    expect(read({ method: "tick", token: "0" })).toEqual([{ kind: "frame", frame: { method: "tick" } }]);
  });

  test("a batch is its messages", () => {
    const frames = read([{ method: "a" }, { id: 0, method: "b" }]);
    expect(frames).toEqual([
      { kind: "frame", frame: { method: "a" } },
      { kind: "frame", frame: { token: "0", method: "b" } },
    ]);
  });

  test("an answer does not overtake what was said before it", () => {
    const lines = [
      { id: "aw-1", result: {} },
      { method: "tick" },
      { id: 0, method: "ask" },
      { id: "aw-2", result: null },
    ];
    expect(read(...lines).map((reading) => reading.kind === "frame" && reading.frame)).toEqual([
      { id: "aw-1", result: {} },
      { method: "tick" },
      { token: "0", method: "ask" },
      { id: "aw-2", result: null },
    ]);
  });

  test.each([[{}], [{ id: 1 }], [{ result: {} }], [{ id: {}, result: {} }]])(
    "%j is neither a request nor an answer",
    (message) => {
      expect(read(message)).toMatchObject([{ kind: "fault" }]);
    },
  );

  test("lines that are no frames stay what they are", () => {
    const channel = createJsonrpcChannel();
    expect(channel.read("warming up")).toEqual([{ kind: "noise", what: "noise", text: "warming up" }]);
    expect(channel.read('{"id":0,"meth')).toMatchObject([{ kind: "fault" }]);
  });
});

describe("a request that is sent again", () => {
  test("is told once while it waits", () => {
    const channel = createJsonrpcChannel();
    const ask = line({ id: 0, method: "ask" });
    expect(channel.read(ask)).toHaveLength(1);
    expect(channel.read(ask)).toEqual([]);
    expect(channel.read(line({ id: "0", method: "ask" })), "another id").toHaveLength(1);
  });

  test("is a new one after its answer", () => {
    const channel = createJsonrpcChannel();
    channel.read(line({ id: 0, method: "ask" }));
    channel.encode({ token: "0", result: {} });
    expect(channel.read(line({ id: 0, method: "ask" }))).toHaveLength(1);
  });
});

describe("a request that cannot be read is answered with an error", () => {
  test.each([
    ["an id that is null", { id: null, method: "ask" }, null],
    ["an id that is an object", { id: {}, method: "ask" }, null],
    ["a method that is a number", { id: 3, method: 5 }, 3],
    ["a method that is a number, and no id", { method: 5 }, null],
  ])("%s", (_name, message, id) => {
    const [answer, fault] = read(message);
    expect(answer?.kind === "answer" && JSON.parse(answer.line)).toMatchObject({ id, error: { code: -32600 } });
    expect(fault?.kind).toBe("fault");
  });
});

describe("what is sent", () => {
  const encode = (frame: unknown) => JSON.parse(createJsonrpcChannel().encode(frame));

  test("an answer gets the id back, with its type", () => {
    expect(encode({ token: "0", result: { decision: "accept" } })).toEqual({ id: 0, result: { decision: "accept" } });
    expect(encode({ token: '"0"', error: { code: -32601, message: "no" } })).toEqual({
      id: "0",
      error: { code: -32601, message: "no" },
    });
  });

  test("requests and notifications are as they are", () => {
    expect(encode({ id: "aw-1", method: "go", params: {} })).toEqual({ id: "aw-1", method: "go", params: {} });
    expect(encode({ method: "ready" })).toEqual({ method: "ready" });
  });

  test.each([
    ["a token that is no JSON", { token: "x", result: {} }],
    ["a token of no id", { token: "null", result: {} }],
    ["an answer with neither result nor error", { token: "0" }],
    ["an answer with both", { token: "0", result: {}, error: {} }],
    ["what is no object", "text"],
    ["what has neither a method nor a token", { id: "aw-1", result: {} }],
  ])("%s is refused", (_name, frame) => {
    expect(() => createJsonrpcChannel().encode(frame)).toThrow(TypeError);
  });
});

test("whatever id a request has, its answer carries the same", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })), (id) => {
      const channel = createJsonrpcChannel();
      const [reading] = channel.read(line({ id, method: "ask" }));
      const { token } = (reading as { frame: { token: string } }).frame;
      expect(JSON.parse(channel.encode({ token, result: 1 })).id).toEqual(JSON.parse(JSON.stringify(id)));
    }),
  );
});
