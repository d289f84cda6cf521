import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ndjsonChannel } from "../../../src/process/ndjson-channel.js";

const ESC = "\u001b";
const BEL = "\u0007";
const frame = { jsonrpc: "2.0", id: 1, result: {} };
const json = JSON.stringify(frame);

describe("frames", () => {
  test.each([
    ["an object", '{"a":1}', { a: 1 }],
    ["an array", '[{"a":1}]', [{ a: 1 }]],
    ["with blanks around", '  {"a":1} ', { a: 1 }],
    ["with U+2028 inside (report 4)", '{"t":"a\u2028b"}', { t: "a\u2028b" }],
    ["with U+009B inside, which is data there", '{"t":"\u009b1m"}', { t: "\u009b1m" }],
  ])("%s", (_name, line, value) => {
    expect(ndjsonChannel.read(line)).toEqual([{ kind: "frame", frame: value }]);
  });
});

describe("terminal sequences in front of a frame are cut off and told (report 1)", () => {
  test.each([
    ["window titles", `${ESC}]0;proj: ready${BEL}${ESC}]0;proj: ready${BEL}`],
    ["a title with a brace in it", `${ESC}]0;{proj} [1]${BEL}`],
    ["a title ended by ST", `${ESC}]2;proj${ESC}\\`],
    ["a title without an end", `${ESC}]0;proj`],
    ["a title without an end, then another", `${ESC}]0;proj${ESC}]0;proj${BEL}`],
    ["erase line and home", `${ESC}[2K${ESC}[1G`],
    ["hide the cursor", `${ESC}[?25l`],
    ["colours", `${ESC}[1;31m${ESC}[0m`],
    ["8-bit control sequences", "\u009b2K\u009d0;title\u009c"],
    ["character set and keypad", `${ESC}(B${ESC}=${ESC}7`],
    ["a device control string", `${ESC}P+q544e${ESC}\\`],
    ["a byte order mark", "\ufeff"],
    ["a mixture with blanks", `\r${ESC}[2K ${BEL}\ufeff${ESC}]0;x${BEL} `],
  ])("%s", (_name, prefix) => {
    const strip = { kind: "noise", what: "strip", text: prefix };
    expect(ndjsonChannel.read(prefix + json)).toEqual([strip, { kind: "frame", frame }]);
  });

  test("behind a frame they do no harm either", () => {
    expect(ndjsonChannel.read(`${json}${ESC}[0m`)).toEqual([{ kind: "frame", frame }]);
  });

  test("a line of nothing else is noise", () => {
    const line = `${ESC}]0;proj: ready${BEL}`;
    expect(ndjsonChannel.read(line)).toEqual([{ kind: "noise", what: "noise", text: line }]);
  });
});

describe("noise (reports 2 and 3)", () => {
  test.each([
    "Performing one time database migration…",
    "[tool] deliberating...",
    "[1/3] downloading",
    "[2026-11-30 12:00:00] INFO started",
    "╭──────────╮",
    '│ {"a":1}  │',
    "{ type: 'inspected', value: 1 }",
    "{",
    "}",
    "42",
    '"text"',
    "null",
    `${ESC}[33mwarning${ESC}[0m: {}`,
    `${ESC}[33m[tool] done`,
  ])("%s", (line) => {
    expect(ndjsonChannel.read(line)).toEqual([{ kind: "noise", what: "noise", text: line }]);
  });

  test.each(["", " ", "\t", "\r"])("a blank line %j is nothing", (line) => {
    expect(ndjsonChannel.read(line)).toEqual([]);
  });

  test("is told in excerpt when it is long", () => {
    const [reading] = ndjsonChannel.read("x".repeat(1_000_000));
    expect(reading).toMatchObject({ kind: "noise", text: expect.stringMatching(/^x{4000}… \(1000000 characters\)$/) });
  });
});

describe("faults: a frame that was cut (report 3)", () => {
  test.each(['{"jsonrpc":"2.0","id":5,"res', '{ "a": 1', '[{"a":1}', '{"a":1}{"b":2}'])("%s", (line) => {
    const [reading, ...rest] = ndjsonChannel.read(line);
    expect(reading).toEqual({ kind: "fault", detail: expect.stringContaining(line) });
    expect(reading).toMatchObject({ detail: expect.stringContaining("does not parse") });
    expect(rest).toEqual([]);
  });

  test("behind a stripped prefix", () => {
    const kinds = ndjsonChannel.read(`${ESC}[2K{"a":`).map((reading) => reading.kind);
    expect(kinds).toEqual(["noise", "fault"]);
  });

  test("show no more than a piece of the line", () => {
    const [reading] = ndjsonChannel.read(`{"a":"${"x".repeat(1_000_000)}`);
    expect(reading?.kind === "fault" && reading.detail.length).toBeLessThan(500);
  });
});

test("no line makes it throw", () => {
  const part = fc.constantFrom(ESC, BEL, "{", "[", "]", '"', "\\", "\u009b", "\ufeff", "[2K", "]0;", "a", " ", "}");
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 20 }), (parts) => {
      expect(Array.isArray(ndjsonChannel.read(parts.join("")))).toBe(true);
    }),
  );
});

test.each([
  ["escapes", ESC],
  ["unfinished titles", `${ESC}]0;`],
  ["unfinished control sequences", `${ESC}[1;`],
  ["opening brackets", "["],
])("a long line of %s is read in linear time", (_name, piece) => {
  // Quadratic would take minutes here; the test's own timeout is the bound.
  expect(ndjsonChannel.read(piece.repeat(300_000)).length).toBe(1);
});
