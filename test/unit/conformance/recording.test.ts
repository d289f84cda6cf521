import { expect, test } from "vitest";
import { readEntry } from "../../../src/conformance/recording.js";

const line = (dir: string, value: unknown) => JSON.stringify({ t: 5, dir, line: value });

test("lines go the way they are said to go, as JSON or as text", () => {
  expect(readEntry(line("out", { a: 1 }), 0)).toEqual({ t: 5, kind: "frame", frame: { a: 1 } });
  expect(readEntry(line("out", "talk"), 0)).toEqual({ t: 5, kind: "noise", text: "talk" });
  expect(readEntry(line("in", '{"a":1}'), 0)).toEqual({ t: 5, kind: "sent", frame: { a: 1 } });
});

test("an agent may read its recordings in a way of its own, line by line", () => {
  const read = (value: unknown) => {
    if (value === "nothing") return null;
    return value === "mine" ? { kind: "sent" as const, frame: { own: true } } : undefined;
  };
  expect(readEntry(line("out", "mine"), 0, read)).toEqual({ t: 5, kind: "sent", frame: { own: true } });
  expect(readEntry(line("out", "nothing"), 0, read)).toBeUndefined();
  expect(readEntry(line("in", { a: 1 }), 0, read)).toEqual({ t: 5, kind: "sent", frame: { a: 1 } });
  expect(readEntry(line("err", "mine"), 0, read)).toEqual({ t: 5, kind: "stderr", text: "mine" });
});
