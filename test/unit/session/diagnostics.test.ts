import { expect, test } from "vitest";
import { Diagnostics } from "../../../src/session/diagnostics.js";

test("all noise is counted, and only a little of it kept", () => {
  const diagnostics = new Diagnostics();
  for (let i = 0; i < 60; i++) diagnostics.noise(`${i} ${"x".repeat(600)}`);
  expect(diagnostics.noiseCount).toBe(60);
  expect(diagnostics.noiseLines).toHaveLength(50);
  expect(diagnostics.noiseLines[0]).toMatch(/^0 x+$/);
  expect(Math.max(...diagnostics.noiseLines.map(({ length }) => length))).toBe(500);
});

test("each unknown kind is new once", () => {
  const diagnostics = new Diagnostics();
  expect(["a", "b", "a", "a"].map((kind) => diagnostics.unknown(kind))).toEqual([true, true, false, false]);
  expect([...diagnostics.unknownKinds]).toEqual([
    ["a", 3],
    ["b", 1],
  ]);
});
