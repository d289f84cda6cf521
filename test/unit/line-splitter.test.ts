import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineSplitter } from "../../src/line-splitter.js";

const MiB = 1024 * 1024;

function split(chunks: readonly Uint8Array[], maxLineBytes = 64 * MiB) {
  const lines: string[] = [];
  const overlong: number[] = [];
  const sink = { onLine: (line: string) => lines.push(line), onOverlong: (bytes: number) => overlong.push(bytes) };
  const splitter = new LineSplitter(sink, maxLineBytes);
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  const retained = splitter.retainedBytes;
  splitter.end();
  return { lines, overlong, retained };
}

const bytewise = (text: string) => Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte));

describe("what ends a line", () => {
  test.each([
    ["a newline", "a\nb\n", ["a", "b"]],
    ["a carriage return before it is stripped", "a\r\nb\r\n", ["a", "b"]],
    ["only the last one", "a\r\r\n", ["a\r"]],
    ["not a lone carriage return", "a\rb\n", ["a\rb"]],
    ["not U+2028 or U+2029 (report 4)", '{"t":"a\u2028b\u2029c"}\n', ['{"t":"a\u2028b\u2029c"}']],
    ["empty lines stay", "\n\na\n", ["", "", "a"]],
    ["the end of the stream (report 12)", "a\nlast", ["a", "last"]],
    ["nothing after a last newline", "a\n", ["a"]],
    ["nothing at all", "", []],
  ])("%s", (_name, text, lines) => {
    expect(split([Buffer.from(text)]).lines).toEqual(lines);
    expect(split(bytewise(text)).lines).toEqual(lines);
  });
});

describe("decoding", () => {
  test("characters cut between chunks stay whole (report 5)", () => {
    const text = "é 日本 👩‍👩‍👧";
    expect(split(bytewise(`${text}\n`)).lines).toEqual([text]);
  });

  test("a character across offset 65536 stays whole (report 5)", () => {
    const line = Buffer.from(`${"a".repeat(65_535)}日${"b".repeat(15_000)}\n`);
    const { lines } = split([line.subarray(0, 65_536), line.subarray(65_536)]);
    expect(lines).toEqual([line.toString().trimEnd()]);
  });

  test("invalid bytes are replaced and later lines arrive (report 6)", () => {
    const bytes = Buffer.concat([Buffer.from('{"a":1}\n{"b":"'), Buffer.of(0xff, 0xfe), Buffer.from('"}\n{"c":3}\n')]);
    expect(split([bytes]).lines).toEqual(['{"a":1}', '{"b":"\ufffd\ufffd"}', '{"c":3}']);
  });

  test("any way to cut any bytes gives the same lines", () => {
    // Mostly line ends and the parts of multi-byte characters: random bytes alone would seldom hit what matters.
    const byte = fc.oneof(fc.constantFrom(0x0a, 0x0d, 0x61, 0xe6, 0x97, 0xa5, 0xf0, 0x9f), fc.nat(255));
    fc.assert(
      fc.property(fc.array(fc.array(byte, { maxLength: 12 }), { maxLength: 12 }), (pieces) => {
        const chunks = pieces.map((piece) => Uint8Array.from(piece));
        expect(split(chunks).lines).toEqual(referenceLines(Buffer.concat(chunks)));
      }),
    );
  });
});

function referenceLines(bytes: Buffer): readonly string[] {
  const lines: Buffer[] = [];
  let rest = bytes;
  for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
    lines.push(rest.subarray(0, end));
    rest = rest.subarray(end + 1);
  }
  if (rest.length > 0) lines.push(rest);
  return lines.map((line) => line.toString().replace(/\r$/, ""));
}

describe("the limit", () => {
  test("a line of exactly the limit passes, one byte more does not, later lines are fine (report 8)", () => {
    const { lines, overlong } = split([Buffer.from("12345\n123456\nok\n")], 5);
    expect(lines).toEqual(["12345", "ok"]);
    expect(overlong).toEqual([6]);
  });

  test("is told once, when it is passed, and the line is discarded to its end", () => {
    const chunks = ["1234", "5678", "9", "90\nok", "\n"].map((text) => Buffer.from(text));
    const { lines, overlong } = split(chunks, 5);
    expect(lines).toEqual(["ok"]);
    expect(overlong).toEqual([8]);
  });

  test("an unterminated line over it is not delivered at the end", () => {
    expect(split([Buffer.from("1234"), Buffer.from("5678")], 5)).toMatchObject({ lines: [], overlong: [8] });
  });

  test("counts bytes, not characters", () => {
    expect(split([Buffer.from("日本\n")], 5)).toMatchObject({ lines: [], overlong: [6] });
  });

  test("a child that babbles without a newline keeps nothing (report 9)", () => {
    const chunk = Buffer.alloc(64 * 1024, "a");
    let peak = 0;
    const overlong: number[] = [];
    const sink = { onLine: () => expect.unreachable(), onOverlong: (bytes: number) => overlong.push(bytes) };
    const splitter = new LineSplitter(sink, MiB);
    for (let sent = 0; sent < 200 * MiB; sent += chunk.length) {
      splitter.push(chunk);
      peak = Math.max(peak, splitter.retainedBytes);
    }
    expect(peak).toBe(MiB);
    expect(splitter.retainedBytes).toBe(0);
    expect(overlong).toEqual([MiB + chunk.length]);
  });
});

test("20 MB in pipe-sized chunks is one line (report 8)", () => {
  const line = Buffer.alloc(20 * MiB, "x");
  const chunks = Array.from({ length: 320 }, (_, index) => line.subarray(index * 65_536, (index + 1) * 65_536));
  const { lines, retained } = split([...chunks, Buffer.from("\nnext\n")]);
  expect(lines.map((text) => text.length)).toEqual([20 * MiB, 4]);
  expect(retained).toBe(0);
});

test("a long line that arrives byte by byte is joined in order", () => {
  const text = Array.from({ length: 700 }, (_, index) => String(index)).join(",");
  expect(split(bytewise(`${text}\n`)).lines).toEqual([text]);
});
