import { describe, expect, test } from "vitest";
import { childOf, childrenOf, delegating, subagent, text, working } from "./children.js";
import { native } from "./native.js";
import { type Story, withCall } from "./story.js";

const LS = { command: "ls" };
const calls = (id: string) => native.whole(`m_${id}`, native.call(id, "Bash", LS));
const asks = (request: string, call: string, agent_id: string) => native.ask(request, call, "Bash", LS, { agent_id });
const stopTasks = (story: Story) => story.sent.filter((frame) => JSON.stringify(frame).includes("stop_task"));

/** A subagent whose one tool waits for a decision. */
const blocked = () => working().lines(subagent.line(calls("c1"), "t1", "a1"), asks("r1", "c1", "a1"));

describe("lines before the start line", () => {
  test.each([
    ["that name the subagent", "a1"],
    ["that name only the call, as older ones do", undefined],
  ])("%s belong to the session that starts later", (_, agentID) => {
    const story = delegating().lines(
      subagent.line(text("m1", "first"), "t1", agentID),
      subagent.started("a1", "t1"),
      subagent.line(text("m2", "second"), "t1", agentID),
    );
    expect(childrenOf(story)).toHaveLength(1);
    const { info, texts } = childOf(story);
    expect(info).toMatchObject({ parentID: story.session.id, title: "Look (@scout subagent)" });
    expect(texts).toEqual(["first", "second"]);
    expect(story.tool("t1")).toMatchObject({ status: "running", metadata: { sessionId: info.id } });
    story.lines(subagent.ended("a1"));
    expect(childOf(story).info.status).toEqual({ type: "idle" });
    story.lines(native.toolResult("t1", "second"), native.result()).expectLawful();
  });

  test("begin a turn that ends also when the start line never comes", () => {
    const story = delegating().lines(subagent.line(calls("c1"), "t1", "a1"), subagent.ended("a1"));
    expect(childOf(story).info).toMatchObject({ title: "subagent", status: { type: "idle" } });
    expect(story.tool("c1")).toMatchObject({ status: "error" });
    story.lines(native.toolResult("t1", "done"), native.result()).expectLawful();
  });

  test("a start line that comes twice begins one turn with one prompt", () => {
    const story = working().lines(subagent.started("a1", "t1"), subagent.ended("a1"));
    expect(childrenOf(story)).toHaveLength(1);
    expect(childOf(story)).toMatchObject({ prompts: ["Look around."], answers: [{ finish: "stop" }] });
    story.lines(native.toolResult("t1", "done"), native.result()).expectLawful();
  });
});

describe("lines of a call that nobody made", () => {
  test("are kept in a session of their own, and the parent's turn is not touched", () => {
    const story = withCall("t1", "Bash", LS).lines(
      subagent.line(text("m1", "hello"), "t9", "a9"),
      subagent.line(calls("c1"), "t9", "a9"),
      subagent.line(native.toolResult("c1", "out"), "t9", "a9"),
      text("m2", "mine"),
    );
    expect(childOf(story)).toMatchObject({
      info: { parentID: story.session.id, status: { type: "busy" } },
      texts: ["hello"],
      tools: [{ callID: "c1", state: { status: "completed", output: "out" } }],
    });
    expect(story.texts).toMatchObject([{ text: "mine" }]);
    story.lines(native.toolResult("t1", "ok"), subagent.ended("a9"), native.result());
    expect(childOf(story).info.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("that name no subagent either are closed with the process", () => {
    const story = delegating()
      .lines(subagent.line(text("m1", "hello"), "t9"), native.result())
      .exit();
    expect(childOf(story)).toMatchObject({ texts: ["hello"], info: { status: { type: "idle" } } });
    story.expectLawful();
  });

  test("the end of a subagent that was never seen is nothing", () => {
    const story = delegating();
    const told = story.events.length;
    story.lines(subagent.ended("a9"));
    expect(story.events).toHaveLength(told);
    story.lines(native.result()).expectLawful();
  });
});

describe("the end", () => {
  const ended = "The subagent ended before this tool had a result";
  const failed = "The subagent failed before this tool had a result";

  test.each([
    ["completed", { summary: "" }, "tool-calls", undefined, ended],
    ["stopped", { summary: "by hand" }, "aborted", undefined, "The subagent was stopped"],
    ["failed", { summary: "no network" }, "error", "no network", failed],
    ["failed", {}, "error", "The subagent failed", failed],
    ["a status of tomorrow", {}, "error", "The subagent failed", failed],
    [null, {}, "error", "The subagent failed", failed],
  ])("%s with %j closes what is open", (status, change, finish, message, toolError) => {
    const end = { ...subagent.ended("a1"), status, ...change };
    const story = working().lines(subagent.line(calls("c1"), "t1", "a1"), end);
    const child = childOf(story);
    expect(child.info.status).toEqual({ type: "idle" });
    expect(child.info.error?.message).toBe(message);
    expect(child.answers).toMatchObject([{ finish }]);
    expect(story.tool("c1")).toMatchObject({ status: "error", error: toolError });
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(native.toolResult("t1", "done"), native.result()).expectLawful();
  });

  test.each(["completed", "stopped", "failed"])("told again, as %s, changes nothing", (status) => {
    const story = working().lines(subagent.line(text("m1", "done"), "t1", "a1"), subagent.ended("a1"));
    const told = story.events.length;
    story.lines(subagent.ended("a1", status, { summary: "another report" }));
    expect(story.events).toHaveLength(told);
    story.lines(native.toolResult("t1", "done"), native.result()).expectLawful();
  });

  test("a result that comes after it is too late for its tool", () => {
    const story = working().lines(subagent.line(calls("c1"), "t1", "a1"), subagent.ended("a1", "stopped"));
    const told = story.events.length;
    story.lines(subagent.line(native.toolResult("c1", "late"), "t1", "a1"));
    expect(story.events).toHaveLength(told);
    expect(story.tool("c1")).toMatchObject({ status: "error" });
    story.lines(native.toolResult("t1", "done"), native.result()).expectLawful();
  });

  test.each([
    ["is the last text: it is not repeated", [text("m1", "done\n")], ["done\n"]],
    ["is none of its texts: it is added", [text("m1", "I look.")], ["I look.", "done"]],
    ["is the only text: it is added", [], ["done"]],
    ["was said before the last tool: it is said again", [text("m1", "done"), calls("c1")], ["done", "done"]],
  ])("the report that %s", (_, lines, texts) => {
    const own = lines.map((line) => subagent.line(line, "t1", "a1"));
    const story = working().lines(...own, subagent.ended("a1", "completed", { summary: " done " }));
    expect(childOf(story).texts).toEqual(texts);
    story.lines(native.toolResult("t1", "done"), native.result()).expectLawful();
  });

  test.each(["stopped", "failed"])("%s: the summary is no report", (status) => {
    const story = working().lines(subagent.ended("a1", status, { summary: "why" }));
    expect(childOf(story).texts).toEqual([]);
    story.lines(native.toolResult("t1", "no", { is_error: true }), native.result()).expectLawful();
  });

  test("after the parent's turn leaves the parent as it was", () => {
    const story = working().lines(
      native.toolResult("t1", "Async agent launched successfully."),
      text("m2", "It is at work."),
      native.result(),
    );
    expect(story.session.status).toEqual({ type: "idle" });
    expect(childOf(story).info.status).toEqual({ type: "busy" });
    const before = story.messages;
    story.lines(subagent.line(text("m1", "done"), "t1", "a1"), subagent.ended("a1"));
    expect(childOf(story)).toMatchObject({ texts: ["done"], info: { status: { type: "idle" } } });
    expect(story.session.status).toEqual({ type: "idle" });
    expect(story.messages).toEqual(before);
    story.expectLawful();
  });

  test("after the parent's result for the call: it still counts", () => {
    const story = working().lines(native.toolResult("t1", "done"), subagent.ended("a1", "failed", { summary: "late" }));
    expect(story.tool("t1")).toMatchObject({ status: "completed" });
    expect(childOf(story).info).toMatchObject({ status: { type: "idle" }, error: { message: "late" } });
    story.lines(native.result()).expectLawful();
  });
});

describe("the process ends", () => {
  test.each([
    ["nothing came from it yet", working],
    ["its text stands", () => working().lines(subagent.line(text("m1", "I look."), "t1", "a1"))],
    ["its tool runs", () => working().lines(subagent.line(calls("c1"), "t1", "a1"))],
    ["its tool is blocked", blocked],
    ["its ask was taken back", () => blocked().lines(native.withdraw("r1"))],
    ["only lines before its start came", () => delegating().lines(subagent.line(text("m1", "I look."), "t1"))],
    ["the parent's turn is over", () => working().lines(native.toolResult("t1", "launched"), native.result())],
    [
      "it has one of its own",
      () =>
        working().lines(
          subagent.line(native.whole("m1", native.call("t2", "Agent", {})), "t1", "a1"),
          subagent.started("a2", "t2", { parent_task_id: "a1" }),
        ),
    ],
  ])("while %s: every subagent is closed and idle, with the reason", (_, until) => {
    const story = until().exit({ code: 3, stderr: "boom" });
    for (const { info, answers, tools } of childrenOf(story)) {
      expect(info).toMatchObject({ status: { type: "idle" }, error: { name: "agent_exited" } });
      expect(answers.at(-1)).toMatchObject({ finish: "error", error: { message: expect.stringContaining("boom") } });
      expect(tools.every(({ state }) => state.status === "error")).toBe(true);
    }
    expect(childrenOf(story).length).toBeGreaterThan(0);
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test.each([
    ["by itself", {}, "agent"],
    ["with the gateway", { lost: true }, "shutdown"],
  ])("%s: that is who decided what a subagent waited for", (_, exit, decidedBy) => {
    const story = blocked();
    const { id } = story.blockOf("c1");
    story.exit({ code: 1, ...exit }).reply({ decision: "once" }, id);
    expect(story.effects).toEqual([]);
    expect(story.tool("c1")).toMatchObject({ status: "error", block: { decision: "reject", decidedBy } });
    story.expectLawful();
  });

  test("two that run are both closed; one that had ended keeps its end", () => {
    const story = working()
      .lines(
        subagent.line(text("m1", "done"), "t1", "a1"),
        subagent.ended("a1"),
        native.whole("m2", native.call("t2", "Agent", {})),
        native.whole("m2", native.call("t3", "Agent", {})),
        subagent.started("a2", "t2"),
        subagent.started("a3", "t3"),
      )
      .exit({ code: 1 });
    expect(childrenOf(story).map(({ info }) => info.status.type)).toEqual(["idle", "idle", "idle"]);
    expect(childrenOf(story).map(({ answers }) => answers.at(-1)?.finish)).toEqual(["stop", "error", "error"]);
    expect(childOf(story).info).not.toHaveProperty("error");
    story.expectLawful();
  });
});

describe("asks of a subagent", () => {
  test("are blocked, decided and run in its session", () => {
    const story = blocked();
    const { info } = childOf(story);
    expect(childOf(story).tools).toMatchObject([{ sessionID: info.id, callID: "c1", state: { status: "blocked" } }]);
    expect(story.tool("t1")).toMatchObject({ status: "running" });
    story.reply({ decision: "once" });
    expect(story.answers("r1")).toMatchObject([{ response: { behavior: "allow", updatedInput: LS } }]);
    expect(story.tool("c1")).toMatchObject({ status: "running", block: { decision: "once" } });
    story.lines(subagent.line(native.toolResult("c1", "out"), "t1", "a1"), subagent.ended("a1"));
    expect(story.tool("c1")).toMatchObject({ status: "completed", output: "out", block: { decision: "once" } });
    story.lines(native.toolResult("t1", "done"), native.result()).expectLawful();
  });

  test("rejected: its tool fails, it and its parent go on", () => {
    const story = blocked().reply({ decision: "reject", message: "not here" });
    expect(story.answers("r1")).toMatchObject([{ response: { behavior: "deny", message: "not here" } }]);
    expect(story.tool("c1")).toMatchObject({ status: "error", error: "not here" });
    expect(childOf(story).info.status).toEqual({ type: "busy" });
    expect(story.tool("t1")).toMatchObject({ status: "running" });
    story.lines(subagent.ended("a1"), native.toolResult("t1", "done"), native.result()).expectLawful();
  });

  test("before the line of their call: the call has one part", () => {
    const story = working().lines(asks("r1", "c1", "a1"), subagent.line(calls("c1"), "t1", "a1"));
    expect(childOf(story).tools).toMatchObject([{ callID: "c1", state: { status: "blocked" } }]);
    story.reply({ decision: "once" }).lines(subagent.line(native.toolResult("c1", "out"), "t1", "a1"));
    expect(childOf(story).tools).toMatchObject([{ callID: "c1", state: { status: "completed" } }]);
    story.lines(subagent.ended("a1"), native.toolResult("t1", "done"), native.result()).expectLawful();
  });

  test("to write a file: the diff is on its own tool", () => {
    const input = { file_path: "/work/a.txt", content: "b\n" };
    const story = working().lines(
      subagent.line(native.whole("m1", native.call("c1", "Write", input)), "t1", "a1"),
      native.ask("r1", "c1", "Write", input, { agent_id: "a1" }),
    );
    expect(story.tool("c1")).toMatchObject({ status: "running" });
    story.file("a\n");
    expect(story.blockOf("c1")).toMatchObject({ metadata: { diff: expect.stringContaining("-a\n+b") } });
    story.lines(subagent.ended("a1"), native.toolResult("t1", "done"), native.result()).expectLawful();
  });

  test.each(["waits", "is still made, for the file is read"])("that %s when it ends is void", (how) => {
    const input = { file_path: "/work/a.txt", content: "b\n" };
    const story = working().lines(native.ask("r1", "c1", "Write", input, { agent_id: "a1" }));
    if (how === "waits") story.file(null);
    story.lines(subagent.ended("a1")).file(null);
    expect(story.tool("c1")).toMatchObject({ status: "error" });
    expect(story.answers("r1")).toEqual([]);
    expect(childOf(story).info.status).toEqual({ type: "idle" });
    story.lines(native.toolResult("t1", "done"), native.result()).expectLawful();
  });

  test("taken back by the CLI: the tool runs, the result tells the verdict", () => {
    const story = blocked().lines(native.withdraw("r1"));
    expect(story.tool("c1")).toMatchObject({ status: "running" });
    const verdict = { tool_result_meta: [{ id: "c1", permission_decision: { decision: "accept", source: "hook" } }] };
    story.lines(subagent.line(native.toolResult("c1", "out", {}, verdict), "t1", "a1"));
    expect(story.tool("c1")).toMatchObject({ status: "completed", block: { decision: "once", decidedBy: "agent" } });
    story.lines(subagent.ended("a1"), native.toolResult("t1", "done"), native.result()).expectLawful();
  });

  test("while the parent is blocked too: each decision is for its own", () => {
    const story = blocked().lines(calls("t2"), native.ask("r2", "t2", "Bash", LS));
    story.reply({ decision: "reject" }, story.blockOf("t2").id);
    expect(story.tool("t2")).toMatchObject({ status: "error" });
    expect(story.tool("c1")).toMatchObject({ status: "blocked" });
    story.reply({ decision: "once" }, story.blockOf("c1").id);
    expect(story.answers("r1")).toMatchObject([{ response: { behavior: "allow" } }]);
    expect(story.answers("r2")).toMatchObject([{ response: { behavior: "deny" } }]);
    story.lines(subagent.ended("a1"), native.toolResult("t1", "done"), native.result()).expectLawful();
  });

  test("of a background one outlive the parent's turn", () => {
    const story = blocked().lines(native.toolResult("t1", "launched"), native.result());
    expect(story.session.status).toEqual({ type: "idle" });
    story.reply({ decision: "once" });
    expect(story.answers("r1")).toHaveLength(1);
    expect(story.tool("c1")).toMatchObject({ status: "running" });
    story.lines(subagent.line(native.toolResult("c1", "out"), "t1", "a1"), subagent.ended("a1"));
    expect(childOf(story).info.status).toEqual({ type: "idle" });
    story.expectLawful();
  });
});

describe("two at once", () => {
  const both = () =>
    working().lines(native.whole("msg_t1", native.call("t2", "Agent", {})), subagent.started("a2", "t2"));

  test("interleaved lines each go to their own", () => {
    const story = both().lines(
      subagent.line(text("m1", "one a"), "t1", "a1"),
      subagent.line(text("m2", "two a"), "t2", "a2"),
      subagent.line(calls("c1"), "t1", "a1"),
      subagent.line(calls("c2"), "t2", "a2"),
      subagent.line(native.toolResult("c2", "out two"), "t2", "a2"),
      subagent.line(text("m3", "two b"), "t2", "a2"),
      subagent.line(native.toolResult("c1", "out one"), "t1", "a1"),
      subagent.line(text("m4", "one b"), "t1", "a1"),
    );
    expect(childOf(story, 0)).toMatchObject({
      texts: ["one a", "one b"],
      tools: [{ callID: "c1", state: { output: "out one" } }],
    });
    expect(childOf(story, 1)).toMatchObject({
      texts: ["two a", "two b"],
      tools: [{ callID: "c2", state: { output: "out two" } }],
    });
    story.lines(subagent.ended("a1"), subagent.ended("a2"), native.result()).expectLawful();
  });

  test("the end of one leaves the other as it is", () => {
    const story = both().lines(
      subagent.line(calls("c1"), "t1", "a1"),
      subagent.line(calls("c2"), "t2", "a2"),
      asks("r1", "c1", "a1"),
      asks("r2", "c2", "a2"),
      subagent.ended("a1", "failed"),
    );
    expect(childrenOf(story).map(({ info }) => info.status.type)).toEqual(["idle", "busy"]);
    expect(story.tool("c1")).toMatchObject({ status: "error" });
    expect(story.tool("c2")).toMatchObject({ status: "blocked" });
    story.reply({ decision: "once" });
    expect(story.answers("r2")).toHaveLength(1);
    expect(story.answers("r1")).toEqual([]);
    story.lines(subagent.ended("a2"), native.result()).expectLawful();
  });

  test("their texts may share a message id", () => {
    const story = both().lines(
      subagent.line(text("m", "one"), "t1", "a1"),
      subagent.line(text("m", "two"), "t2", "a2"),
      text("m", "main"),
    );
    expect(childrenOf(story).map(({ texts }) => texts)).toEqual([["one"], ["two"]]);
    expect(story.texts).toMatchObject([{ text: "main" }]);
    story.lines(subagent.ended("a1"), subagent.ended("a2"), native.result()).expectLawful();
  });
});

describe("one inside another", () => {
  const nested = (change = {}) =>
    working().lines(
      subagent.line(native.whole("m1", native.call("t2", "Agent", {})), "t1", "a1"),
      subagent.started("a2", "t2", change),
    );

  test.each([
    ["says so", { parent_task_id: "a1" }],
    ["does not, but its call is the outer one's", {}],
  ])("whose start line %s is the outer one's child", (_, change) => {
    const story = nested(change);
    const outer = childOf(story, 0);
    const inner = childOf(story, 1);
    expect(inner.info.parentID).toBe(outer.info.id);
    expect(outer.tools).toMatchObject([{ callID: "t2", state: { metadata: { sessionId: inner.info.id } } }]);
    expect(story.tool("t1")).toMatchObject({ metadata: { sessionId: outer.info.id } });
    story
      .lines(
        subagent.ended("a2"),
        subagent.line(native.toolResult("t2", "inner"), "t1", "a1"),
        subagent.ended("a1"),
        native.toolResult("t1", "outer"),
        native.result(),
      )
      .expectLawful();
  });

  test("goes on when the outer one has ended", () => {
    const story = nested({ parent_task_id: "a1" }).lines(
      subagent.ended("a1", "stopped"),
      subagent.line(text("m2", "still here"), "t2", "a2"),
    );
    expect(childrenOf(story).map(({ info }) => info.status.type)).toEqual(["idle", "busy"]);
    expect(story.tool("t2")).toMatchObject({ status: "error", error: "The subagent was stopped" });
    expect(childOf(story, 1).texts).toEqual(["still here"]);
    story.lines(subagent.ended("a2"), native.result());
    expect(childOf(story, 1).info.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("asks in its own session", () => {
    const story = nested({ parent_task_id: "a1" }).lines(
      subagent.line(calls("c1"), "t2", "a2"),
      asks("r1", "c1", "a2"),
    );
    expect(childOf(story, 1).tools).toMatchObject([{ callID: "c1", state: { status: "blocked" } }]);
    expect(story.tool("t2")).toMatchObject({ status: "running" });
    story.reply({ decision: "once" });
    expect(story.answers("r1")).toHaveLength(1);
    story.lines(subagent.ended("a2"), subagent.ended("a1"), native.result()).expectLawful();
  });
});

describe("abort while a subagent is blocked", () => {
  const abortChild = (story: Story) => story.command({ type: "abort", sessionID: childOf(story).info.id });

  test("of that subagent: its ask is void at once, the agent is told to stop it and not to interrupt the turn", () => {
    const story = blocked();
    const { id } = story.blockOf("c1");
    abortChild(story);
    expect(story.tool("c1")).toMatchObject({ status: "error", block: { decision: "reject", decidedBy: "user" } });
    expect(story.effects).toMatchObject([
      { kind: "send", frame: { request: { subtype: "stop_task", task_id: "a1" } } },
    ]);
    expect(story.session.status).toEqual({ type: "busy" });
    story.reply({ decision: "once" }, id);
    expect(story.answers("r1")).toEqual([]);
    story.lines(native.withdraw("r1"), subagent.ended("a1", "stopped"));
    expect(childOf(story)).toMatchObject({ info: { status: { type: "idle" } }, answers: [{ finish: "aborted" }] });
    story.lines(native.toolResult("t1", "stopped", { is_error: true }), native.result()).expectLawful();
  });

  test("of that subagent while a file is read for its ask: the file comes for nothing", () => {
    const input = { file_path: "/work/a.txt", content: "b\n" };
    const story = abortChild(working().lines(native.ask("r1", "c1", "Write", input, { agent_id: "a1" }))).file(null);
    expect(story.tool("c1").status).not.toBe("blocked");
    story.lines(subagent.ended("a1", "stopped"));
    expect(story.tool("c1")).toMatchObject({ status: "error" });
    story.lines(native.result()).expectLawful();
  });

  test("of another subagent leaves this ask open", () => {
    const story = blocked().lines(
      native.whole("msg_t1", native.call("t2", "Agent", {})),
      subagent.started("a2", "t2"),
      subagent.line(calls("c2"), "t2", "a2"),
      asks("r2", "c2", "a2"),
    );
    abortChild(story);
    expect(story.tool("c2")).toMatchObject({ status: "blocked" });
    story.reply({ decision: "once" });
    expect(story.answers("r2")).toHaveLength(1);
    story.lines(subagent.ended("a1", "stopped"), subagent.ended("a2"), native.result()).expectLawful();
  });

  test.each([
    ["has ended", (story: Story) => abortChild(story.lines(subagent.ended("a1")))],
    ["was never there", (story: Story) => story.command({ type: "abort", sessionID: "ses_unknown" })],
  ])("of one that %s does nothing", (_, abort) => {
    const story = abort(working());
    expect(story.effects).toEqual([]);
    expect(story.session.status).toEqual({ type: "busy" });
    expect(stopTasks(story)).toEqual([]);
    story.lines(subagent.ended("a1"), native.result()).expectLawful();
  });

  test.each([
    ["takes its ask back first", [native.withdraw("r1")]],
    ["takes nothing back", []],
  ])("of the parent, where the CLI %s: both turns are aborted", (_, before) => {
    const story = blocked()
      .abort()
      .lines(
        ...before,
        native.toolResult("t1", "rejected", { is_error: true }),
        subagent.ended("a1", "stopped"),
        native.aborted("tools"),
      );
    expect(story.tool("c1")).toMatchObject({ status: "error", error: "The subagent was stopped" });
    expect(childOf(story)).toMatchObject({ info: { status: { type: "idle" } }, answers: [{ finish: "aborted" }] });
    expect(story.answersOfModel.at(-1)).toMatchObject({ finish: "aborted" });
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("of the parent leaves a background one blocked until it is decided", () => {
    const story = blocked()
      .lines(native.toolResult("t1", "launched"), native.start("m2"))
      .abort()
      .lines(native.aborted("streaming"));
    expect(story.session.status).toEqual({ type: "idle" });
    expect(story.tool("c1")).toMatchObject({ status: "blocked" });
    story.reply({ decision: "once" });
    expect(story.answers("r1")).toMatchObject([{ response: { behavior: "allow" } }]);
    story.lines(subagent.ended("a1")).expectLawful();
  });

  test("of the parent that the CLI does not follow: the kill closes the subagent too, as aborted", () => {
    const story = blocked().abort().wake();
    expect(story.effects).toContainEqual({ kind: "stop", how: "kill" });
    expect(childOf(story)).toMatchObject({ info: { status: { type: "idle" } }, answers: [{ finish: "aborted" }] });
    expect(childOf(story).info).not.toHaveProperty("error");
    expect(story.tool("c1")).toMatchObject({ status: "error", block: { decision: "reject", decidedBy: "user" } });
    story.lines(subagent.line(text("late", "late"), "t1", "a1")).exit({ code: null, signal: "SIGKILL" });
    expect(childOf(story).texts).toEqual([]);
    story.expectLawful();
  });
});

describe("an ask before the start line", () => {
  const nested = () => working().lines(subagent.line(native.whole("m1", native.call("t2", "Agent", {})), "t1", "a1"));

  test("stands in the session of the only call that has no subagent yet, and the call knows it", () => {
    const story = delegating().lines(asks("r1", "c1", "a1"));
    const { id } = childOf(story).info;
    expect(story.tool("t1")).toMatchObject({ status: "running", metadata: { sessionId: id } });
    story.reply({ decision: "reject" }).lines(subagent.ended("a1"), native.toolResult("t1", "done"));
    expect(story.tool("t1")).toMatchObject({ output: expect.stringContaining(`task_id: ${id}`) });
    story.lines(native.result()).expectLawful();
  });

  test("of a subagent's own subagent stands below that one", () => {
    const story = nested().lines(asks("r1", "c1", "a2"));
    const [outer, inner] = childrenOf(story);
    expect(inner?.info.parentID).toBe(outer?.info.id);
    expect(story.tool("t2")).toMatchObject({ metadata: { sessionId: inner?.info.id } });
    story.exit().expectLawful();
  });

  test("of one of two calls waits for the start line to tell which", () => {
    const other = native.whole("m2", native.call("t2", "Agent", {}));
    const story = delegating().lines(other, asks("r1", "c1", "a2"));
    expect(story.tool("t1")).not.toHaveProperty("metadata");
    story.lines(subagent.started("a2", "t2"), subagent.started("a1", "t1"));
    const [second, first] = childrenOf(story);
    expect(story.tool("t2")).toMatchObject({ metadata: { sessionId: second?.info.id } });
    expect(story.tool("t1")).toMatchObject({ metadata: { sessionId: first?.info.id } });
    expect(childrenOf(story).map(({ info }) => info.parentID)).toEqual([story.session.id, story.session.id]);
    story.exit().expectLawful();
  });

  test("where two calls of different sessions have none is the main session's", () => {
    const story = nested().lines(native.whole("m2", native.call("t3", "Agent", {})), asks("r1", "c1", "a2"));
    expect(childOf(story, 1).info.parentID).toBe(story.session.id);
    story.exit().expectLawful();
  });
});

describe("a start line that comes late", () => {
  test.each([
    ["an ask", () => delegating().lines(asks("r1", "c1", "a1"))],
    ["a line that names the subagent", () => delegating().lines(subagent.line(text("m1", "hi"), "t1", "a1"))],
    ["a line that names only the call", () => delegating().lines(subagent.line(text("m1", "hi"), "t1"))],
  ])("after %s tells the prompt and the kind of subagent, once", (_, early) => {
    const story = early().lines(subagent.started("a1", "t1"), subagent.started("a1", "t1"));
    const { prompts, info } = childOf(story);
    expect(childrenOf(story)).toHaveLength(1);
    expect(prompts).toEqual(["Look around."]);
    expect(info.metadata).toEqual({ native: { taskID: "a1", subagentType: "scout" } });
    story.exit().expectLawful();
  });
});

describe("the end of a subagent that is known only by its call", () => {
  test.each([
    ["names both", { tool_use_id: "t1" }],
    ["names only the call", { tool_use_id: "t1", task_id: undefined }],
  ])("is found where it %s", (_, names) => {
    const story = delegating().lines(
      subagent.line(text("m1", "I look."), "t1"),
      subagent.ended("a1", "completed", names),
    );
    expect(childOf(story).info.status).toEqual({ type: "idle" });
    story.lines(native.toolResult("t1", "done"), native.result()).expectLawful();
  });

  test.each([
    ["nothing", { task_id: undefined }],
    ["another call", { task_id: undefined, tool_use_id: "t9" }],
  ])("is not, where it names %s", (_, names) => {
    const story = delegating().lines(asks("r1", "c1", "a1"), subagent.ended("a1", "completed", names));
    expect(childOf(story).info.status).toEqual({ type: "busy" });
  });
});

test.each([
  ["a text", text("m1", "said")],
  ["a call", calls("c1")],
  ["a result", native.toolResult("c1", "out")],
  [
    "a failure of the API",
    {
      ...native.whole("m1", { type: "text", text: "Overloaded" }, { model: "<synthetic>" }),
      is_api_error_message: true,
    },
  ],
])("a copy of %s that comes after a subagent's end, or its parent's, says nothing", (_, line) => {
  const own = subagent.line(line, "t1", "a1");
  const story = working().lines(own, subagent.ended("a1"), native.toolResult("t1", "done"), line, native.result());
  const told = story.events.length;
  story.lines(own, line);
  expect(story.events).toHaveLength(told);
  story.expectLawful();
});

test("what is always allowed in a subagent is allowed in the whole session", () => {
  const permission_suggestions = [
    { type: "addRules", behavior: "allow", rules: [{ toolName: "Bash", ruleContent: "ls" }], destination: "session" },
  ];
  const story = working().lines(
    subagent.line(calls("c1"), "t1", "a1"),
    native.ask("r1", "c1", "Bash", LS, { agent_id: "a1", permission_suggestions }),
  );
  story.reply({ decision: "always" });
  const rules = [{ permission: "bash", pattern: "ls", action: "allow", source: "approval" }];
  expect(story.session.permission).toEqual(rules);
  expect(childOf(story).info.permission).toEqual(rules);
  story.exit().expectLawful();
});

test("the result of a call whose subagent was never seen names no session", () => {
  const story = delegating().lines(native.toolResult("t1", "It is done."));
  expect(story.tool("t1")).toMatchObject({ status: "completed", output: "It is done." });
});
