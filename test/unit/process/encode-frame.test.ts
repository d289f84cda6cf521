import { describe, expect, test } from "vitest";
import { encodeFrame } from "../../../src/process/encode-frame.js";
import { textChannel } from "../../../src/process/text-channel.js";

class Instance {}
const circular: Record<string, unknown> = {};
circular.self = circular;

describe("a frame is written as one line", () => {
  test.each([
    ["an object", { a: 1 }, '{"a":1}\n'],
    ["without a prototype", Object.assign(Object.create(null), { a: 1 }), '{"a":1}\n'],
    ["line breaks are escaped", { t: "a\nb\r" }, '{"t":"a\\nb\\r"}\n'],
    ["U+2028 and U+2029 too, for agents that read with readline", { t: "\u2028\u2029" }, '{"t":"\\u2028\\u2029"}\n'],
    ["other text is not", { t: "日本 👩‍👩‍👧" }, '{"t":"日本 👩‍👩‍👧"}\n'],
  ])("%s", (_name, frame, line) => {
    expect(encodeFrame(frame)).toBe(line);
  });
});

describe("what is no frame is refused by name", () => {
  test.each([
    ["null", null, "not null"],
    ["undefined", undefined, "not undefined"],
    ["a string", '{"a":1}', "not a string"],
    ["a number", 1, "not a number"],
    ["an array", [{}], "not an array"],
    ["a Map", new Map(), "an instance of Map"],
    ["an Error", new Error("x"), "an instance of Error"],
    ["an instance", new Instance(), "an instance of Instance"],
    ["a circle", circular, "cannot be written as JSON"],
    ["a bigint inside", { n: 1n }, "cannot be written as JSON"],
    ["a toJSON that answers text", { toJSON: () => "x" }, "toJSON"],
    ["a toJSON that answers nothing", { toJSON: () => undefined }, "toJSON"],
  ])("%s", (_name, frame, problem) => {
    expect(() => encodeFrame(frame)).toThrow(TypeError);
    expect(() => encodeFrame(frame)).toThrow(problem);
  });
});

describe("text", () => {
  test("each line is a frame, blank ones too", () => {
    expect(textChannel.read("hello")).toEqual([{ kind: "frame", frame: { line: "hello" } }]);
    expect(textChannel.read("")).toEqual([{ kind: "frame", frame: { line: "" } }]);
  });

  test("is written as it is", () => {
    expect(textChannel.encode({ line: "yes" })).toBe("yes\n");
  });

  test.each([null, "text", {}, { line: 1 }, { line: "a\nb" }])("refuses %j", (frame) => {
    expect(() => textChannel.encode(frame)).toThrow(TypeError);
  });
});
