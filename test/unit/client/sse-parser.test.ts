import fc from "fast-check";
import { expect, test } from "vitest";
import { type SseMessage, SseParser } from "../../../src/client/sse-parser.js";

function parse(pieces: readonly string[]): SseMessage[] {
  const messages: SseMessage[] = [];
  const parser = new SseParser((message) => messages.push(message));
  for (const piece of pieces) parser.push(piece);
  return messages;
}

test.each<[string, string, SseMessage[]]>([
  ["a message", "data: x\n\n", [{ event: "message", data: "x" }]],
  ["a name", "event: gap\ndata: {}\n\n", [{ event: "gap", data: "{}" }]],
  [
    "a name that is not kept",
    "event: a\ndata: 1\n\ndata: 2\n\n",
    [
      { event: "a", data: "1" },
      { event: "message", data: "2" },
    ],
  ],
  ["several lines", "data: a\ndata:b\ndata\n\n", [{ event: "message", data: "a\nb\n" }]],
  ["comments and other fields", ": heartbeat\n\nid: 5\nretry: 9\ndata: x\n\n", [{ event: "message", data: "x" }]],
  ["line ends of Windows", "event: e\r\ndata: x\r\n\r\n", [{ event: "e", data: "x" }]],
  ["a colon in the data", "data: a:b\n\n", [{ event: "message", data: "a:b" }]],
  ["a message that has no end", "data: x\n", []],
  ["a name without data", "event: e\n\n", []],
])("%s", (_what, text, expected) => {
  expect(parse([text])).toEqual(expected);
});

test("where the pieces end does not matter", () => {
  const text = "id: 1\ndata: one\n\n: hb\n\nevent: two\ndata: 2\ndata: 3\n\n";
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 10 }), (cuts) => {
      const ends = [...cuts.sort((a, b) => a - b), text.length];
      expect(parse(ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end)))).toEqual(parse([text]));
    }),
  );
});
