import { describe, expect, test } from "vitest";
import { native, OPTIONS, running, SESSION, Story } from "./story.js";

const option = (optionId: string, kind: string) => ({ optionId, name: optionId, kind });

describe("a tool", () => {
  test.each([
    ["acp", { name: "bash" }, "bash", "bash"],
    ["acp", { title: "Bash" }, "bash", "Bash"],
    ["acp", { kind: "execute", title: "ls -l" }, "bash", undefined],
    ["acp", { name: "exec_command", kind: "read" }, "read", "exec_command"],
    ["acp", { kind: "edit", content: [native.diff("/a", null, "x")] }, "write", undefined],
    ["acp", { kind: "edit", content: [native.diff("/a", "y", "x")] }, "edit", undefined],
    ["acp", { name: "mcp__files__list" }, "mcp", "mcp__files__list"],
    ["acp", { kind: "fetch" }, "webfetch", undefined],
    ["acp", { kind: "search" }, "grep", undefined],
    ["acp", { name: "glob", kind: "search" }, "glob", "glob"],
    ["acp", { kind: "switch_mode" }, "plan", undefined],
    ["acp", { name: "brew_coffee", kind: "other" }, "brew_coffee", "brew_coffee"],
    ["acp", { kind: "of_the_future" }, "other", undefined],
    ["acp-qwen", { title: "Shell", _meta: { toolName: "run_shell_command" } }, "bash", "run_shell_command"],
    ["acp-claude", { title: "Task", _meta: { claudeCode: { toolName: "Agent" } } }, "task", "Agent"],
    ["acp-opencode", { title: "files_list", kind: "other" }, "mcp", "files_list"],
    ["acp-opencode", { title: "todowrite", kind: "other" }, "todowrite", "todowrite"],
    ["acp-kimi", { title: "TodoList", kind: "other" }, "todowrite", "TodoList"],
    [
      "acp-copilot",
      { title: "Creating a.txt", kind: "edit", content: [native.diff("/a", "", "x")] },
      "write",
      undefined,
    ],
  ])("of %s that is %j is %s", (agent, call, tool, name) => {
    const story = running(agent).updates(native.call("a", call));
    expect(story.tool.tool).toBe(tool);
    expect(story.tool.metadata?.native).toMatchObject({ toolCallId: "a", ...(name !== undefined && { tool: name }) });
  });

  test("has its name in its id where the agent tells it nowhere else", () => {
    const story = running("acp-gemini").updates(
      native.call("run_shell_command__run_shell_command_17_0", { title: "date" }),
    );
    expect(story.tool).toMatchObject({ tool: "bash", metadata: { native: { tool: "run_shell_command" } } });
    story.updates(native.change("run_shell_command__run_shell_command_17_0", { status: "completed", content: [] }));
    expect(story.tool.state).toMatchObject({ status: "completed", input: { command: "date" }, output: "" });
  });

  test("of a server is told by the name that the agent makes of it", () => {
    const story = running("acp-gemini").updates(
      native.call("mcp_files_list__17", { title: "list (files MCP Server)" }),
    );
    expect(story.tool).toMatchObject({ tool: "mcp", metadata: { native: { tool: "mcp_files_list" } } });
  });

  test("has its fields under one name, whatever the agent calls them", () => {
    const rawInput = { file_path: "/work/a", old_str: "x", newText: "y", limit: 3 };
    const story = running().updates(native.call("a", { name: "edit", status: "in_progress", rawInput }));
    expect(story.tool.state).toMatchObject({
      input: { filePath: "/work/a", oldString: "x", newString: "y", limit: 3 },
      title: "edit a",
    });
  });

  test("goes only forward: a state that comes again, or an earlier one, changes nothing", () => {
    const story = running().updates(
      native.call("a", { name: "bash", status: "in_progress", rawInput: { command: "ls" } }),
      native.call("a", { name: "bash", status: "pending", title: "again" }),
      native.change("a", { status: "in_progress" }),
      native.change("a", { status: "completed", ...native.output("done") }),
      native.change("a", { status: "in_progress" }),
      native.call("a", { status: "failed" }),
    );
    expect(story.tool.state).toMatchObject({ status: "completed", output: "done" });
    story.end().expectLawful();
  });

  test("may use the id of one of an earlier turn", () => {
    const story = running()
      .updates(native.call("call_1", { name: "bash", status: "completed" }))
      .end();
    story
      .prompt()
      .updates(native.call("call_1", { name: "read", status: "completed" }))
      .end();
    expect(story.tools().map(({ callID, tool }) => [callID, tool])).toEqual([
      ["1.call_1", "bash"],
      ["2.call_1", "read"],
    ]);
    story.expectLawful();
  });

  test("whose arguments stream as its content has them as its input, and not as its output", () => {
    const args = '{"command":"ls -l"}';
    const story = running("acp-kimi").updates(
      native.call("0:a", { title: "Bash", kind: "execute", status: "pending", ...native.output("") }),
      native.change("0:a", { status: "in_progress", ...native.output(args.slice(0, 10)) }),
      native.change("0:a", { status: "in_progress", ...native.output(args) }),
    );
    expect(story.tool.state).toMatchObject({ status: "pending", raw: args });
    story.lines(native.ask(0, { toolCallId: "0:a", title: "Bash", ...native.output("May I?") }));
    expect(story.block()).toMatchObject({ patterns: ["ls -l"] });
    story.reply({ decision: "once" });
    story.updates(
      native.change("0:a", {
        title: "Running: ls -l",
        status: "in_progress",
        rawInput: { command: "ls -l" },
        ...native.output(args),
      }),
    );
    expect(story.tool.state).toMatchObject({ status: "running", input: { command: "ls -l" } });
    expect(story.tool.state).not.toHaveProperty("metadata.output");
    story.updates(native.change("0:a", { status: "completed", ...native.output("a\n") })).end();
    expect(story.tool.state).toMatchObject({ status: "completed", output: "a\n" });
    story.expectLawful();
  });

  test("whose arguments are cut off by an abort is an error, never runs, and keeps what was written", () => {
    const story = running("acp-kimi").updates(
      native.call("0:a", { title: "Bash", status: "pending" }),
      native.change("0:a", { status: "in_progress", ...native.output('{"comm') }),
    );
    story.command({ type: "abort" }).end({ stopReason: "cancelled" });
    expect(story.tool.state).toMatchObject({
      status: "error",
      input: { raw: '{"comm' },
      error: "The turn was aborted",
    });
    story.expectLawful();
  });

  test("keeps its change of a file although a later content leaves it out", () => {
    const story = running("acp-kimi").lines(
      native.ask(0, { toolCallId: "e", title: "Edit", content: [native.diff("/work/a", "x\n", "y\n")] }),
    );
    story
      .reply({ decision: "once" })
      .updates(native.change("e", { status: "completed", ...native.output("Replaced 1") }));
    expect(story.tool.state).toMatchObject({
      output: "Replaced 1",
      metadata: { files: [{ relativePath: "a", additions: 1, deletions: 1 }] },
    });
  });

  test.each([
    ["acp-qwen", { ...native.output("Command: x\nOutput: hi"), rawOutput: { output: "hi", exitCode: 0 } }, "hi"],
    ["acp-claude", { ...native.output("```console\nhi\n```"), rawOutput: "hi" }, "hi"],
    ["acp-claude", { rawOutput: [{ type: "text", text: "hi" }] }, "hi"],
    ["acp-copilot", native.output("hi\n<shellId: 0 completed with exit code 0>"), "hi\n"],
    ["acp-pi", { rawOutput: { structuredContent: "hi" } }, "hi"],
    ["acp-opencode", { ...native.output("hi"), rawOutput: { output: "<path>a</path>hi" } }, "hi"],
  ])("of %s that ends with %j has put out %j", (agent, end, output) => {
    const story = running(agent).updates(native.call("a", { name: "x", kind: "execute" }));
    story.updates(native.change("a", { status: "completed", ...end }));
    expect(story.tool.state).toMatchObject({ status: "completed", output });
  });

  test.each([{ exit_code: 3 }, { exitCode: 3 }, { metadata: { exit: 3 } }, { contents: [{ exitCode: 3 }] }])(
    "that is a command has failed with %j",
    (rawOutput) => {
      const story = running().updates(native.call("a", { name: "bash", status: "completed", rawOutput }));
      expect(story.tool.state).toMatchObject({ status: "error", metadata: { exitCode: 3 } });
    },
  );

  test("whose shown output is not what was shown before is shown anew", () => {
    const running1 = running().updates(
      native.call("a", { name: "bash", status: "in_progress", rawInput: {}, ...native.output("10%") }),
      native.change("a", native.output("100%")),
    );
    expect(running1.tool.state).toMatchObject({ metadata: { output: "100%" } });
  });
});

describe("a permission", () => {
  const ask = (more = {}, options: unknown = OPTIONS, id: number | string = 0) =>
    native.ask(id, { toolCallId: "a", ...more }, options);

  test("shows the richer of two views of its call", () => {
    const story = running("acp-opencode").updates(
      native.call("a", {
        title: "bash",
        kind: "execute",
        rawInput: { command: "ls", description: "list", cwd: "/work" },
      }),
      native.change("a", { status: "in_progress" }),
    );
    story.lines(ask({ title: "ls", status: "pending", rawInput: { command: "ls" }, locations: [] }));
    expect(story.tool.state).toMatchObject({ status: "blocked", input: { command: "ls", description: "list" } });
    story.reply({ decision: "once" });
    expect(story.tool.state.status).toBe("running");
    story
      .updates(native.change("a", { status: "completed" }))
      .end()
      .expectLawful();
  });

  test('with the id 0, and one with the id "0", are two', () => {
    const story = running().lines(native.ask(0, { toolCallId: "a" }), native.ask("0", { toolCallId: "b" }));
    story.reply({ decision: "once" }, story.block(1).id);
    expect(story.said).toEqual([
      { jsonrpc: "2.0", token: '"0"', result: { outcome: { outcome: "selected", optionId: "yes" } } },
    ]);
    story.reply({ decision: "once" });
    expect(story.said).toMatchObject([{ token: "0" }]);
  });

  test.each([
    ["no options", null, ["reject"], []],
    ["only ways to reject", [option("n", "reject_once")], ["reject"], []],
    ["one way to allow", [option("y", "allow_once")], ["once", "reject"], []],
    [
      "two ways to reject",
      [option("y", "allow_once"), option("n", "reject_once"), option("never", "reject_always")],
      ["once", "reject"],
      [],
    ],
    ["two ways to allow always", [option("p", "allow_always"), option("u", "allow_always")], ["reject"], []],
    ["a way of an unknown kind", [option("y", "allow_once"), option("z", "allow_twice")], ["once", "reject"], []],
  ])("with %s offers what is plain", (_what, options, decisions, always) => {
    const story = running().lines(ask({ rawInput: { command: "ls" }, kind: "execute" }, options));
    expect(story.block()).toMatchObject({ decisions, always });
    story.reply({ decision: "reject" });
    const no = (options ?? []).find(({ kind }) => kind === "reject_once");
    const outcome = no ? { outcome: "selected", optionId: "n" } : { outcome: "cancelled" };
    expect(story.said).toMatchObject([{ result: { outcome } }]);
  });

  test("is never for good where what it is for is not known", () => {
    const story = running().lines(ask({ title: undefined, kind: "execute" }));
    expect(story.block()).toMatchObject({ patterns: ["*"], always: [] });
    story.reply({ optionID: "always" });
    expect(story.session.permission).toBeUndefined();
    expect(story.said).toMatchObject([{ result: { outcome: { optionId: "always" } } }]);
  });

  test("for a call that is over, or that waits already, has a part of its own", () => {
    const story = running().updates(native.call("a", { name: "bash", status: "completed" }));
    story.lines(ask(), ask({ toolCallId: "b" }, OPTIONS, 1), ask({ toolCallId: "b" }, OPTIONS, 2));
    expect(story.tools()).toHaveLength(4);
    for (const decision of ["once", "reject", "once"] as const) story.reply({ decision });
    expect(story.state.asks).toEqual({});
    story.end().expectLawful();
  });

  test("that an agent asks again is asked once", () => {
    const story = running().lines(ask(), ask());
    expect(story.tools()).toHaveLength(1);
  });

  test("is answered when its call is over without it, and the end tells the verdict", () => {
    const story = running().lines(ask({ rawInput: { command: "ls" } }));
    story.updates(native.change("a", { status: "failed", ...native.output("denied elsewhere") }));
    expect(story.tool.state).toMatchObject({ status: "error", block: { decision: "reject", decidedBy: "agent" } });
    expect(story.said).toMatchObject([{ result: { outcome: { outcome: "cancelled" } } }]);
  });

  test("that is taken back goes on by itself", () => {
    const story = running().lines(ask(), { method: "$/cancel_request", params: { requestId: 0 } });
    expect(story.tool.state.status).toBe("running");
    story.updates(native.change("a", { status: "completed" }));
    expect(story.tool.state).toMatchObject({ status: "completed", block: { decision: "once", decidedBy: "agent" } });
    story.lines({ method: "$/cancel_request", params: { requestId: 77 } });
    expect(story.said).toEqual([]);
  });

  test("is cancelled by an abort, and one that comes during it is too", () => {
    const story = running().lines(ask()).command({ type: "abort" });
    expect(story.said.map(({ method, result }) => method ?? result)).toEqual([
      "session/cancel",
      { outcome: { outcome: "cancelled" } },
    ]);
    story.lines(ask({ toolCallId: "b" }, OPTIONS, 1));
    expect(story.said).toMatchObject([{ result: { outcome: { outcome: "cancelled" } } }]);
    story.end({ stopReason: "cancelled" }).expectLawful();
  });

  test("may be rejected so that the turn ends", () => {
    const story = running().lines(ask()).reply({ decision: "reject", interrupt: true });
    expect(story.methods.at(-1)).toBe("session/cancel");
    story.end({ stopReason: "end_turn" });
    expect(story.answered).toMatchObject({ finish: "aborted" });
  });

  test("that was given for a call of which nothing more is told is done with the turn", () => {
    const story = running()
      .lines(ask({ title: "Bash" }))
      .reply({ decision: "once" })
      .end();
    expect(story.tool.state).toMatchObject({ status: "completed", block: { decision: "once" } });
    story.expectLawful();
  });

  test("may be a question: its answers go beside it", () => {
    const qwenQuestions = [
      { question: "Which?", header: "DB", options: [{ label: "PG", description: "big" }], multiSelect: false },
      { question: "And?", header: "More", options: [], multiSelect: true },
    ];
    const toolCall = { toolCallId: "q", _meta: { toolName: "ask_user_question", qwenQuestions } };
    const story = running("acp-qwen").lines(
      native.ask(0, toolCall, [option("go", "allow_once"), option("no", "reject_once")]),
    );
    expect(story.block()).toMatchObject({
      type: "question",
      questions: [{ header: "DB", options: [{ label: "PG" }], custom: true }, { multiple: true }],
    });
    story.reply({ answers: [["PG"], ["a", "b"]] });
    expect(story.said).toMatchObject([
      { result: { outcome: { outcome: "selected", optionId: "go" }, answers: { 0: "PG", 1: "a, b" } } },
    ]);
    story.updates(native.change("q", { status: "completed", ...native.output("thanks") })).end();
    expect(story.tool).toMatchObject({ tool: "question", state: { status: "completed" } });
    story.expectLawful();
  });
});

describe("a question", () => {
  test("of no session and no call has a part of its own; of a call that is not known too", () => {
    const form = (id: number, more = {}) => ({
      id,
      method: "elicitation/create",
      params: { mode: "form", message: "Sure?", requestedSchema: {}, ...more },
    });
    const story = running().lines(form(1), form(2, { sessionId: SESSION, toolCallId: "unknown" }));
    expect(story.block(0)).toMatchObject({ questions: [{ question: "Sure?", options: [{ label: "Done" }] }] });
    story.reply({ answers: [["Done"]] }).reply({ decision: "reject" });
    expect(story.said).toMatchObject([{ result: { action: "decline" } }]);
    story.end().expectLawful();
  });

  test("that waits when its turn is aborted is cancelled", () => {
    const story = running().lines({
      id: 1,
      method: "elicitation/create",
      params: { sessionId: SESSION, mode: "url", url: "x" },
    });
    story.command({ type: "abort" });
    expect(story.said.at(-1)).toMatchObject({ result: { action: "cancel" } });
  });
});

describe("subagents without sessions of their own", () => {
  test("have their calls in a child session, named by the call that began them", () => {
    const inChild = { _meta: { claudeCode: { toolName: "Bash", parentToolUseId: "task" } } };
    const story = running("acp-claude").updates(
      native.call("task", { name: "Agent", title: "Task", rawInput: {} }),
      native.change("task", { title: "Look", rawInput: { description: "Look", prompt: "Look!" } }),
      native.call("c1", { name: "Bash", rawInput: { command: "ls" }, ...inChild }),
    );
    story.lines(native.ask(5, { toolCallId: "c1", ...inChild }));
    const [child] = story.children;
    expect(child).toMatchObject({ title: "Look", status: { type: "busy" } });
    expect(story.tool.state).toMatchObject({ metadata: { sessionId: child?.id } });
    story
      .reply({ decision: "once" })
      .updates(
        native.change("c1", { status: "completed", rawOutput: "a", ...inChild }),
        native.change("task", { status: "completed", rawOutput: "found" }),
        native.say("Found."),
      );
    story.end();
    expect(story.tools(child?.id)[0]?.state).toMatchObject({ status: "completed", output: "a" });
    expect(story.children[0]?.status.type).toBe("idle");
    expect(story.tool.state).toMatchObject({ status: "completed", output: "found" });
    story.expectLawful();
  });
});

describe("one subagent", () => {
  const begin = (capabilities: unknown) => ({
    sessionUpdate: "subagent_update",
    sessionId: "kid",
    title: "Kid",
    state: { state: "running" },
    capabilities,
  });

  test("is ended alone where the agent can, and the parent goes on", () => {
    const story = running().updates(begin({ cancel: {} }));
    story.lines(native.update(native.say("child"), "kid"));
    story.command({ type: "abort", sessionID: story.children[0]?.id ?? "" });
    expect(story.said).toMatchObject([{ method: "session/cancel", params: { sessionId: "kid" } }]);
    expect(story.children[0]?.status.type).toBe("idle");
    expect(story.session.status.type).toBe("busy");
    story.end().expectLawful();
  });

  test("may work beside others, and they end in any order and in any way", () => {
    const news = (sessionId: string, state: unknown) => ({
      sessionUpdate: "subagent_update",
      sessionId,
      title: sessionId,
      state,
    });
    const story = running().updates(news("a", { state: "running" }), news("b", { state: "running" }));
    story.lines(native.update(native.say("from a"), "a"), native.update(native.say("from b"), "b"));
    story.lines(native.update(native.call("t", { name: "bash", status: "in_progress" }), "b"));
    story.updates(
      news("b", { state: "idle", stopReason: "refusal" }),
      news("a", { state: "idle", stopReason: "end_turn" }),
    );
    story.updates(native.say("Both done.")).end();
    const [a, b] = story.children;
    expect([story.texts(a?.id), story.texts(b?.id)]).toEqual([["from a"], ["from b"]]);
    expect(story.messages(b?.id).at(-1)).toMatchObject({ finish: "refusal", error: { name: "refusal" } });
    expect(story.tools(b?.id)[0]?.state).toMatchObject({ status: "error" });
    expect(story.answered).toMatchObject({ finish: "stop" });
    story.expectLawful();
  });

  test("that cannot be cancelled alone ends with its parent", () => {
    const story = running().updates(begin(null));
    story.lines(native.update(native.say("child"), "kid")).command({ type: "abort" });
    expect(story.said.map(({ params }) => params)).toEqual([{ sessionId: SESSION }]);
    story.end({ stopReason: "cancelled" }).exit().expectLawful();
  });

  test("may have subagents, and goes on in the same session when it is spoken to again", () => {
    const message = (messageId: string, text: string) => ({
      sessionUpdate: "session_message",
      messageId,
      recipientSessionId: "kid",
      content: [{ type: "text", text }],
    });
    const idle = {
      sessionUpdate: "subagent_update",
      sessionId: "kid",
      state: { state: "idle", stopReason: "end_turn" },
    };
    const story = running().updates(begin({}), message("m1", "one"));
    story.lines(
      native.update(
        { sessionUpdate: "subagent_update", sessionId: "grandkid", title: "Deeper", state: { state: "running" } },
        "kid",
      ),
      native.update(native.say("deep"), "grandkid"),
      native.update({ sessionUpdate: "subagent_update", sessionId: "grandkid", state: { state: "idle" } }, "kid"),
      native.update(native.say("shallow"), "kid"),
    );
    story.updates(idle, message("m2", "two"), message("m2", "two"));
    story.lines(native.update(native.say("again"), "kid"));
    story.updates(idle);
    story.end();
    const [kid, grandkid] = story.children;
    expect(grandkid?.parentID).toBe(kid?.id);
    expect(story.texts(kid?.id)).toEqual(["shallow", "again"]);
    expect(story.messages(kid?.id).filter(({ role }) => role === "user")).toHaveLength(2);
    story.expectLawful();
  });
});

test("a story without a program that ever starts is lawful too", () => {
  new Story().prompt().prompt("two").exit({ code: 1 }).expectLawful();
});
