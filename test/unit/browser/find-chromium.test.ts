import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findChromium } from "../../browser/find-chromium.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-chromium-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function addProgram(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, "");
  chmodSync(path, 0o755);
  return path;
}

test("what CHROMIUM names goes before what is on PATH", () => {
  const [onPath, named] = [addProgram("google-chrome"), addProgram("mine")];
  expect(findChromium({ PATH: folder })).toBe(onPath);
  expect(findChromium({ PATH: folder, CHROMIUM: named })).toBe(named);
  expect(findChromium({ PATH: folder, CHROMIUM: "mine" })).toBe(named);
});

test("without one it says what was looked for and what to install", () => {
  expect(() => findChromium({ PATH: folder })).toThrow(/none of chromium, .* is on PATH\. Install Chromium or Chrome/);
  addProgram("chromium");
  expect(() => findChromium({ PATH: folder, CHROMIUM: "/no/where" })).toThrow(
    /CHROMIUM names \/no\/where, which is not/,
  );
});
