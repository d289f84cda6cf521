import { describe, expect, test } from "vitest";
import { native, open, running, Story, THREAD } from "./story.js";

describe("a prompt's way to the model", () => {
  test("program, thread and turn, each when the one before is there", () => {
    const story = new Story().prompt();
    expect(story.methods).toEqual(["initialize"]);
    open(story);
    expect(story.methods).toEqual(["initialize", "initialized", "model/list", "thread/start", "turn/start"]);
    expect(story.sent.map(({ id }) => id)).toEqual(["aw-1", undefined, "aw-2", "aw-3", "aw-4"]);
  });

  test("policy is said with every turn", () => {
    const story = running(new Story({ mode: "read-only" })).lines(native.turnEnd());
    story.command({ type: "setMode", mode: "yolo" }).prompt("again");
    const turns = story.sent.filter(({ method }) => method === "turn/start").map(({ params }) => params);
    expect(turns).toMatchObject([
      { approvalPolicy: "never", sandboxPolicy: { type: "readOnly" } },
      { approvalPolicy: "never", sandboxPolicy: { type: "dangerFullAccess" } },
    ]);
    story.expectLawful();
  });

  test("plan mode is entered and left in words of its own", () => {
    const story = running(new Story({ mode: "plan" })).lines(native.turnEnd());
    story.command({ type: "setMode", mode: "default" }).prompt("again");
    const modes = story.sent.filter(({ method }) => method === "turn/start").map(({ params }) => params);
    expect(modes).toMatchObject([
      { collaborationMode: { mode: "plan", settings: { model: "gpt-x" } } },
      { collaborationMode: { mode: "default" } },
    ]);
  });

  test("a thread that is refused ends the turn; the next prompt tries again", () => {
    const story = new Story().prompt();
    story.lines(native.answer(story.idOf("initialize")));
    story.lines(native.refuse(story.idOf("thread/start"), "failed to load configuration"));
    expect(story.session).toMatchObject({ status: { type: "idle" }, error: { name: "invalid_request" } });
    story.prompt("again");
    expect(story.methods.at(-1)).toBe("thread/start");
    story.expectLawful();
  });

  test("`/compact` is a request of its own", () => {
    const story = new Story().prompt("/compact");
    open(story);
    expect(story.methods.at(-1)).toBe("thread/compact/start");
  });
});

describe("the end of a turn", () => {
  test("comes only from the turn itself", () => {
    const story = running().lines(native.turnEnd("t0"), native.turnEnd("t1", "completed", null, "another thread"));
    expect(story.session.status.type).toBe("busy");
    expect(story.lines(native.turnEnd()).session.status.type).toBe("idle");
    story.expectLawful();
  });

  test("closes what was cut: the text is no part of the conversation", () => {
    const story = running().lines(
      native.start(native.text("m1")),
      native.delta("m1", "Half"),
      native.turnEnd("t1", "interrupted"),
    );
    expect(story.texts()).toEqual([]);
    expect(story.answers.at(-1)?.finish).toBe("aborted");
    story.expectLawful();
  });

  test("leaves a command running, and its late end changes nothing", () => {
    const story = running().lines(native.start(native.exec("c1")), native.turnEnd());
    expect(story.tool).toMatchObject({ status: "completed", metadata: { background: true } });
    story.lines(native.end(native.exec("c1", { status: "completed", aggregatedOutput: "late", exitCode: 0 })));
    expect(story.tool).toMatchObject({ output: "" });
    story.expectLawful();
  });

  test("with an error has a message of its own behind a tool's result", () => {
    const story = running().lines(
      native.start(native.exec("c1")),
      native.end(native.exec("c1", { status: "completed", aggregatedOutput: "", exitCode: 0 })),
      native.usage(10, 2),
      native.turnEnd("t1", "failed", { message: "odd", codexErrorInfo: "badRequest" }),
    );
    expect(story.answers.map(({ finish }) => finish)).toEqual(["tool-calls", "error"]);
    story.expectLawful();
  });
});

describe("an abort", () => {
  test("before the prompt was sent needs no interrupt", () => {
    const story = new Story().prompt().command({ type: "abort" });
    expect(story.session.status.type).toBe("idle");
    open(story);
    expect(story.methods).not.toContain("turn/start");
    story.expectLawful();
  });

  test("waits for `turn/started`: before that it would be refused", () => {
    const story = new Story().prompt();
    open(story)
      .lines(native.answer(story.idOf("turn/start"), { turn: { id: "t1" } }))
      .command({ type: "abort" });
    expect(story.methods).not.toContain("turn/interrupt");
    story.lines(native.turnStarted());
    expect(story.said).toMatchObject([{ method: "turn/interrupt", params: { threadId: THREAD, turnId: "t1" } }]);
    story.lines(native.turnEnd("t1", "interrupted")).expectLawful();
  });

  test("ends the command that runs, which the app-server would leave", () => {
    const story = running()
      .lines(native.start(native.exec("c1")))
      .command({ type: "abort" });
    story.lines(native.turnEnd("t1", "interrupted"));
    expect(story.said).toMatchObject([{ method: "thread/backgroundTerminals/clean" }]);
    story.expectLawful();
  });

  test("kills an app-server that does not end the turn", () => {
    const story = running().command({ type: "abort" }).wake();
    expect(story.outputs.at(-1)).toMatchObject({ kind: "wake", afterMs: null });
    expect(story.outputs).toContainEqual({ kind: "stop", how: "kill" });
    expect(story.session.status.type).toBe("idle");
    story.lines(native.delta("m1", "too late")).exit({ signal: "SIGKILL", code: null }).expectLawful();
  });

  test("is asked for once", () => {
    const story = running().command({ type: "abort" }).command({ type: "abort" });
    expect(story.methods.filter((method) => method === "turn/interrupt")).toHaveLength(1);
  });
});

describe("a steer", () => {
  test("joins the running turn; its echo cuts the response", () => {
    const story = running()
      .lines(native.start(native.text("m1")), native.delta("m1", "Half"))
      .prompt("other", true);
    expect(story.said).toMatchObject([{ method: "turn/steer", params: { expectedTurnId: "t1" } }]);
    story.lines(
      native.start(native.user("u2")),
      native.start(native.text("m2")),
      native.end(native.text("m2", "Whole")),
      native.turnEnd(),
    );
    expect(story.texts()).toEqual(["Whole"]);
    expect(story.answers.at(-1)?.parentID).toBe(story.messages().findLast(({ role }) => role === "user")?.id);
    story.expectLawful();
  });

  test("that comes too late is the next turn", () => {
    const story = running().prompt("other", true);
    const id = story.idOf("turn/steer");
    story.lines(native.refuse(id), native.turnEnd());
    expect(story.messages().at(-1)).toMatchObject({ role: "assistant" });
    story.expectLawful();
  });
});

describe("a stream that is tried again", () => {
  test("has its text once, and the session says so", () => {
    const story = running().lines(
      native.start(native.text("m1")),
      native.delta("m1", "Half"),
      native.error("Reconnecting... 2/5", true),
    );
    expect(story.session.status).toMatchObject({ type: "retry", attempt: 2 });
    story.lines(native.start(native.text("m2")));
    expect(story.session.status.type).toBe("busy");
    story.lines(native.end(native.text("m2", "Whole")), native.usage(10, 2), native.turnEnd());
    expect(story.texts()).toEqual(["Whole"]);
    story.expectLawful();
  });
});

describe("the limits of an account", () => {
  const limits = (change: Record<string, unknown>) => ({
    method: "account/rateLimits/updated",
    params: { rateLimits: { limitId: "codex", primary: null, secondary: null, planType: null, ...change } },
  });
  const window = (usedPercent: number) => ({ usedPercent, windowDurationMins: 300, resetsAt: 1_800_000_000 });
  const told = (story: Story) => (story.session.metadata?.native as { rateLimits?: unknown } | undefined)?.rateLimits;

  test("are on the session, and what is left out stays", () => {
    const story = running().lines(limits({ primary: window(10), planType: "plus" }), limits({ primary: window(20) }));
    expect(told(story)).toEqual({ codex: { primary: window(20), planType: "plus" } });
    story.lines(
      limits({ limitId: "other", secondary: window(5) }),
      limits({ rateLimitReachedType: "rate_limit_reached" }),
    );
    expect(told(story)).toEqual({
      codex: { primary: window(20), planType: "plus", rateLimitReachedType: "rate_limit_reached" },
      other: { secondary: window(5) },
    });
    story.expectLawful();
  });

  test("are no news where a provider has none", () => {
    expect(told(running().lines(limits({})))).toBeUndefined();
  });
});

describe("usage", () => {
  test("a thread that goes on from another's totals is counted from there, though no line told them before", () => {
    const own = {
      totalTokens: 120,
      inputTokens: 100,
      cachedInputTokens: 0,
      outputTokens: 20,
      reasoningOutputTokens: 0,
    };
    const story = running().lines(
      native.end(native.text("m1", "One")),
      native.usage(900, 120, "t1", { last: own }),
      native.turnEnd(),
    );
    expect(story.answers.map(({ tokens }) => [tokens.input, tokens.output])).toEqual([[100, 20]]);
    story.expectLawful();
  });

  test("is what the totals grew by, once a response", () => {
    const story = running().lines(
      native.start(native.text("m1")),
      native.end(native.text("m1", "a")),
      native.usage(100, 20),
      native.usage(100, 20),
    );
    story.lines(
      native.start(native.text("m2")),
      native.end(native.text("m2", "b")),
      native.usage(250, 50),
      native.turnEnd(),
    );
    expect(story.answers.map(({ tokens }) => [tokens.input, tokens.output])).toEqual([
      [100, 20],
      [150, 30],
    ]);
    expect(story.session.metadata?.native).toMatchObject({ contextWindow: 1000, contextTokens: 300 });
    story.expectLawful();
  });

  test("a total that a resumed thread tells belongs to no turn", () => {
    const story = running(new Story()).lines(
      native.usage(999, 99, "t0"),
      native.start(native.text("m1")),
      native.usage(1000, 100),
      native.turnEnd(),
    );
    expect(story.answers.at(-1)?.tokens).toMatchObject({ input: 1, output: 1 });
    story.expectLawful();
  });
});

describe("an exit", () => {
  test("in a turn is its error; the next prompt resumes the thread", () => {
    const story = running().exit({ code: null, signal: "SIGKILL", stderr: "2026 INFO log" });
    expect(story.session.error).toMatchObject({
      name: "agent_exited",
      message: "Codex was ended by SIGKILL before the turn ended",
    });
    story.prompt("again");
    expect(story.outputs.findLast(({ kind }) => kind === "spawn")).toEqual({ kind: "spawn", resume: THREAD });
    open(story);
    expect(story.methods.slice(-2)).toEqual(["thread/resume", "turn/start"]);
    story.expectLawful();
  });

  test("with nothing to resume begins anew only where no turn had ended", () => {
    const first = running().exit({ signal: "SIGKILL", code: null }).prompt("again");
    first.lines(native.answer(first.idOf("initialize"), {}));
    first.lines(native.refuse(first.idOf("thread/resume"), "no rollout found"));
    expect(first.methods.at(-1)).toBe("thread/start");
    const second = running().lines(native.turnEnd()).exit().prompt("again");
    second.lines(native.answer(second.idOf("initialize"), {}));
    second.lines(native.refuse(second.idOf("thread/resume"), "no rollout found"));
    expect(second.session.error?.message).toBe("no rollout found");
    second.prompt("once more");
    expect(second.methods.at(-1)).toBe("thread/start");
    second.expectLawful();
  });

  test("of a program that never ran says why", () => {
    const story = new Story().prompt().exit({ code: null, error: "spawn codex ENOENT" });
    expect(story.session.error).toMatchObject({
      name: "agent_exited",
      message: "spawn codex ENOENT",
      retryable: false,
    });
    story.expectLawful();
  });
});
