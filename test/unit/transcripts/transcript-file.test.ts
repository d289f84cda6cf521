import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TranscriptLine } from "../../../adapters/index.js";
import { readAbout, TranscriptLines } from "../../../src/transcripts/transcript-file.js";
import { reader } from "../adapters/claude-transcript/writer.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-lines-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function follow(text: string) {
  const path = join(folder, "s.jsonl");
  writeFileSync(path, text);
  const heard: TranscriptLine[] = [];
  const lines = new TranscriptLines(reader, "", (line) => heard.push(line));
  return { path, heard, lines, values: () => heard.map(({ line, raw }) => [line, raw]) };
}

test("what was read is not read again, and a line without its end waits for it", async () => {
  const { path, lines, values } = follow('{"a":1}\n{"b":');
  expect(await lines.readMore(path)).toBe(true);
  expect(values()).toEqual([[0, { a: 1 }]]);
  appendFileSync(path, '"é');
  await lines.readMore(path);
  appendFileSync(path, '"}\n{"c":3}\n');
  await lines.readMore(path);
  await lines.readMore(path);
  expect(values()).toEqual([
    [0, { a: 1 }],
    [1, { b: "é" }],
    [2, { c: 3 }],
  ]);
});

test("at the end the last line counts without its line end, unless it was cut off", async () => {
  const whole = follow('{"a":1}\n{"b":2}');
  await whole.lines.readMore(whole.path);
  whole.lines.end();
  expect(whole.values()).toHaveLength(2);
  expect(whole.lines.badLines).toBe(0);
  const torn = follow('{"a":1}\n{"b":');
  await torn.lines.readMore(torn.path);
  torn.lines.end();
  expect(torn.values()).toHaveLength(1);
  expect(torn.lines.badLines).toBe(1);
});

test("a line that is no JSON is counted, and the numbers of the others stay", async () => {
  const { path, lines, values } = follow('{"a":1}\nnoise\n\n{"c":3}\n');
  await lines.readMore(path);
  expect(values()).toEqual([
    [0, { a: 1 }],
    [3, { c: 3 }],
  ]);
  expect(lines.badLines).toBe(1);
});

test("a line of megabytes is one line", async () => {
  const text = "x".repeat(3 * 1024 * 1024);
  const { path, lines, heard } = follow(`${JSON.stringify({ text })}\n{"b":2}\n`);
  await lines.readMore(path);
  expect(heard.map(({ raw }) => Object.keys(raw as object))).toEqual([["text"], ["b"]]);
});

test("a file that is shorter than before is another one; one that is gone brings nothing", async () => {
  const { path, lines, values } = follow('{"a":1}\n{"b":2}\n');
  await lines.readMore(path);
  writeFileSync(path, "{}\n");
  expect(await lines.readMore(path)).toBe(false);
  rmSync(path);
  expect(await lines.readMore(path)).toBe(true);
  expect(values()).toHaveLength(2);
});

test("the time of a line is the one that it says", async () => {
  const { path, lines, heard } = follow('{"timestamp":"2026-01-01T00:00:01.500Z"}\n{"timestamp":"never"}\n{}\n');
  await lines.readMore(path);
  expect(heard.map(({ at }) => at)).toEqual([Date.UTC(2026, 0, 1, 0, 0, 1, 500), undefined, undefined]);
});

test("what an `about` file says is nothing while it is written", async () => {
  const path = join(folder, "about.json");
  expect(await readAbout(path, "a1")).toBeUndefined();
  writeFileSync(path, '{"x":');
  expect(await readAbout(path, "a1")).toBeUndefined();
  writeFileSync(path, '{\n  "x": 1\n}\n');
  expect(await readAbout(path, "a1")).toMatchObject({ thread: "a1", raw: { x: 1 } });
});
