import { describe, expect, test } from "vitest";
import { native } from "./native.js";
import { Story, withCall } from "./story.js";

const LS = { command: "ls" };
const RULE = {
  type: "addRules",
  behavior: "allow",
  destination: "localSettings",
  rules: [{ toolName: "Bash", ruleContent: "ls *" }],
};

function asked(change: Record<string, unknown> = {}, story = withCall("t1", "Bash", LS)): Story {
  return story.lines(native.ask("r1", "t1", "Bash", LS, change));
}

const allowed = (story: Story, requestID = "r1") => story.answers(requestID).map(({ response }) => response);

describe("an answer", () => {
  test("once: the tool runs with its input", () => {
    const story = asked().reply({ decision: "once" });
    expect(allowed(story)).toEqual([{ behavior: "allow", updatedInput: LS, decisionClassification: "user_temporary" }]);
    expect(story.tool("t1")).toMatchObject({ status: "running", block: { decision: "once", decidedBy: "user" } });
  });

  test("always: the CLI gets back what it offered for this, the session the patterns", () => {
    const story = asked({ permission_suggestions: [RULE, { type: "setMode", mode: "acceptEdits" }] }).reply({
      decision: "always",
    });
    expect(allowed(story)).toMatchObject([
      { behavior: "allow", updatedPermissions: [RULE], decisionClassification: "user_permanent" },
    ]);
    expect(story.session.permission).toEqual([
      { permission: "bash", pattern: "ls *", action: "allow", source: "approval" },
    ]);
  });

  test("reject: the tool fails with the person's words, the agent hears them", () => {
    const story = asked().reply({ decision: "reject", message: "use cat" });
    expect(story.tool("t1")).toMatchObject({
      status: "error",
      error: "use cat",
      block: { decision: "reject", message: "use cat" },
    });
    expect(allowed(story)).toMatchObject([{ behavior: "deny", message: "use cat", interrupt: false }]);
  });

  test("without a decision it is a rejection", () => {
    expect(asked().reply({}).tool("t1")).toMatchObject({ status: "error" });
  });

  test("the second is not heard", () => {
    const story = asked();
    const { id } = story.blockOf();
    story.reply({ decision: "once" }, id).reply({ decision: "reject" }, id);
    expect(story.answers("r1")).toHaveLength(1);
    expect(story.tool("t1")).toMatchObject({ status: "running" });
    story.reply({ decision: "once" }, "per_unknown");
    expect(story.effects).toEqual([]);
  });

  test("that comes after the tool's result is not heard", () => {
    const story = asked();
    const { id } = story.blockOf();
    story
      .lines(native.toolResult("t1", "done", {}, { tool_result_meta: [{ id: "t1" }] }))
      .reply({ decision: "once" }, id);
    expect(story.answers("r1")).toEqual([]);
    expect(story.tool("t1")).toMatchObject({ status: "completed" });
    story.lines(native.result()).expectLawful();
  });
});

describe("always is offered only where the agent keeps it", () => {
  test.each([
    ["nothing is suggested", {}],
    ["an empty list is suggested", { permission_suggestions: [] }],
    ["the CLI suppresses it", { permission_suggestions: [RULE], suppress_always_allow_rule: true }],
    ["a person must look each time", { permission_suggestions: [RULE], requires_user_interaction: true }],
    ["only something else is suggested", { permission_suggestions: [{ type: "setMode", mode: "acceptEdits" }] }],
    [
      "a rule of another tool is suggested",
      { permission_suggestions: [{ ...RULE, rules: [{ toolName: "Read", ruleContent: "*" }] }] },
    ],
    ["a rule that denies is suggested", { permission_suggestions: [{ ...RULE, behavior: "deny" }] }],
  ])("not when %s", (_, change) => {
    const story = asked(change);
    expect(story.blockOf()).toMatchObject({ always: [] });
    story.reply({ decision: "always" });
    expect(allowed(story)).toMatchObject([{ decisionClassification: "user_temporary" }]);
    expect(allowed(story)[0]).not.toHaveProperty("updatedPermissions");
    expect(story.session.permission).toBeUndefined();
  });

  test.each([
    ["Write", { type: "setMode", mode: "acceptEdits" }, ["**"]],
    ["Write", { type: "addDirectories", directories: ["/other"] }, ["/other/**"]],
    ["Read", { ...RULE, rules: [{ toolName: "Read", ruleContent: "//abs/**" }] }, ["/abs/**"]],
    ["mcp__demo__add", { ...RULE, rules: [{ toolName: "mcp__demo__add" }] }, ["demo/add"]],
    ["Bash", { ...RULE, rules: [RULE.rules[0], RULE.rules[0]] }, ["ls *"]],
  ])("%s with a suggestion has patterns", (name, suggestion, always) => {
    const story = withCall("t1", name, {}).lines(
      native.ask("r1", "t1", name, {}, { permission_suggestions: [suggestion] }),
    );
    expect(story.blockOf()).toMatchObject({ always });
  });
});

describe("asks the CLI makes in its own ways", () => {
  test("for a call that was never seen: the ask makes the part", () => {
    const story = new Story().prompt().lines(native.init(), native.ask("r1", "t9", "Bash", LS));
    expect(story.tools).toMatchObject([
      { callID: "t9", tool: "bash", state: { status: "blocked" }, metadata: { native: { tool: "Bash" } } },
    ]);
    story.reply({ decision: "once" }).lines(native.toolResult("t9", "a"), native.result());
    expect(story.tool("t9")).toMatchObject({ status: "completed" });
    story.expectLawful();
  });

  test("for a call whose line comes after the ask: one part, of the message that streams", () => {
    const story = new Story()
      .prompt()
      .lines(
        native.start("m"),
        native.ask("r1", "t1", "Bash", LS),
        native.openTool(0, "t1"),
        native.whole("m", native.call("t1", "Bash", LS)),
      );
    expect(story.tools).toHaveLength(1);
    expect(story.tools[0]).toMatchObject({ messageID: story.answersOfModel[0]?.id, state: { status: "blocked" } });
    story.lines(native.result()).expectLawful();
  });

  test("for a subagent's call: its result, on the subagent's line, ends it", () => {
    const story = withCall("task", "Agent", { description: "Look" }).lines(
      native.ask("r1", "t1", "Bash", LS, { agent_id: "a1" }),
    );
    story
      .reply({ decision: "once" })
      .lines(
        native.toolResult("t1", "a", {}, { parent_tool_use_id: "task", agent_id: "a1" }),
        native.toolResult("task", "report"),
        native.result(),
      );
    expect(story.tool("t1")).toMatchObject({ status: "completed", output: "a" });
    expect(story.tool("task")).toMatchObject({ status: "completed", output: expect.stringContaining("report") });
    story.expectLawful();
  });

  test("without a turn, from background work: the session is busy until that work's turn ends", () => {
    const story = new Story().prompt().lines(native.init(), native.result());
    story.lines(native.ask("r1", "t1", "Bash", LS));
    expect(story.session.status).toEqual({ type: "busy" });
    story
      .reply({ decision: "once" })
      .lines(native.toolResult("t1", "a"), native.result({ origin: { kind: "task-notification" } }));
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("several at once: each is answered by its own request, in any order", () => {
    const story = withCall("t1", "Bash", LS).lines(
      native.whole("msg_t1", native.call("t2", "Bash", LS)),
      native.ask("r1", "t1", "Bash", LS),
      native.ask("r2", "t2", "Bash", LS),
    );
    story.reply({ decision: "reject" }, story.blockOf("t2").id).reply({ decision: "once" }, story.blockOf("t1").id);
    expect(allowed(story, "r1")).toMatchObject([{ behavior: "allow" }]);
    expect(allowed(story, "r2")).toMatchObject([{ behavior: "deny" }]);
    story.lines(native.toolResult("t1", "a"), native.result()).expectLawful();
  });

  test("twice for one call: the decision before stays readable", () => {
    const story = asked()
      .reply({ decision: "once" })
      .lines(native.ask("r2", "t1", "Bash", LS));
    story.reply({ decision: "once" }).lines(native.toolResult("t1", "a"), native.result());
    const state = story.tool("t1");
    expect("priorBlocks" in state && state.priorBlocks).toHaveLength(1);
    story.expectLawful();
  });

  test("twice for one call, the first still open: the newer ask takes its place, and each is answered or void", () => {
    const story = asked().lines(native.ask("r2", "t1", "Bash", LS));
    story.reply({ decision: "once" });
    expect(story.answers("r2")).toHaveLength(1);
    story.lines(native.toolResult("t1", "a"), native.result());
    expect(story.tool("t1")).toMatchObject({ status: "completed", block: { decision: "once" } });
    story.expectLawful();
  });

  test("again after the CLI took the first back: the second's decision is the one that counts", () => {
    const story = asked()
      .lines(native.withdraw("r1"), native.ask("r2", "t1", "Bash", LS))
      .reply({ decision: "once" });
    story.lines(native.toolResult("t1", "a"), native.result());
    expect(story.tool("t1")).toMatchObject({ status: "completed", block: { decision: "once", decidedBy: "user" } });
    story.expectLawful();
  });

  test.each([
    ["malformed", { subtype: "can_use_tool", tool_name: 7 }, "malformed"],
    ["of a kind nobody knows", { subtype: "brand_new" }, "brand_new"],
    ["an elicitation", { subtype: "elicitation", mcp_server_name: "demo" }, "elicitation"],
    ["without a request", undefined, "unreadable"],
    ["whose request is nothing", null, "unreadable"],
    ["whose request is a text", "can_use_tool", "unreadable"],
    ["of a kind that is no text", { subtype: 7 }, "unreadable"],
  ])("%s: it still gets an answer", (_, request, error) => {
    const story = new Story().prompt().lines({ type: "control_request", request_id: "r1", request });
    expect(story.answers("r1")).toMatchObject([{ subtype: "error", error: expect.stringContaining(error) }]);
    expect(story.tools).toEqual([]);
  });

  test("a hook that asks for nothing is told nothing", () => {
    const request = { subtype: "hook_callback", callback_id: "pre", input: {} };
    const story = new Story().prompt().lines({ type: "control_request", request_id: "r1", request });
    expect(story.answers("r1")).toMatchObject([{ subtype: "success", response: {} }]);
  });
});

test("a denial that nobody was asked for is seen on the tool, with who decided it", () => {
  const decision = { decision: "reject", source: "config" };
  const story = withCall("t1", "Bash", LS).lines(
    { type: "system", subtype: "permission_denied", tool_name: "Bash", tool_use_id: "t1", message: "denied" },
    native.toolResult(
      "t1",
      "denied",
      { is_error: true },
      { tool_result_meta: [{ id: "t1", permission_decision: decision }] },
    ),
    native.result(),
  );
  expect(story.tool("t1")).toMatchObject({
    status: "error",
    error: "denied",
    metadata: { native: { permission: decision } },
  });
  expect(story.tool("t1")).not.toHaveProperty("block");
  story.expectLawful();
});

describe("asks that the CLI takes back", () => {
  const verdict = (decision: string, source: string) => ({
    tool_result_meta: [{ id: "t1", permission_decision: { decision, source } }],
  });

  test.each([
    ["accept", "hook", "once", false],
    ["accept", "user_permanent", "always", false],
    ["reject", "hook", "reject", true],
  ])("a hook answered in parallel (%s, %s): the result tells the verdict", (decision, source, told, isError) => {
    const story = asked().lines(native.withdraw("r1"));
    expect(story.tool("t1")).toMatchObject({ status: "running" });
    story.lines(native.toolResult("t1", "out", { is_error: isError }, verdict(decision, source)), native.result());
    expect(story.tool("t1")).toMatchObject({
      status: isError ? "error" : "completed",
      block: { decision: told, decidedBy: "agent" },
      metadata: { native: { permission: { decision, source } } },
    });
    expect(story.answers("r1")).toEqual([]);
    story.expectLawful();
  });

  test("a decision that comes after that is not heard", () => {
    const story = asked();
    const { id } = story.blockOf();
    story.lines(native.withdraw("r1")).reply({ decision: "reject" }, id);
    expect(story.effects).toEqual([]);
    expect(story.tool("t1")).toMatchObject({ status: "running" });
    story.lines(native.toolResult("t1", "out"), native.result()).expectLawful();
  });

  test("an unknown one is no trouble", () => {
    const story = asked().lines(native.withdraw("r7"));
    expect(story.tool("t1")).toMatchObject({ status: "blocked" });
  });

  test("while the old text of a file is still read: the tool is never blocked", () => {
    const edit = { file_path: "/work/a.txt", old_string: "a", new_string: "b" };
    const story = withCall("t1", "Edit", edit)
      .lines(native.ask("r1", "t1", "Edit", edit), native.withdraw("r1"))
      .file("a");
    expect(story.tool("t1")).toMatchObject({ status: "running" });
    story.lines(native.toolResult("t1", "ok"), native.result()).expectLawful();
  });
});

describe("edits are shown as a diff", () => {
  const ask = (name: string, input: Record<string, unknown>, text: string | null) =>
    withCall("t1", name, input)
      .lines(native.ask("r1", "t1", name, input))
      .file(text)
      .blockOf() as { metadata: Record<string, unknown> };

  test("the file is read first, with a bound; until then nothing is blocked", () => {
    const input = { file_path: "/work/a.txt", content: "b\n" };
    const story = withCall("t1", "Write", input).lines(native.ask("r1", "t1", "Write", input));
    expect(story.effects).toMatchObject([{ kind: "read", path: "/work/a.txt", maxBytes: 1024 * 1024 }]);
    expect(story.tool("t1")).toMatchObject({ status: "running" });
  });

  test.each([
    ["a new file", "Write", { content: "a\n" }, null, "@@ -0,0 +1,1 @@\n+a\n", "add"],
    ["a file that is replaced", "Write", { content: "b\n" }, "a\n", "@@ -1,1 +1,1 @@\n-a\n+b\n", "update"],
    [
      "an edit",
      "Edit",
      { old_string: "b", new_string: "B" },
      "a\nb\nc b\n",
      "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c b\n",
      "update",
    ],
    [
      "an edit of all",
      "Edit",
      { old_string: "b", new_string: "B", replace_all: true },
      "b\nb\n",
      "@@ -1,2 +1,2 @@\n-b\n-b\n+B\n+B\n",
      "update",
    ],
    [
      "an edit with signs that replacing would read",
      "Edit",
      { old_string: "b", new_string: "$& $1" },
      "b\n",
      "@@ -1,1 +1,1 @@\n-b\n+$& $1\n",
      "update",
    ],
    [
      "an edit of a file that can't be read",
      "Edit",
      { old_string: "b\n", new_string: "B\n" },
      null,
      "@@ -1,1 +1,1 @@\n-b\n+B\n",
      "update",
    ],
    ["an edit that makes a file", "Edit", { old_string: "", new_string: "a\n" }, null, "@@ -0,0 +1,1 @@\n+a\n", "add"],
  ])("%s", (_, name, input, text, hunk, type) => {
    const { metadata } = ask(name, { file_path: "/work/a.txt", ...input }, text);
    expect(metadata).toMatchObject({
      filepath: "/work/a.txt",
      diff: `--- a.txt\n+++ a.txt\n${hunk}`,
      files: [{ relativePath: "a.txt", type }],
    });
  });

  test("an unknown read is nobody's", () => {
    const story = asked().file("text");
    expect(story.tool("t1")).toMatchObject({ status: "blocked" });
  });
});

describe("questions", () => {
  const INPUT = {
    questions: [
      {
        question: "Which?",
        header: "H",
        options: [{ label: "A", description: "first" }, { label: "B" }],
        multiSelect: true,
      },
      { question: "Why?" },
    ],
  };
  const story = () =>
    withCall("t1", "AskUserQuestion", INPUT).lines(
      native.ask("r1", "t1", "AskUserQuestion", INPUT, { requires_user_interaction: true }),
    );

  test("are a block of their own", () => {
    expect(story().blockOf()).toMatchObject({
      type: "question",
      id: expect.stringMatching(/^que_/),
      questions: [
        {
          question: "Which?",
          header: "H",
          multiple: true,
          options: [
            { label: "A", description: "first" },
            { label: "B", description: "" },
          ],
        },
        { question: "Why?", header: "", options: [] },
      ],
    });
  });

  test("answers go back by the question's text", () => {
    const answered = story().reply({ answers: [["A", "B"], ["because"]] });
    expect(answered.answers("r1")).toMatchObject([
      { response: { behavior: "allow", updatedInput: { ...INPUT, answers: { "Which?": "A, B", "Why?": "because" } } } },
    ]);
    expect(answered.tool("t1")).toMatchObject({ status: "running", block: { answers: [["A", "B"], ["because"]] } });
  });

  test("rejecting them, or allowing them without an answer, is no answer", () => {
    for (const decision of ["reject", "once"] as const) {
      const rejected = story().reply({ decision });
      expect(rejected.tool("t1")).toMatchObject({ status: "error", block: { rejected: true, answers: [] } });
      expect(rejected.answers("r1")).toMatchObject([{ response: { behavior: "deny" } }]);
    }
  });
});
