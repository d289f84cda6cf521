import { describe, expect, test } from "vitest";
import { native, open, running, SESSION, Story } from "./story.js";

const TOKENS = (input: number, output: number, read = 0, write = 0, reasoning = 0) => ({
  input,
  output,
  reasoning,
  cache: { read, write },
});

describe("responses", () => {
  test("begin where the model goes on behind the results of its calls", () => {
    const story = running().updates(
      native.say("One. "),
      native.call("a", { name: "bash", rawInput: { command: "a" } }),
      native.call("b", { name: "bash", rawInput: { command: "b" } }),
      native.change("a", { status: "completed" }),
      native.say("Still one."),
      native.change("b", { status: "completed" }),
      native.say("Two."),
    );
    story.end();
    expect(story.answers.map(({ finish }) => finish)).toEqual(["tool-calls", "stop"]);
    expect(story.texts()).toEqual(["One. ", "Still one.", "Two."]);
    story.expectLawful();
  });

  test("have ids where the agent gives messages ids; where it gives items ids they do not end a response", () => {
    const lines = [native.think("Hm", { messageId: "r" }), native.say("Yes", { messageId: "m" })];
    expect(running("acp").updates(...lines).answers).toHaveLength(2);
    expect(running("acp-codex").updates(...lines).answers).toHaveLength(1);
  });

  test("think and speak in turns, each a part of its own", () => {
    const story = running().updates(native.think("a"), native.say("b"), native.think("c"), native.say("d")).end();
    expect(story.thoughts()).toEqual(["a", "c"]);
    expect(story.texts()).toEqual(["b", "d"]);
    expect(story.answers).toHaveLength(1);
  });

  test("that fail behind the result of a call have an answer of their own with the error", () => {
    const story = running().updates(native.call("a", { name: "bash", status: "completed" }));
    story.refuse("session/prompt", -32603, "502 Bad Gateway");
    expect(story.answers.map(({ finish, error }) => [finish, error?.name])).toEqual([
      ["tool-calls", undefined],
      ["error", "overloaded"],
    ]);
    story.expectLawful();
  });

  test("of one id go on although their calls are answered", () => {
    const story = running().updates(
      native.say("One", { messageId: "m" }),
      native.call("a", { status: "completed" }),
      native.say(" more", { messageId: "m" }),
    );
    expect(story.answers).toHaveLength(1);
  });
});

describe("usage", () => {
  test.each([
    [
      "what is cached beside the input",
      { inputTokens: 90, outputTokens: 5, cachedReadTokens: 10, totalTokens: 105 },
      TOKENS(90, 5, 10),
    ],
    [
      "what is cached within the input",
      { inputTokens: 100, outputTokens: 5, cachedReadTokens: 10, totalTokens: 105 },
      TOKENS(90, 5, 10),
    ],
    [
      "thoughts beside the output",
      { inputTokens: 10, outputTokens: 5, thoughtTokens: 7, totalTokens: 22 },
      TOKENS(10, 5, 0, 0, 7),
    ],
    [
      "thoughts within the output",
      { inputTokens: 10, outputTokens: 9, thoughtTokens: 7, totalTokens: 19 },
      TOKENS(10, 2, 0, 0, 7),
    ],
    ["no total", { inputTokens: 10, outputTokens: 5 }, TOKENS(10, 5)],
  ])("is read with %s", (_what, usage, tokens) => {
    const story = running().updates(native.say("Hi")).end({ stopReason: "end_turn", usage });
    expect(story.answered).toMatchObject({ tokens, metadata: { turn: { tokens } } });
    story.expectLawful();
  });

  test("may stand in the vendor's quota", () => {
    const quota = { token_count: { input_tokens: 20, output_tokens: 4 } };
    const story = running("acp-gemini").updates(native.say("Hi")).end({ stopReason: "end_turn", _meta: { quota } });
    expect(story.answered.tokens).toEqual(TOKENS(20, 4));
  });

  test("comes with each response of some, which it ends", () => {
    const usage = (input: number) => native.say("", { _meta: { usage: { inputTokens: input, outputTokens: 1 } } });
    const story = running("acp-qwen").updates(
      native.say("One"),
      native.call("a", { _meta: { toolName: "run_shell_command" }, rawInput: { command: "a" } }),
      usage(10),
      native.change("a", { status: "completed" }),
      native.say("Two"),
      usage(20),
    );
    story.end();
    expect(story.answers.map(({ tokens, finish }) => [tokens.input, finish])).toEqual([
      [10, "tool-calls"],
      [20, "stop"],
    ]);
    story.expectLawful();
  });

  test("of the last response only says nothing of the turn", () => {
    const story = running("acp-opencode").updates(native.say("Hi"));
    story.end({ stopReason: "end_turn", usage: { inputTokens: 1, outputTokens: 2 } });
    expect(story.answered.tokens).toEqual(TOKENS(1, 2));
    expect(story.answered.metadata?.turn).toBeUndefined();
  });

  test("a cost is the session's: a turn has what it grew by, also after it fell", () => {
    const cost = (amount: number): Parameters<typeof native.update>[0] => ({
      sessionUpdate: "usage_update",
      used: 1,
      size: 2,
      cost: { amount, currency: "USD" },
    });
    const story = running().updates(native.say("Hi"), cost(0.5)).end();
    story.prompt().updates(native.say("Ho"), cost(0.75)).end();
    story.prompt().updates(native.say("Again"), cost(0.25)).end();
    expect(story.answers.map((answer) => answer.cost)).toEqual([0.5, 0.25, 0.25]);
    story.expectLawful();
  });
});

describe("the end of a turn", () => {
  test("that is said well but tells nothing is a failure where the agent is known for it", () => {
    expect(running("acp-pi").end().answered).toMatchObject({ finish: "error", error: { name: "unknown" } });
    expect(running("acp-opencode").end().answered).toMatchObject({ finish: "stop" });
    expect(running("acp-pi").updates(native.say("Hi")).end().answered).toMatchObject({ finish: "stop" });
  });

  test("that is said well may have failed by a text alone", () => {
    const failed = running("acp-copilot").updates(
      native.say("Info: Request failed. Retrying..."),
      native.say("Error: Authentication failed with provider at x (HTTP 401)."),
    );
    failed.end();
    expect(failed.answered).toMatchObject({ finish: "error", error: { name: "auth" } });
    expect(failed.texts()).toEqual([]);
    expect(failed.notes()).toHaveLength(2);
    failed.expectLawful();
    const next = failed.prompt().updates(native.say("Better")).end();
    expect(next.answered).toMatchObject({ finish: "stop" });
  });

  test.each([
    ["acp-codex", '{"error":{"message":"bad request"}}\n\n', "error", "invalid_request"],
    ["acp-codex", "Incomplete response returned, reason: max_output_tokens\n\n", "length", "output_length"],
    ["acp-copilot", "Error: 400 bad request", "error", "invalid_request"],
    ["acp-copilot", "Error: it broke", "error", "unknown"],
  ])("of %s may have failed by the text %j", (agent, text, finish, name) => {
    const failed = running(agent).updates(native.say(text)).end();
    expect(failed.answered).toMatchObject({ finish, error: { name } });
    failed.expectLawful();
  });

  test("after a cancel is an abort, whatever the agent calls it", () => {
    for (const answer of [{ stopReason: "end_turn" }, { stopReason: "cancelled" }]) {
      const story = running()
        .updates(native.call("a", { status: "in_progress" }))
        .command({ type: "abort" });
      expect(story.said).toMatchObject([{ method: "session/cancel", params: { sessionId: SESSION } }]);
      story.end(answer);
      expect(story.answered).toMatchObject({ finish: "aborted" });
      expect(story.tool.state).toMatchObject({ status: "error", error: "The turn was aborted" });
      story.expectLawful();
    }
    const refused = running().command({ type: "abort" }).refuse("session/prompt", -32603, "aborted in a fetch");
    expect(refused.answered).toMatchObject({ finish: "aborted" });
    expect(refused.answered.error).toBeUndefined();
  });

  test("that never comes after a cancel is forced, and what a dying process says is not heard", () => {
    const story = running().updates(native.say("Hm")).command({ type: "abort" });
    expect(story.last).toContainEqual({ kind: "wake", timer: "abort", afterMs: 10_000 });
    story.wake("abort");
    expect(story.last).toContainEqual({ kind: "stop", how: "kill" });
    expect(story.session.status.type).toBe("idle");
    story.updates(native.say("too late")).prompt("more");
    expect(story.session.queue).toHaveLength(1);
    story.exit({ code: null, signal: "SIGKILL" });
    expect(story.texts()).toEqual(["Hm"]);
    open(story);
    expect(story.methods.slice(-2)).toEqual(["session/resume", "session/prompt"]);
    story.end().expectLawful();
  });

  test("an abort before the prompt was sent sends nothing", () => {
    const story = new Story().prompt().command({ type: "abort" });
    expect(story.answered).toMatchObject({ finish: "aborted" });
    open(story);
    expect(story.methods).toEqual(["initialize", "session/new"]);
    story.expectLawful();
  });

  test("that is aborted ends the subagents' too", () => {
    const story = running().updates({
      sessionUpdate: "subagent_update",
      sessionId: "kid",
      state: { state: "running" },
    });
    story
      .lines(native.update(native.say("child"), "kid"))
      .command({ type: "abort" })
      .end({ stopReason: "cancelled" });
    expect(story.children[0]?.status.type).toBe("idle");
    story.expectLawful();
  });

  test("an abort while nothing runs does no harm", () => {
    const story = running().end().command({ type: "abort" });
    expect(story.last).toEqual([]);
  });

  test("leaves no call open, and late news of one changes nothing", () => {
    const story = running()
      .updates(native.call("a", { name: "bash", status: "in_progress" }))
      .end();
    expect(story.tool.state.status).toBe("error");
    story.updates(native.change("a", { status: "completed", ...native.output("late") }));
    expect(story.tool.state).toMatchObject({ status: "error" });
    expect(story.session.status.type).toBe("idle");
    story.expectLawful();
  });
});

describe("a turn that the agent begins by itself", () => {
  test("ends with silence", () => {
    const story = running().updates(native.say("Hi")).end();
    story.updates(native.say("And"));
    expect(story.last).toContainEqual({ kind: "wake", timer: "quiet", afterMs: 3000 });
    story.updates(native.say(" more.")).wake("quiet");
    expect(story.session.status.type).toBe("idle");
    expect(story.texts()).toEqual(["Hi", "And more."]);
    expect(story.answered.metadata).toMatchObject({ origin: "agent" });
    story.expectLawful();
  });

  test("is listened to again after a tool of it ran long", () => {
    const story = running()
      .end()
      .updates(native.call("a", { name: "bash", status: "in_progress" }))
      .wake("quiet");
    expect(story.session.status.type).toBe("busy");
    expect(story.last).toContainEqual({ kind: "wake", timer: "quiet", afterMs: 3000 });
    story.updates(native.change("a", { status: "completed" })).wake("quiet");
    expect(story.session.status.type).toBe("idle");
    expect(story.last).not.toContainEqual(expect.objectContaining({ kind: "wake" }));
  });

  test("does not end while a tool of it waits", () => {
    const story = running().end();
    story.lines(native.ask(1, { toolCallId: "a", rawInput: { command: "ls" }, kind: "execute" })).wake("quiet");
    expect(story.session.status.type).toBe("busy");
    story.prompt("meanwhile");
    expect(story.session.queue).toHaveLength(1);
    story.reply({ decision: "reject" }).wake("quiet");
    expect(story.session.queue).toEqual([]);
    expect(story.methods.at(-1)).toBe("session/prompt");
    story.end().expectLawful();
  });

  test("ends with the agent's word where it has one", () => {
    const story = running("acp-qwen").end();
    const discrete = { _meta: { qwenDiscreteMessage: true, source: "background_notification_response" } };
    story.updates(
      native.say("Background agent completed.", {
        _meta: { qwenDiscreteMessage: true, source: "background_notification" },
      }),
      native.say("It found two.", discrete),
      native.say("And that is all.", discrete),
    );
    story.lines({ method: "_qwencode/end_turn", params: { sessionId: SESSION } });
    expect(story.session.status.type).toBe("idle");
    expect(story.texts()).toEqual(["It found two.", "And that is all."]);
    expect(story.notes()).toEqual(["Background agent completed."]);
    story.expectLawful();
  });

  test("is not begun by what tells only how things stand", () => {
    const story = running().end();
    story.updates(
      { sessionUpdate: "usage_update", used: 1, size: 2 },
      { sessionUpdate: "session_info_update", title: "New" },
      { sessionUpdate: "available_commands_update", availableCommands: [{ name: "x" }] },
      { sessionUpdate: "notice", severity: "info", title: "By the way" },
    );
    expect(story.session).toMatchObject({ title: "New", status: { type: "idle" } });
  });
});

describe("the process", () => {
  test("a death in a turn ends it and its subagents, and what was asked", () => {
    const story = running().updates(native.say("Hm"), {
      sessionUpdate: "subagent_update",
      sessionId: "kid",
      title: "Kid",
      state: { state: "running" },
    });
    story.lines(native.update(native.say("child"), "kid"), native.ask(3, { toolCallId: "a", kind: "execute" }));
    story.exit({ code: 1, stderr: "boom" });
    expect(story.answered).toMatchObject({ finish: "error", error: { name: "agent_exited" } });
    expect(story.answered.error?.message).toContain("boom");
    expect(story.children[0]?.status.type).toBe("idle");
    expect(story.state.asks).toEqual({});
    story.expectLawful();
  });

  test("a launch that fails is told on its turn", () => {
    const story = new Story().prompt().exit({ code: null, error: "there is no such program" });
    expect(story.answered).toMatchObject({ error: { name: "agent_exited", message: "there is no such program" } });
  });

  test("an agent that cannot begin is ended, and the next prompt tries another process", () => {
    for (const answer of [{ result: { protocolVersion: 2 } }, { error: { code: -32603, message: "no" } }]) {
      const story = new Story().prompt();
      story.lines({ id: story.sentAs("initialize").id, ...answer });
      expect(story.answered).toMatchObject({ finish: "error" });
      expect(story.last).toContainEqual({ kind: "stop", how: "end" });
      story.prompt("again").exit();
      open(story);
      expect(story.methods.at(-1)).toBe("session/prompt");
      story.end().expectLawful();
    }
  });

  test("a session that is gone: without a history the prompt goes to a new one, with one it is told", () => {
    const fresh = running().exit({ code: 1 }).prompt();
    fresh.answer("initialize", { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: {} } } });
    fresh.refuse("session/resume", -32002, "not found");
    expect(fresh.methods.at(-1)).toBe("session/new");
    const old = running().end().exit().prompt();
    old.answer("initialize", { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: {} } } });
    old.refuse("session/resume", -32002, "not found");
    expect(old.answered).toMatchObject({ finish: "error", error: { name: "invalid_request", message: "not found" } });
    old.prompt();
    expect(old.methods.at(-1)).toBe("session/new");
  });
});
