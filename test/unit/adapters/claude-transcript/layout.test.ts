import { expect, test } from "vitest";
import { fileOf, RUNNING, sideFile, transcriptFolder } from "../../../../adapters/claude/transcript/layout.js";

test.each([
  ["-home-me-project/s1.jsonl", { nativeID: "s1", thread: "", kind: "lines" }],
  ["s1.jsonl", { nativeID: "s1", thread: "", kind: "lines" }],
  ["-p/s1/subagents/agent-a1.jsonl", { nativeID: "s1", thread: "a1", kind: "lines" }],
  ["-p/s1/subagents/workflows/w1/agent-a1.jsonl", { nativeID: "s1", thread: "a1", kind: "lines" }],
  ["-p/s1/subagents/agent-a1.meta.json", { nativeID: "s1", thread: "a1", kind: "about" }],
  ["-p/s1/tool-results/b1.txt", undefined],
  ["-p/s1/subagents/notes.jsonl", undefined],
  ["-p/agent-a1.jsonl", undefined],
  ["-p/memory/MEMORY.md", undefined],
])("%s", (path, file) => {
  expect(fileOf(path.split("/"))).toEqual(file);
});

test("the folder of configuration can be another", () => {
  expect(transcriptFolder({}, "/home/me")).toBe("/home/me/.claude/projects");
  expect(transcriptFolder({ CLAUDE_CONFIG_DIR: "/conf" }, "/home/me")).toBe("/conf/projects");
  expect(RUNNING.folder({ CLAUDE_CONFIG_DIR: "/conf" }, "/home/me")).toBe("/conf/sessions");
});

test("of the path of an output only the name is believed", () => {
  expect(sideFile("/home/other/.claude/projects/-p/s1/tool-results/b1.txt")).toBe("tool-results/b1.txt");
  expect(sideFile("C:\\Users\\me\\b1.txt")).toBe("tool-results/b1.txt");
});

test("a file of a running session names it and its process, or it is none", () => {
  expect(RUNNING.read({ pid: 7, sessionId: "s1", cwd: "/p" })).toEqual({ nativeID: "s1", pid: 7 });
  expect(RUNNING.read({ pid: "7", sessionId: "s1" })).toBeUndefined();
  expect(RUNNING.read(undefined)).toBeUndefined();
});
