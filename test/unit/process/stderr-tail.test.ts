import { expect, test } from "vitest";
import { StderrTail } from "../../../src/process/stderr-tail.js";

function feed(chunks: readonly Buffer[]) {
  const tail = new StderrTail();
  const forwarded = chunks.map((chunk) => tail.push(chunk)).join("") + tail.end();
  return { forwarded, text: tail.text };
}

test("characters cut between chunks stay whole (report 5)", () => {
  const text = "é 日本 👩‍👩‍👧";
  const bytes = Array.from(Buffer.from(text), (byte) => Buffer.of(byte));
  expect(feed(bytes)).toEqual({ forwarded: text, text });
});

test("what a cut last character leaves is shown as such", () => {
  expect(feed([Buffer.of(0x61, 0xe6, 0x97)]).forwarded).toBe("a\ufffd");
});

test("the last 8 KiB are kept, beginning with a whole character", () => {
  const text = `start ${"日".repeat(5_000)} end`;
  const bytes = Buffer.from(text);
  const { forwarded, text: tail } = feed([bytes.subarray(0, 9_001), bytes.subarray(9_001)]);
  expect(forwarded).toBe(text);
  expect(text.endsWith(tail)).toBe(true);
  expect(Buffer.byteLength(tail)).toBeGreaterThan(8 * 1024 - 3);
  expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(8 * 1024);
});

test("many small chunks are kept in order", () => {
  const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index}\n`);
  const { text } = feed(lines.map((line) => Buffer.from(line)));
  expect(lines.join("").endsWith(text)).toBe(true);
  expect(text.length).toBe(8 * 1024);
});
