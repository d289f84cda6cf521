import { describe, expect, test } from "vitest";
import { canonicalTool, patternsOf, titleOf } from "../../../../adapters/claude/tools.js";
import { relativePath } from "../../../../adapters/shared/relative-path.js";

const DIR = "/work";
type Row = readonly [native: string, tool: string, permission: string, input: object, pattern: string, title: string];

const TABLE: readonly Row[] = [
  ["Bash", "bash", "bash", { command: "git status" }, "git status", "bash git status"],
  ["BashOutput", "bash_output", "bash", { bash_id: "1" }, "*", "bash_output"],
  ["KillShell", "bash_kill", "bash", { shell_id: "1" }, "*", "bash_kill"],
  ["Read", "read", "read", { file_path: "/work/a/b.ts" }, "a/b.ts", "read a/b.ts"],
  ["Edit", "edit", "edit", { file_path: "/elsewhere/b.ts" }, "/elsewhere/b.ts", "edit /elsewhere/b.ts"],
  ["MultiEdit", "edit", "edit", { file_path: "/work/b.ts" }, "b.ts", "edit b.ts"],
  ["Write", "write", "edit", { file_path: "/work/new.ts" }, "new.ts", "write new.ts"],
  ["NotebookEdit", "edit", "edit", { notebook_path: "/work/n.ipynb" }, "n.ipynb", "edit n.ipynb"],
  ["Grep", "grep", "grep", { pattern: "TODO" }, "TODO", "grep TODO"],
  ["Glob", "glob", "glob", { pattern: "**/*.ts" }, "**/*.ts", "glob **/*.ts"],
  ["LS", "list", "list", { path: "/work/src" }, "src", "list src"],
  ["WebFetch", "webfetch", "webfetch", { url: "https://a.b/c" }, "https://a.b/c", "webfetch https://a.b/c"],
  ["WebSearch", "websearch", "websearch", { query: "q" }, "q", "websearch q"],
  ["Agent", "task", "task", { description: "Look" }, "Look", "task Look"],
  ["Task", "task", "task", { description: "Look" }, "Look", "task Look"],
  ["TodoWrite", "todowrite", "todowrite", { todos: [] }, "*", "todowrite"],
  ["TaskCreate", "todowrite", "todowrite", { subject: "One" }, "One", "todowrite One"],
  ["TaskUpdate", "todowrite", "todowrite", { taskId: "1" }, "1", "todowrite 1"],
  ["TaskList", "todoread", "todoread", {}, "*", "todoread"],
  ["TaskGet", "todoread", "todoread", { taskId: "1" }, "1", "todoread 1"],
  ["AskUserQuestion", "question", "question", { questions: [] }, "*", "question"],
  ["ExitPlanMode", "plan", "plan", { plan: "p" }, "*", "plan"],
  ["EnterPlanMode", "plan", "plan", {}, "*", "plan"],
  ["Skill", "skill", "skill", { skill: "pdf" }, "pdf", "skill pdf"],
  ["mcp__demo__add", "mcp", "mcp", { a: 1 }, "demo/add", "demo: add"],
  ["mcp__my_server__read__all", "mcp", "mcp", {}, "my_server/read__all", "my_server: read__all"],
  ["SomethingNew", "SomethingNew", "SomethingNew", { file_path: "/work/x" }, "*", "SomethingNew"],
  // Names that every object answers to.
  ["constructor", "constructor", "constructor", {}, "*", "constructor"],
  ["__proto__", "__proto__", "__proto__", {}, "*", "__proto__"],
];

test.each(TABLE)("%s is %s", (name, tool, permission, input, pattern, title) => {
  expect(canonicalTool(name)).toMatchObject({ tool, permission, metadata: { native: { tool: name } } });
  expect(patternsOf(name, { ...input }, DIR)).toEqual([pattern]);
  expect(titleOf(name, { ...input }, DIR)).toBe(title);
});

test("an MCP tool keeps its server and its own name", () => {
  expect(canonicalTool("mcp__demo__add").metadata.native).toEqual({
    tool: "mcp__demo__add",
    server: "demo",
    name: "add",
  });
});

describe("an input without its subject", () => {
  test.each([[{}], [{ command: "" }], [{ command: 7 }], [{ command: null }]])("%j is about anything", (input) => {
    expect(patternsOf("Bash", input, DIR)).toEqual(["*"]);
    expect(titleOf("Bash", input, DIR)).toBe("bash");
  });
});

test("a title is one line, cut where it is long; the pattern stays whole", () => {
  const command = `echo 1\n\techo 2 ${"x".repeat(200)}`;
  const title = titleOf("Bash", { command }, DIR);
  expect(title).toMatch(/^bash echo 1 echo 2 x+…$/);
  expect(title.length).toBeLessThanOrEqual("bash ".length + 80);
  expect(patternsOf("Bash", { command }, DIR)).toEqual([command]);
});

test.each([
  ["/work/a", "/work", "a"],
  ["/work/a", "/work/", "a"],
  ["/workshop/a", "/work", "/workshop/a"],
  ["/a", "/", "a"],
  ["a", "/work", "a"],
])("%s in %s is %s", (path, directory, relative) => {
  expect(relativePath(path, directory)).toBe(relative);
});
