import { expect, test } from "vitest";
import { native } from "./native.js";
import { Story, withCall } from "./story.js";

/** The ordering quirks of Claude Code's stream, each as the smallest stream that has it. */

test("the whole block comes before its stop and before the message's end: one part, the whole text, the final usage", () => {
  const story = new Story()
    .prompt()
    .lines(
      native.init(),
      native.start("m", { input_tokens: 5, output_tokens: 1 }),
      native.open(0, { type: "text", text: "" }),
      native.text(0, "hel"),
      native.whole("m", { type: "text", text: "hello" }),
      native.stop(0),
      native.end("end_turn", { output_tokens: 7 }),
      native.messageStop(),
      native.result(),
    );
  expect(story.texts).toMatchObject([{ type: "text", text: "hello" }]);
  expect(story.answersOfModel).toMatchObject([{ finish: "stop", tokens: { input: 5, output: 7 } }]);
  story.expectLawful();
});

test("blocks of one message are told apart by how many whole ones came", () => {
  const story = new Story()
    .prompt()
    .lines(
      native.start("m"),
      native.open(0, { type: "thinking", thinking: "" }),
      native.whole("m", { type: "thinking", thinking: "why" }),
      native.stop(0),
      native.open(1, { type: "text", text: "" }),
      native.whole("m", { type: "text", text: "one" }),
      native.stop(1),
      native.open(2, { type: "text", text: "" }),
      native.whole("m", { type: "text", text: "two" }),
      native.stop(2),
      native.messageStop(),
      native.result(),
    );
  expect(story.texts.map(({ type, text }) => [type, text])).toEqual([
    ["reasoning", "why"],
    ["text", "one"],
    ["text", "two"],
  ]);
  story.expectLawful();
});

test("a tool is asked for, runs and ends while its message still streams", () => {
  const story = new Story()
    .prompt()
    .lines(
      native.start("m"),
      native.openTool(0, "t1"),
      native.json(0, '{"command":"ls"}'),
      native.whole("m", native.call("t1", "Bash", { command: "ls" })),
      native.ask("r1", "t1", "Bash", { command: "ls" }),
    );
  story
    .reply({ decision: "once" })
    .lines(
      native.toolResult("t1", "a"),
      native.stop(0),
      native.open(1, { type: "text", text: "" }),
      native.text(1, "after"),
      native.whole("m", { type: "text", text: "after" }),
      native.stop(1),
      native.end("tool_use"),
      native.messageStop(),
      native.result(),
    );
  expect(story.tool("t1")).toMatchObject({ status: "completed", output: "a", block: { decision: "once" } });
  expect(story.answersOfModel).toHaveLength(1);
  expect(story.texts).toMatchObject([{ text: "after" }]);
  story.expectLawful();
});

test("results come in the order the tools end, each to its call", () => {
  const story = new Story()
    .prompt()
    .lines(
      native.whole("m", native.call("t1", "Bash", { command: "slow" })),
      native.whole("m", native.call("t2", "Bash", { command: "fast" })),
      native.toolResult("t2", "fast is done"),
      native.toolResult("t1", "slow is done"),
      native.result(),
    );
  expect(story.tool("t1")).toMatchObject({ status: "completed", output: "slow is done" });
  expect(story.tool("t2")).toMatchObject({ status: "completed", output: "fast is done" });
  story.expectLawful();
});

test("abandoned blocks are closed where the message stops, without a delta and without a result to come", () => {
  const story = new Story()
    .prompt()
    .lines(
      native.start("m"),
      native.open(0, { type: "text", text: "" }),
      native.text(0, "kept"),
      native.whole("m", { type: "text", text: "kept" }),
      native.stop(0),
      native.openTool(1, "t1"),
      native.json(1, '{"com'),
      native.messageStop(1),
    );
  expect(story.texts).toMatchObject([{ text: "kept" }]);
  expect(story.texts[0]).not.toHaveProperty("ignored");
  expect(story.tool("t1")).toMatchObject({ status: "error", input: { raw: '{"com' } });
  expect(story.answersOfModel).toMatchObject([{ finish: "error", error: { name: "network", retryable: true } }]);
  story.lines(native.result()).expectLawful();
});

test("a request that is sent again after a cut has a message of its own; the dead text stays readable and is ignored", () => {
  const story = new Story()
    .prompt()
    .lines(
      native.start("m1"),
      native.open(0, { type: "text", text: "" }),
      native.text(0, "half"),
      native.messageStop(0),
      { type: "system", subtype: "api_retry", attempt: 1, retry_delay_ms: 500, error_status: null, error: "unknown" },
    );
  expect(story.session.status).toMatchObject({ type: "retry", attempt: 1, message: "connection failed" });
  story.lines(
    native.start("m2"),
    native.open(0, { type: "text", text: "" }),
    native.text(0, "whole"),
    native.whole("m2", { type: "text", text: "whole" }),
    native.stop(0),
    native.end("end_turn"),
    native.messageStop(),
  );
  expect(story.session.status).toEqual({ type: "busy" });
  story.lines(native.result());
  expect(story.texts).toMatchObject([
    { text: "half", ignored: true, metadata: { abandoned: true } },
    { text: "whole" },
  ]);
  expect(story.answersOfModel.map(({ finish }) => finish)).toEqual(["error", "stop"]);
  story.expectLawful();
});

test("the harness's own user lines are no messages", () => {
  const story = new Story().prompt().lines(
    native.start("m1"),
    native.messageStop(1),
    {
      type: "user",
      isSynthetic: true,
      message: { content: [{ type: "text", text: "Your response above was cut off" }] },
    },
    { type: "user", message: { content: [{ type: "text", text: "[Request interrupted by user]" }] } },
    native.result(),
  );
  expect(story.messages.filter(({ role }) => role === "user")).toHaveLength(1);
  story.expectLawful();
});

test("a response that did not stream has its parts, usage and end from its whole lines", () => {
  const usage = { input_tokens: 3, output_tokens: 4 };
  const story = new Story()
    .prompt()
    .lines(
      native.whole("m", { type: "text", text: "all at once" }, { stop_reason: "end_turn", usage }),
      native.result(),
    );
  expect(story.texts).toMatchObject([{ text: "all at once" }]);
  expect(story.answersOfModel).toMatchObject([{ finish: "stop", tokens: { input: 3, output: 4 } }]);
  story.expectLawful();
});

test("usage that every line of a message repeats is counted once, and the turn's total is not added to it", () => {
  const usage = { input_tokens: 3, output_tokens: 1, cache_read_input_tokens: 20 };
  const story = new Story()
    .prompt()
    .lines(
      native.start("m", usage),
      native.whole("m", { type: "text", text: "a" }, { usage }),
      native.whole("m", { type: "text", text: "b" }, { usage }),
      native.end("end_turn", { output_tokens: 9 }),
      native.messageStop(),
      native.result({ usage: { ...usage, output_tokens: 9 }, total_cost_usd: 7 }),
    );
  expect(story.answersOfModel).toMatchObject([
    { cost: 0, tokens: { input: 3, output: 9, cache: { read: 20, write: 0 } } },
  ]);
  story.expectLawful();
});

test("a response of whole lines ends where the next begins", () => {
  const story = new Story()
    .prompt()
    .lines(
      native.whole("m1", native.call("t1", "Bash", { command: "ls" }), { stop_reason: "tool_use" }),
      native.toolResult("t1", "a"),
      native.whole("m2", { type: "text", text: "done" }, { stop_reason: "end_turn" }),
    );
  expect(story.answersOfModel.map(({ finish }) => finish)).toEqual(["tool-calls", undefined]);
  story.lines(native.result());
  expect(story.answersOfModel.map(({ finish }) => finish)).toEqual(["tool-calls", "stop"]);
  story.expectLawful();
});

test("the whole line's input is the one that counts: it is what the CLI made of the streamed one", () => {
  const input = { file_path: "/work/a", old_string: "a", new_string: "b", replace_all: false };
  const story = new Story()
    .prompt()
    .lines(
      native.start("m"),
      native.openTool(0, "t1", "Edit"),
      native.json(0, '{"new_string":"b","old_string":"a","file_path":"/work/a"}'),
      native.whole("m", native.call("t1", "Edit", input)),
    );
  expect(story.tool("t1")).toMatchObject({ status: "running", input, title: "edit a" });
  story.lines(native.result()).expectLawful();
});

test("an input that is no object is none", () => {
  const story = new Story()
    .prompt()
    .lines(native.whole("m", { type: "tool_use", id: "t1", name: "Bash", input: "ls" }));
  expect(story.tool("t1")).toMatchObject({ status: "running", input: {} });
  story.lines(native.result()).expectLawful();
});

test("a turn that nobody asked for is the agent's own, and ends like any other", () => {
  const story = new Story().prompt().lines(native.init(), native.result());
  story.lines(native.init(), native.whole("m", { type: "text", text: "by the way" }));
  expect(story.session.status).toEqual({ type: "busy" });
  story.lines(native.result({ origin: { kind: "task-notification" } }));
  expect(story.session.status).toEqual({ type: "idle" });
  expect(story.answersOfModel.at(-1)).toMatchObject({ metadata: { origin: "agent" }, parentID: story.messages[0]?.id });
  story.expectLawful();
});

test("a replay of the prompt that comes late is no second prompt", () => {
  const story = new Story().prompt("go", "msg_own").lines(
    native.start("m"),
    native.open(0, { type: "text", text: "" }),
    native.text(0, "a"),
    { type: "user", isReplay: true, message: { role: "user", content: "go" }, uuid: "u" },
    {
      type: "user",
      isReplay: true,
      message: { role: "user", content: [{ type: "text", text: "go\ngo" }] },
      uuid: "u",
    },
    native.text(0, "b"),
    native.messageStop(),
    native.result(),
  );
  expect(story.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(story.texts).toMatchObject([{ text: "ab" }]);
  story.expectLawful();
});

test("hook events before everything else are no turn", () => {
  const story = new Story().lines(
    { type: "system", subtype: "hook_started" },
    { type: "system", subtype: "hook_response" },
    { type: "control_response", response: { subtype: "success", request_id: "aw_1" } },
  );
  expect(story.session.status).toEqual({ type: "idle" });
  expect(story.outputs).toEqual([]);
});

test.each([
  [
    "the budget is gone",
    native.result({ subtype: "error_max_budget_usd", is_error: true, terminal_reason: "budget_exhausted" }),
  ],
  ["a hook deferred it", native.result({ terminal_reason: "tool_deferred" })],
  ["it simply ended", native.result()],
])("a call that never gets a result is closed when %s", (_, result) => {
  const story = withCall("t1", "Bash", { command: "ls" }).lines(result);
  expect(story.tool("t1")).toMatchObject({ status: "error", error: "The turn ended before this tool had a result" });
  expect(story.session.status).toEqual({ type: "idle" });
  story.expectLawful();
});

test("a result for a call that is closed comes too late", () => {
  const story = withCall("t1", "Bash", { command: "ls" }).lines(
    native.toolResult("t1", "first"),
    native.toolResult("t1", "second"),
    native.toolResult("unknown", "nobody's"),
  );
  expect(story.tool("t1")).toMatchObject({ output: "first" });
  expect(story.tools).toHaveLength(1);
  story.lines(native.result()).expectLawful();
});

test("late lines of a message that is closed open nothing", () => {
  const story = new Story()
    .prompt()
    .lines(
      native.start("m"),
      native.messageStop(),
      native.whole("m", { type: "text", text: "late" }),
      native.start("m"),
      native.event({ type: "content_block_start", index: 3, content_block: { type: "text" } }, { api_message_id: "m" }),
      native.result(),
    );
  expect(story.texts).toEqual([]);
  expect(story.answersOfModel).toHaveLength(1);
  story.expectLawful();
});

test("an image is kept once, as a file of the tool", () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "QUJD" } };
  const story = withCall("t1", "Read", { file_path: "/work/a.png" }).lines(
    native.toolResult("t1", [image], {}, { tool_use_result: { type: "image", file: { base64: "QUJD" } } }),
    native.result(),
  );
  const state = story.tool("t1");
  expect(state).toMatchObject({
    status: "completed",
    output: "",
    attachments: [{ mime: "image/png", url: "data:image/png;base64,QUJD" }],
  });
  expect(JSON.stringify(state).match(/QUJD/g)).toHaveLength(1);
  story.expectLawful();
});

test("a failed call loses the tag around its text", () => {
  const story = withCall("t1", "Nope", {}).lines(
    native.toolResult("t1", "<tool_use_error>Error: No such tool\navailable</tool_use_error>", { is_error: true }),
    native.result(),
  );
  expect(story.tool("t1")).toMatchObject({ status: "error", error: "Error: No such tool\navailable" });
  story.expectLawful();
});

test("a written file's result has the change as a patch that can be applied", () => {
  const story = withCall("t1", "Write", { file_path: "/work/new.txt", content: "a\nb" }).lines(
    native.toolResult(
      "t1",
      "ok",
      {},
      {
        tool_use_result: {
          type: "create",
          filePath: "/work/new.txt",
          content: "a\nb",
          structuredPatch: [],
          originalFile: null,
        },
      },
    ),
    native.result(),
  );
  expect(story.tool("t1")).toMatchObject({
    metadata: {
      diff: "--- new.txt\n+++ new.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n",
      filediff: { file: "new.txt", status: "added", additions: 2, deletions: 0 },
    },
  });
  story.expectLawful();
});

test("an edited file's result has the hunks the agent reports; what is none is left out", () => {
  const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] };
  const story = withCall("t1", "Edit", { file_path: "/work/a.txt" }).lines(
    native.toolResult(
      "t1",
      "ok",
      {},
      {
        tool_use_result: { filePath: "/work/a.txt", structuredPatch: [hunk, null, {}], originalFile: "a" },
      },
    ),
    native.result(),
  );
  expect(story.tool("t1")).toMatchObject({
    metadata: { filediff: { status: "modified", additions: 1, deletions: 1 } },
  });
  story.expectLawful();
});

test("a late copy of a line whose turn has ended begins no turn", () => {
  const line = native.whole("m_late", { type: "text", text: "Said." });
  const story = new Story().prompt().lines(native.init(), line);
  story.lines(native.result({ user_message_uuid: story.uuid }), line);
  expect(story.session.status.type).toBe("idle");
});
