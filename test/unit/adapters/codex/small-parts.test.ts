import { describe, expect, test } from "vitest";
import { outcomeOf, requestError, retryOf, turnError } from "../../../../adapters/codex/errors.js";
import { diffOfChange, diffsOfTurn, summarizeChanges } from "../../../../adapters/codex/file-changes.js";
import { frameKind, parseFrame } from "../../../../adapters/codex/frame.js";
import { launch, PROGRAM } from "../../../../adapters/codex/launch.js";
import { MODES, turnPolicy } from "../../../../adapters/codex/modes.js";
import { unwrapCommand } from "../../../../adapters/codex/shell-command.js";
import { endOfTool } from "../../../../adapters/codex/tool-results.js";
import { viewTool } from "../../../../adapters/codex/tools.js";
import { trimFrame } from "../../../../adapters/codex/trim.js";
import { tokensOf } from "../../../../adapters/codex/usage.js";

test.each([
  ["/bin/bash -lc 'echo a | cat'", "echo a | cat"],
  ['bash -lc "echo \\"a\\" \\$x"', 'echo "a" $x'],
  ["/bin/zsh -c ls", "ls"],
  [`/bin/bash -lc 'it'"'"'s'`, "it's"],
  ["git status", "git status"],
  ["/bin/bash -lc 'a' b", "/bin/bash -lc 'a' b"],
  ["/bin/bash -lc 'open", "/bin/bash -lc 'open"],
  ["python -c 'x'", "python -c 'x'"],
])("the command a person wrote: %s", (command, plain) => {
  expect(unwrapCommand(command)).toBe(plain);
});

describe("errors", () => {
  test.each([
    ["contextWindowExceeded", "context_overflow"],
    ["usageLimitExceeded", "usage_limit"],
    ["rateLimitExceeded", "rate_limit"],
    ["serverOverloaded", "overloaded"],
    ["internalServerError", "overloaded"],
    ["unauthorized", "auth"],
    ["cyberPolicy", "refusal"],
    [{ httpConnectionFailed: { httpStatusCode: 401 } }, "auth"],
    [{ responseTooManyFailedAttempts: { httpStatusCode: 429 } }, "rate_limit"],
    [{ httpConnectionFailed: { httpStatusCode: 503 } }, "overloaded"],
    [{ httpConnectionFailed: { httpStatusCode: null } }, "network"],
    [{ httpConnectionFailed: { httpStatusCode: 418 } }, "unknown"],
    ["toString", "unknown"],
    ["somethingNew", "unknown"],
    [null, "unknown"],
  ])("%j is %s", (codexErrorInfo, name) => {
    expect(turnError({ message: "x", codexErrorInfo: codexErrorInfo as never }).name).toBe(name);
  });

  test.each([
    ["Incomplete response returned, reason: max_output_tokens", "output_length", "length"],
    ["Incomplete response returned, reason: content_filter", "refusal", "refusal"],
    ["Missing environment variable: `KEY`.", "auth", "error"],
    ['{"error":{"type":"invalid_request_error"}}', "invalid_request", "error"],
    ["stream disconnected before completion: idle timeout waiting for SSE", "timeout", "error"],
    ["stream disconnected before completion", "network", "error"],
  ])("of all others the message tells: %s", (message, name, finish) => {
    expect(outcomeOf("failed", { message, codexErrorInfo: "other" })).toMatchObject({ finish, error: { name } });
  });

  test("an interrupt is a finish and no error", () => {
    expect(outcomeOf("interrupted", null)).toEqual({ finish: "aborted" });
    expect(outcomeOf("completed", null)).toEqual({});
    expect(outcomeOf("failed", undefined).error?.message).toContain("without a reason");
  });

  test("a list of everything that would have been right is cut", () => {
    const error = requestError({ code: -32600, message: "unknown variant `x`, expected one of `a`, `b`" });
    expect(error).toMatchObject({ name: "invalid_request", message: "unknown variant `x`" });
  });

  test.each([
    ["Reconnecting... 3/5", 1, 3],
    ["Reconnecting... waiting for network", 0, 1],
    ["Reconnecting... waiting for network", 7, 8],
  ])("%s behind %i attempts is attempt %i", (message, before, attempt) => {
    expect(retryOf({ message }, before).attempt).toBe(attempt);
  });
});

describe("changes of files", () => {
  const change = (type: string, diff: string, move_path: string | null = null) => ({
    path: "/work/a.txt",
    kind: { type, move_path },
    diff,
  });

  test.each([
    ["add", "x\ny\n", 2, 0, "added"],
    ["delete", "x\n", 0, 1, "deleted"],
    ["update", "@@ -1 +1 @@\n-x\n+y\n", 1, 1, "modified"],
  ])("%s", (type, diff, additions, deletions, status) => {
    expect(diffOfChange(change(type, diff), "/work")).toMatchObject({ file: "a.txt", additions, deletions, status });
  });

  test("a rename has its new name, and the note of it is no line", () => {
    const diff = diffOfChange(
      change("update", "@@ -1 +1 @@\n-x\n+y\n\n\nMoved to: /work/b.txt", "/work/b.txt"),
      "/work",
    );
    expect(diff).toMatchObject({ file: "b.txt", additions: 1, deletions: 1 });
    expect(diff.patch).not.toContain("Moved");
  });

  test("hunks that cannot be read cost no diff", () => {
    expect(diffOfChange(change("update", "@@ nonsense"), "/work")).toMatchObject({ additions: 0, deletions: 0 });
    expect(summarizeChanges([], "/work")).toEqual({ diff: "", files: [] });
  });

  test("a turn's diff is its files, named within the project", () => {
    const diff = [
      "diff --git a/tmp-1/work/a.txt b/tmp-1/work/a.txt\nnew file mode 100644\n--- /dev/null\n+++ b/tmp-1/work/a.txt\n@@ -0,0 +1 @@\n+x\n",
      "diff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
      "diff --git a/c.png b/c.png\nBinary files differ\n",
    ].join("");
    expect(diffsOfTurn(diff, "/root/tmp-1/work")).toMatchObject([
      { file: "a.txt", status: "added", additions: 1 },
      { file: "b.txt", status: "deleted", deletions: 1 },
      { file: "c.png", status: "modified", additions: 0 },
    ]);
    expect(diffsOfTurn("", "/work")).toEqual([]);
  });
});

describe("frames", () => {
  test("a request has a token, in a recording its id", () => {
    const params = { threadId: "t", callId: "c", tool: "x" };
    expect(parseFrame({ token: "0", method: "item/tool/call", params })).toMatchObject({ kind: "request", token: "0" });
    expect(parseFrame({ id: "0", method: "item/tool/call", params })).toMatchObject({ kind: "request", token: '"0"' });
  });

  test.each([
    ["a method of the future", { method: "from/the/future", params: {} }, undefined],
    ["a known one without its fields", { method: "turn/started", params: {} }, undefined],
    ["one that is not read", { method: "skills/changed" }, { kind: "unread" }],
    ["a request nobody knows", { token: "1", method: "from/the/future" }, { kind: "refused", code: -32601 }],
    [
      "a request without its fields",
      { token: "1", method: "item/tool/call", params: {} },
      { kind: "refused", code: -32602 },
    ],
    ["an answer", { id: "aw-1", result: null }, { kind: "response", result: null }],
    ["an error", { id: 3, error: { code: -1, message: "no" } }, { kind: "response", error: { code: -1 } }],
    ["an answer that is none", { id: 3 }, undefined],
    ["no object", "text", undefined],
  ])("%s", (_name, raw, frame) => {
    if (frame === undefined) expect(parseFrame(raw)).toBeUndefined();
    else expect(parseFrame(raw)).toMatchObject(frame);
  });

  test("kinds for people", () => {
    expect([{ method: "a/b" }, { id: 1, result: {} }, {}, 5].map(frameKind)).toEqual([
      "a/b",
      "response",
      "?",
      "number",
    ]);
  });

  test("a trace keeps of a thread what is read, and nothing of what is not", () => {
    const thread = { id: "t", cliVersion: "1", path: "/home/x", preview: "secret" };
    expect(trimFrame({ id: "aw-2", result: { thread, model: "m", instructionSources: [] } })).toEqual({
      id: "aw-2",
      result: { model: "m", thread: { id: "t", cliVersion: "1" } },
    });
    expect(trimFrame({ method: "configWarning", params: { summary: "long" }, emittedAtMs: 1 })).toEqual({
      method: "configWarning",
      params: {},
    });
    expect(trimFrame({ id: 1, error: { code: 1, message: "x".repeat(999) } })).toMatchObject({
      error: { message: expect.stringMatching(/^x{300}…$/) },
    });
  });
});

describe("tools", () => {
  test.each([
    ["commandExecution", { command: "/bin/bash -lc 'ls'", cwd: "/else" }, "bash", { command: "ls", workdir: "/else" }],
    [
      "fileChange",
      { changes: [{ path: "/work/a", kind: { type: "add" }, diff: "" }] },
      "write",
      { filePath: "/work/a", files: [{ path: "a", type: "add" }] },
    ],
    [
      "fileChange",
      { changes: [{ path: "/work/a", kind: { type: "delete" }, diff: "" }] },
      "edit",
      { filePath: "/work/a", files: [{ path: "a", type: "delete" }] },
    ],
    ["mcpToolCall", { server: "s", tool: "t", arguments: null }, "mcp", {}],
    ["dynamicToolCall", { tool: "title", arguments: { a: 1 } }, "client", { a: 1 }],
    ["webSearch", { query: "", action: null }, "websearch", {}],
    ["imageView", { path: "/work/a.png" }, "read", { filePath: "/work/a.png" }],
    ["collabAgentToolCall", { tool: "spawnAgent", prompt: "p" }, "task", { prompt: "p" }],
    ["collabAgentToolCall", { tool: "wait", receiverThreadIds: ["x"] }, "wait", { threads: ["x"] }],
    ["sleep", { durationMs: 7 }, "sleep", { durationMs: 7 }],
  ])("%s %#", (type, item, tool, input) => {
    expect(viewTool({ type, id: "i", ...item }, "/work")).toMatchObject({ tool, input });
  });

  test.each([
    ["a failed command", { type: "commandExecution", status: "failed", aggregatedOutput: "bad", exitCode: 2 }, "bad"],
    [
      "a silent one",
      { type: "commandExecution", status: "failed", aggregatedOutput: "", exitCode: 2 },
      "The command failed with exit code 2",
    ],
    ["a declined one", { type: "commandExecution", status: "declined" }, "This was not allowed"],
    ["a patch", { type: "fileChange", status: "failed", changes: [] }, "The patch could not be applied"],
    ["an MCP tool", { type: "mcpToolCall", status: "failed", error: { message: "rejected" } }, "rejected"],
    [
      "an MCP tool that says so itself",
      { type: "mcpToolCall", status: "failed", result: { content: [{ type: "text", text: "broken" }] } },
      "broken",
    ],
    ["a dynamic tool", { type: "dynamicToolCall", success: false, contentItems: [] }, "The tool failed"],
    ["any other", { type: "collabAgentToolCall", status: "failed" }, "The tool failed"],
  ])("%s that fails", (_name, item, error) => {
    expect(endOfTool({ id: "i", ...item } as never, "/work").error).toBe(error);
  });

  test("a picture is attached, the agents' last words are the output", () => {
    const picture = endOfTool(
      {
        id: "i",
        type: "mcpToolCall",
        status: "completed",
        result: { content: [{ type: "image", data: "AA", mimeType: "image/png" }] },
      },
      "/",
    );
    expect(picture.attachments).toEqual([{ type: "file", mime: "image/png", url: "data:image/png;base64,AA" }]);
    const wait = endOfTool(
      {
        id: "i",
        type: "collabAgentToolCall",
        status: "completed",
        agentsStates: { a: { message: "one" }, b: { message: null } },
      },
      "/",
    );
    expect(wait.output).toBe("one");
  });
});

test("tokens are counted once", () => {
  expect(tokensOf({ input: 100, cached: 40, cacheWrite: 10, output: 20, reasoning: 5 })).toEqual({
    input: 50,
    output: 15,
    reasoning: 5,
    cache: { read: 40, write: 10 },
  });
});

describe("modes and launch", () => {
  test("no mode is weaker than its name", () => {
    expect(turnPolicy("read-only")).toMatchObject({ approvalPolicy: "never", sandboxPolicy: { type: "readOnly" } });
    expect(turnPolicy("safe-yolo")).toMatchObject({
      approvalPolicy: "never",
      sandboxPolicy: { type: "workspaceWrite", networkAccess: false },
    });
    expect(turnPolicy("plan")).toMatchObject({ sandboxPolicy: { type: "readOnly" } });
    const wide = Object.entries(MODES).filter(([, { sandbox }]) => sandbox === "danger-full-access");
    expect(wide.map(([mode]) => mode)).toEqual(["yolo", "bypassPermissions"]);
  });

  test("the native program, and nothing of a Codex around the gateway", () => {
    expect(PROGRAM.packages["linux-x64"]?.file).toBe("vendor/x86_64-unknown-linux-musl/bin/codex");
    expect(PROGRAM.packages["win32-x64"]?.file).toMatch(/codex\.exe$/);
    const { args, env } = launch({ directory: "/", mode: "default", env: {} });
    expect(args).toEqual(["app-server"]);
    expect(env).toHaveProperty("CODEX_SANDBOX", undefined);
  });
});
