import { describe, expect, test } from "vitest";
import { frameKind, parseFrame } from "../../../../adapters/claude/frame.js";
import { native } from "./native.js";

const KNOWN: readonly Record<string, unknown>[] = [
  native.init(),
  native.start("msg_1"),
  native.open(0, { type: "text", text: "" }),
  native.text(0, "a"),
  native.json(0, "{"),
  native.stop(0),
  native.end("end_turn"),
  native.messageStop(0),
  native.event({ type: "ping" }),
  native.whole("msg_1", { type: "text", text: "a" }),
  native.ask("r", "t", "Bash", {}),
  native.withdraw("r"),
  native.toolResult("t", "out"),
  native.result(),
  { type: "control_response", response: { subtype: "success", request_id: "aw_1" } },
  { type: "command_lifecycle", command_uuid: "u", state: "queued" },
  { type: "keep_alive" },
];

describe("tolerance", () => {
  test.each(KNOWN)("$type is read with fields nobody knows, which are kept", (line) => {
    expect(parseFrame({ ...line, brand_new: { nested: 1 } })).toEqual({ ...line, brand_new: { nested: 1 } });
  });

  test.each([
    ["no object", "text"],
    ["null", null],
    ["an array", [native.init()]],
    ["no type", {}],
    ["a type that is no text", { type: 7 }],
    ["an unknown type", { type: "brand_new" }],
    ["a name every object has", { type: "constructor" }],
    ["an unknown subtype of system", { type: "system", subtype: "brand_new" }],
    ["an unknown stream event", native.event({ type: "brand_new" })],
    [
      "a delta without its index",
      native.event({ type: "content_block_delta", delta: { type: "text_delta", text: "a" } }),
    ],
    ["a delta that is no object", native.event({ type: "content_block_delta", index: 0, delta: null })],
    [
      "a text delta whose text is no text",
      native.event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: 1 } }),
    ],
    ["an event that is missing", { type: "stream_event" }],
    ["an answer without its message", { type: "assistant" }],
    ["a user line whose content is a number", { type: "user", message: { content: 7 } }],
    ["a request without an id", { type: "control_request", request: { subtype: "can_use_tool" } }],
  ])("%s is nothing", (_, raw) => {
    expect(parseFrame(raw)).toBeUndefined();
  });

  test("absent, null and given optional fields are all fine", () => {
    for (const value of [undefined, null, "id"]) {
      expect(parseFrame({ ...native.result(), user_message_uuid: value, resume_reason: value })).toBeDefined();
    }
  });

  test("a delta of a kind that came later is read; it has no text", () => {
    expect(
      parseFrame(native.event({ type: "content_block_delta", index: 0, delta: { type: "brand_new" } })),
    ).toBeDefined();
  });

  test("a malformed request is still a request: it must be answered", () => {
    expect(
      parseFrame({ type: "control_request", request_id: "r", request: { subtype: "can_use_tool" } }),
    ).toBeDefined();
    expect(parseFrame({ type: "control_request", request_id: "r", request: { subtype: "brand_new" } })).toBeDefined();
    for (const request of [undefined, null, "text", 7, [], {}, { subtype: null }])
      expect(parseFrame({ type: "control_request", request_id: "r", request })).toMatchObject({ request_id: "r" });
  });
});

test.each([
  [native.init(), "system/init"],
  [native.text(0, "a"), "stream_event/content_block_delta"],
  [native.ask("r", "t", "Bash", {}), "control_request/can_use_tool"],
  [{ type: "control_response", response: { subtype: "error" } }, "control_response/error"],
  [native.result({ subtype: "error_max_turns" }), "result/error_max_turns"],
  [{ type: "keep_alive" }, "keep_alive"],
  [{}, "undefined"],
  ["text", "string"],
  [null, "object"],
])("the kind of %j is %s", (raw, kind) => {
  expect(frameKind(raw)).toBe(kind);
});
