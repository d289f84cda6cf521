import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "../../../adapters/index.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FIXED_FILES = [
  "README.md",
  "errors.ts",
  "frame.ts",
  "index.ts",
  "launch.ts",
  "modes.ts",
  "tools.ts",
  "translate.ts",
];
const COMMON_FOLDERS = ["shared"];

const adapterFolders = readdirSync(join(ROOT, "adapters"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !COMMON_FOLDERS.includes(entry.name))
  .map((entry) => entry.name);

/** Paths of TypeScript sources below a folder, from the root of the project. */
function sourcesIn(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".ts"));
  return files.map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** A source without its comments: those may talk of anything. */
function codeOf(path: string): string {
  return read(path)
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "");
}

test.each(adapterFolders)("adapters/%s has the files that every adapter has", (folder) => {
  const missing = FIXED_FILES.filter((file) => !existsSync(join(ROOT, "adapters", folder, file)));
  expect(missing).toEqual([]);
});

test("the registry lists every adapter by its folder's name, and nothing else", () => {
  // A folder may hold the adapters of several agents that speak the same protocol: their ids begin with its name.
  const folderOf = (id: string) => adapterFolders.find((folder) => id === folder || id.startsWith(`${folder}-`));
  expect(adapterFolders.filter((folder) => !ADAPTERS[folder])).toEqual([]);
  expect(Object.keys(ADAPTERS).filter((id) => folderOf(id) === undefined)).toEqual([]);
  for (const [name, adapter] of Object.entries(ADAPTERS)) expect(adapter.id).toBe(name);
});

test.each(adapterFolders)("the README of %s names the version that its adapter was tested with", (folder) => {
  expect(read(`adapters/${folder}/README.md`)).toContain(ADAPTERS[folder]?.testedVersion);
});

describe("an adapter is pure: no clock, no chance, no process, no file", () => {
  const WORLD =
    /(?<![.\w"'])(Date|process|crypto|performance|globalThis)\s*[.(]|\bset(Timeout|Interval|Immediate)\b|\bqueueMicrotask\b|\bMath\.random\b|["']node:/;

  test.each(sourcesIn("adapters"))("%s", (path) => {
    expect(WORLD.exec(codeOf(path))?.[0]).toBeUndefined();
  });
});

describe("agents are known by name only where they are translated", () => {
  const NAMES = /claude|codex|gemini|anthropic|openai|opencode|qwen|kimi|copilot|openclaw/i;
  /** It shows a recording of one agent. */
  const ALLOWED = ["src/cli/verbs/demo.ts"];
  const sources = ["schemas", "src", "adapters/shared"].flatMap(sourcesIn).filter((path) => !ALLOWED.includes(path));

  test.each(sources)("%s", (path) => {
    expect(NAMES.exec(read(path))?.[0]).toBeUndefined();
  });
});

test.each(adapterFolders)("adapters/%s sees no other adapter", (folder) => {
  const others = adapterFolders.filter((other) => other !== folder);
  const seen = sourcesIn(`adapters/${folder}`).filter((path) =>
    others.some((other) => codeOf(path).includes(`../${other}/`)),
  );
  expect(seen).toEqual([]);
});
