import { describe, expect, test } from "vitest";
import { native } from "./native.js";
import { Story, withCall } from "./story.js";

const LS = { command: "ls" };
const interrupts = (story: Story) =>
  story.sent.filter(({ request }) => (request as { subtype?: string } | undefined)?.subtype === "interrupt");
const spawns = (story: Story) => story.outputs.filter(({ kind }) => kind === "spawn");
const killed = { code: null, signal: "SIGKILL" };

function finishes(story: Story): unknown[] {
  return story.answersOfModel.map(({ finish }) => finish);
}

describe("results", () => {
  test("a second one of the same turn changes nothing", () => {
    const story = new Story().prompt();
    const result = native.result({ user_message_uuid: story.uuid });
    story.lines(native.whole("m", { type: "text", text: "a" }), result);
    const told = story.events.length;
    story.lines(result);
    expect(story.events).toHaveLength(told);
    story.expectLawful();
  });

  test("a second one of the turn before does not end the next", () => {
    const story = new Story().prompt("one").prompt("two");
    const first = native.result({ user_message_uuid: story.uuid, user_message_uuids: [story.uuid] });
    story.lines(native.init(), first).lines(first);
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(native.result({ user_message_uuid: story.uuid }));
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test.each([
    ["of finished background work", { origin: { kind: "task-notification" } }],
    ["of an interrupted turn that is run again", { resume_reason: "interrupted_turn" }],
    ["of another prompt", { user_message_uuid: "00000000-0000-4000-8000-000000000009" }],
  ])("one %s does not end the turn of our prompt, which still waits", (_, change) => {
    const story = new Story().prompt().lines(native.init(), native.result(change));
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(native.whole("m", { type: "text", text: "ours" }), native.result({ user_message_uuids: [story.uuid] }));
    expect(story.session.status).toEqual({ type: "idle" });
    expect(story.texts).toMatchObject([{ text: "ours" }]);
    story.expectLawful();
  });

  test("one that also names our prompt is ours, whatever its origin", () => {
    const story = new Story().prompt();
    story.lines(native.result({ origin: { kind: "task-notification" }, user_message_uuids: ["other", story.uuid] }));
    expect(story.session.status).toEqual({ type: "idle" });
  });

  test("one that names nothing is ours: so do local commands and failures at the start", () => {
    expect(new Story().prompt().lines(native.result()).session.status).toEqual({ type: "idle" });
  });

  test("a failure before any turn is the session's", () => {
    const story = new Story().lines(native.result({ is_error: true, result: "no", terminal_reason: "api_error" }));
    expect(story.session).toMatchObject({ status: { type: "idle" }, error: { message: "no" } });
    expect(story.messages).toEqual([]);
  });

  test("the agent's totals and the cost stand on the turn's last message", () => {
    const story = new Story().prompt().lines(
      native.whole(
        "m",
        { type: "text", text: "a" },
        { stop_reason: "end_turn", usage: { input_tokens: 2, output_tokens: 3 } },
      ),
      native.result({
        usage: { input_tokens: 2, output_tokens: 3 },
        model_usage_since_last_result: { x: { costUSD: 0.5 } },
      }),
    );
    expect(story.answersOfModel).toMatchObject([
      { cost: 0.5, metadata: { turn: { cost: 0.5, tokens: { input: 2, output: 3 } } } },
    ]);
    story.expectLawful();
  });

  test("an API failure is an error and no text of the model's", () => {
    const synthetic = {
      ...native.whole("s", { type: "text", text: "Invalid API key" }, { model: "<synthetic>" }),
      error: "authentication_failed",
      is_api_error_message: true,
    };
    const story = new Story().prompt().lines(
      synthetic,
      native.result({
        is_error: true,
        terminal_reason: "api_error",
        api_error_status: 401,
        result: "Invalid API key",
      }),
    );
    expect(story.texts).toEqual([]);
    expect(story.answersOfModel).toMatchObject([
      { finish: "error", error: { name: "auth", message: "Invalid API key" } },
    ]);
    expect(story.session.error).toMatchObject({ name: "auth" });
    story.expectLawful();
  });
});

describe("the process ends", () => {
  test.each([
    ["nothing came", (story: Story) => story],
    [
      "a text streams",
      (story: Story) => story.lines(native.start("m"), native.open(0, { type: "text" }), native.text(0, "ha")),
    ],
    [
      "a tool's input streams",
      (story: Story) => story.lines(native.start("m"), native.openTool(0, "t1"), native.json(0, "{")),
    ],
    ["a tool runs", (story: Story) => story.lines(native.whole("m", native.call("t1", "Bash", LS)))],
    ["a tool is blocked", (story: Story) => story.lines(native.ask("r1", "t1", "Bash", LS))],
    ["an ask was taken back", (story: Story) => story.lines(native.ask("r1", "t1", "Bash", LS), native.withdraw("r1"))],
    ["a retry waits", (story: Story) => story.lines({ type: "system", subtype: "api_retry", attempt: 1 })],
  ])("while %s: the turn ends at once, with the reason", (_, until) => {
    const story = until(new Story().prompt().lines(native.init())).exit({ code: 3, stderr: "boom" });
    expect(story.session).toMatchObject({
      status: { type: "idle" },
      error: { name: "agent_exited", message: expect.stringContaining("boom") },
    });
    expect(story.answersOfModel.at(-1)).toMatchObject({ finish: "error", error: { name: "agent_exited" } });
    expect(story.tools.every(({ state }) => state.status === "error")).toBe(true);
    story.expectLawful();
  });

  test("a blocked tool counts as rejected by the agent's end, and a late decision is not heard", () => {
    const story = withCall("t1", "Bash", LS).lines(native.ask("r1", "t1", "Bash", LS));
    const { id } = story.blockOf();
    story.exit({ code: 1 }).reply({ decision: "once" }, id);
    expect(story.effects).toEqual([]);
    expect(story.tool("t1")).toMatchObject({ status: "error", block: { decision: "reject", decidedBy: "agent" } });
    story.expectLawful();
  });

  test("with the gateway: shutdown decided what was blocked, and nothing that waits is sent", () => {
    const story = withCall("t1", "Bash", LS)
      .lines(native.ask("r1", "t1", "Bash", LS))
      .prompt("two");
    story.exit({ code: null, lost: true });
    expect(story.tool("t1")).toMatchObject({ block: { decision: "reject", decidedBy: "shutdown" } });
    expect(story.session).toMatchObject({ status: { type: "idle" }, queue: [], error: { name: "agent_exited" } });
    expect(story.messages.at(-1)).toMatchObject({ role: "user", metadata: { delivery: "cancelled" } });
    expect(spawns(story)).toHaveLength(1);
    story.expectLawful();
  });

  test.each([
    ["that was never prompted", (story: Story) => story],
    ["between turns", (story: Story) => story.prompt().lines(native.init(), native.result())],
  ])("with the gateway, in a session %s: nothing is said", (_, until) => {
    const story = until(new Story());
    const told = story.events.length;
    story.exit({ code: null, lost: true });
    expect(story.events.slice(told)).toEqual([]);
  });

  test("between turns: that is no failure, and the next prompt starts a new one with the conversation's id", () => {
    const story = new Story()
      .prompt()
      .lines(native.init({ session_id: "conversation" }), native.result())
      .exit({ code: 1 });
    expect(story.session).not.toHaveProperty("error");
    story.prompt("two");
    expect(spawns(story)).toEqual([{ kind: "spawn" }, { kind: "spawn", resume: "conversation" }]);
    story.lines(native.result()).expectLawful();
  });

  test("that nobody here started, before it said anything: the launch failed, and the session says why", () => {
    const story = new Story().exit({ code: 1, stderr: "cannot be used with root" });
    expect(story.session.error?.message).toContain("cannot be used with root");
    expect(story.messages).toEqual([]);
  });

  test("after a turn whose failure is known: that failure stays", () => {
    const story = new Story()
      .prompt()
      .lines(native.result({ is_error: true, result: "first", terminal_reason: "api_error" }));
    story.exit({ code: 1, stderr: "second" });
    expect(story.session.error?.message).toBe("first");
  });

  test("before it said anything: the launch failed, and the session says why", () => {
    const story = new Story().prompt().exit({ code: null, error: "There is no program" });
    expect(story.session.error).toMatchObject({ name: "agent_exited", message: "There is no program" });
    expect(finishes(story)).toEqual(["error"]);
    story.expectLawful();
  });

  test("what waits goes to a new process", () => {
    const story = new Story().prompt("one").prompt("two").lines(native.init()).exit({ code: 1 });
    expect(spawns(story)).toHaveLength(2);
    expect(story.session).toMatchObject({ status: { type: "busy" }, queue: [] });
    story.lines(native.result()).expectLawful();
  });
});

describe("abort", () => {
  const silent = () => new Story().prompt().lines(native.init()).abort();

  test("asks the CLI to interrupt, by a control request and nothing else, and sets a bound", () => {
    expect(silent().effects).toEqual([
      { kind: "send", frame: { type: "control_request", request_id: "aw_2", request: { subtype: "interrupt" } } },
      { kind: "wake", timer: "abort", afterMs: 5000 },
    ]);
  });

  test.each(["streaming", "tools"] as const)("the interrupted turn (%s) is aborted and no failure", (where) => {
    const story = silent().lines(native.aborted(where));
    expect(finishes(story)).toEqual(["aborted"]);
    expect(story.session).not.toHaveProperty("error");
    expect(story.effects).toContainEqual({ kind: "wake", timer: "abort", afterMs: null });
    expect(JSON.stringify(story.events)).not.toContain("ede_diagnostic");
    story.expectLawful();
  });

  test("its first sign before the CLI has begun is not lost: the bound holds though nothing else comes", () => {
    const story = new Story().prompt().abort();
    expect(interrupts(story)).toHaveLength(1);
    story.lines(native.init()).wake();
    expect(story.effects).toContainEqual({ kind: "stop", how: "kill" });
    expect(story.session.status).toEqual({ type: "idle" });
    story.exit(killed).expectLawful();
  });

  test("whose end never comes: the CLI is killed, the turn is over at once and is no failure", () => {
    const story = silent()
      .lines(native.start("m"), native.open(0, { type: "text" }), native.text(0, "ha"))
      .wake();
    expect(story.effects).toContainEqual({ kind: "stop", how: "kill" });
    expect(story.session.status).toEqual({ type: "idle" });
    expect(finishes(story)).toEqual(["aborted"]);
    story.lines(
      native.text(0, "late"),
      native.whole("m2", { type: "text", text: "late" }),
      native.aborted("streaming"),
    );
    story.exit(killed);
    expect(story.texts).toMatchObject([{ text: "ha" }]);
    expect(story.session).not.toHaveProperty("error");
    story.expectLawful();
  });

  test("that kills before the CLI said anything is no failure either", () => {
    const story = new Story().prompt().abort().wake().exit(killed);
    expect(story.session).toMatchObject({ status: { type: "idle" } });
    expect(story.session).not.toHaveProperty("error");
    story.expectLawful();
  });

  test("the queue goes on only after the killed process is gone: two may not write one conversation", () => {
    const story = new Story()
      .prompt("one")
      .lines(native.init({ session_id: "conversation" }))
      .prompt("two");
    story.abort(true).wake();
    expect(spawns(story)).toHaveLength(1);
    story.prompt("three");
    expect(story.effects).toEqual([]);
    expect(story.session.queue).toHaveLength(2);
    story.exit(killed);
    expect(spawns(story).at(-1)).toEqual({ kind: "spawn", resume: "conversation" });
    expect(story.sent.at(-1)).toMatchObject({ type: "user", message: { content: "two" } });
    story.lines(native.result()).lines(native.result()).expectLawful();
  });

  test("that kills, and the gateway is gone before the process: what waited is cancelled, and the next prompt starts anew", () => {
    const story = new Story().prompt("one").lines(native.init()).prompt("two").abort(true).wake();
    expect(story.session).toMatchObject({ status: { type: "idle" }, queue: [expect.any(String)] });
    story.exit({ code: null, lost: true });
    expect(story.session).toMatchObject({ status: { type: "idle" }, queue: [] });
    story.prompt("three");
    expect(spawns(story)).toHaveLength(2);
    story.lines(native.result()).expectLawful();
  });

  test("again and again: the bound is not put off", () => {
    const story = silent().abort().abort();
    const wakes = story.outputs.filter((output) => output.kind === "wake");
    expect(wakes).toEqual([{ kind: "wake", timer: "abort", afterMs: 5000 }]);
  });

  test("rejects what is blocked here and now, and drops the queue unless it is kept", () => {
    const blocked = () =>
      withCall("t1", "Bash", LS)
        .lines(native.ask("r1", "t1", "Bash", LS))
        .prompt("two");
    const story = blocked().abort();
    expect(story.tool("t1")).toMatchObject({ status: "error", block: { decision: "reject", decidedBy: "user" } });
    expect(story.session.queue).toEqual([]);
    expect(blocked().abort(true).session.queue).toHaveLength(1);
    story.lines(
      native.withdraw("r1"),
      native.toolResult("t1", "rejected", { is_error: true }),
      native.aborted("tools"),
    );
    expect(finishes(story)).toEqual(["aborted"]);
    story.expectLawful();
  });

  test("while a file is read for a diff: the tool is not blocked any more", () => {
    const input = { file_path: "/work/a", content: "a" };
    const story = withCall("t1", "Write", input)
      .lines(native.ask("r1", "t1", "Write", input))
      .abort()
      .file(null);
    expect(story.tool("t1")).toMatchObject({ status: "running" });
    story.lines(native.aborted("tools")).expectLawful();
  });

  test("of an idle session does nothing, not even to the agent", () => {
    const story = new Story().prompt().lines(native.result()).abort();
    expect(story.effects).toEqual([]);
    expect(new Story().abort().outputs).toEqual([]);
  });

  test("a wake that comes after the end, or of another timer, is no kill", () => {
    const story = silent().lines(native.aborted("streaming")).wake();
    expect(story.effects).toEqual([]);
    expect(silent().wake("other").effects).toEqual([]);
  });

  test("a process that exits instead of answering ends the turn as aborted", () => {
    const story = silent().exit({ code: 1, stderr: "gone" });
    expect(finishes(story)).toEqual(["aborted"]);
    expect(story.session).not.toHaveProperty("error");
    story.expectLawful();
  });

  test("rejecting with an interrupt ends the turn too, with the same bound", () => {
    const story = withCall("t1", "Bash", LS)
      .lines(native.ask("r1", "t1", "Bash", LS))
      .reply({ decision: "reject", interrupt: true });
    expect(story.answers("r1")).toMatchObject([{ response: { behavior: "deny", interrupt: true } }]);
    expect(story.effects).toContainEqual({ kind: "wake", timer: "abort", afterMs: 5000 });
    expect(interrupts(story)).toEqual([]);
    story.lines(native.aborted("tools")).expectLawful();
  });
});

describe("a conversation that is not there to resume", () => {
  const missing = native.result({
    subtype: "error_during_execution",
    is_error: true,
    terminal_reason: null,
    errors: ["No conversation found with session ID: x"],
  });

  test("after a first turn that died, the prompt goes to a new process, once and without a failure", () => {
    const story = new Story().prompt("one").lines(native.init()).exit(killed).prompt("two");
    const uuid = story.uuid;
    story.lines(missing);
    expect(story.session.status).toEqual({ type: "busy" });
    story.exit({ code: 1 });
    expect(spawns(story).at(-1)).toEqual({ kind: "spawn" });
    expect(story.uuid).toBe(uuid);
    story.lines(
      native.init(),
      native.whole("m", { type: "text", text: "hello" }),
      native.result({ user_message_uuid: uuid }),
    );
    expect(story.session).not.toHaveProperty("error");
    story.expectLawful();
  });

  test("an abort before the new process starts is honoured", () => {
    const story = new Story()
      .prompt("one")
      .lines(native.init())
      .exit(killed)
      .prompt("two")
      .lines(missing)
      .abort()
      .exit({ code: 1 });
    expect(story.session.status).toEqual({ type: "idle" });
    expect(finishes(story).at(-1)).toBe("aborted");
    story.expectLawful();
  });

  test("with a history, losing it is an error that stays to be seen; what waits goes to the next process", () => {
    const story = new Story().prompt("one").lines(native.init(), native.result()).exit();
    story.prompt("two").prompt("three").lines(missing);
    expect(story.session.error?.message).toContain("No conversation found");
    expect(spawns(story)).toHaveLength(2);
    story.exit({ code: 1, stderr: "No conversation found" });
    expect(spawns(story).at(-1)).toEqual({ kind: "spawn" });
    expect(story.sent.at(-1)).toMatchObject({ message: { content: "three" } });
    expect(finishes(story)).toEqual(["stop", "error"]);
    story.lines(native.result()).expectLawful();
  });

  test("with a history and nothing that waits, the error stays after the exit", () => {
    const story = new Story().prompt("one").lines(native.init(), native.result()).exit();
    story.prompt("two").lines(missing).exit({ code: 1, stderr: "some" });
    expect(story.session.error?.message).toContain("No conversation found");
  });
});

describe("the record", () => {
  test("a line that could not be read is the session's error, and the turn goes on", () => {
    const story = new Story().prompt().fault("A line was discarded");
    expect(story.session).toMatchObject({
      status: { type: "busy" },
      error: { name: "protocol", message: "A line was discarded" },
    });
    story.lines(native.whole("m", { type: "text", text: "a" }), native.result());
    expect(finishes(story)).toEqual(["stop"]);
    story.expectLawful();
  });

  test("every turn's init line tells the id to resume by, the newest counts", () => {
    const story = new Story().prompt().lines(native.init({ session_id: "one" }), native.result());
    story
      .prompt()
      .lines(native.init({ session_id: "two", permissionMode: "plan" }), native.result())
      .exit()
      .prompt();
    expect(spawns(story).at(-1)).toEqual({ kind: "spawn", resume: "two" });
    expect(story.session.metadata?.native).toMatchObject({
      sessionID: "two",
      permissionMode: "plan",
      model: "claude-x",
    });
  });

  test("a mode the agent changed is what the session shows; so is what a client changes", () => {
    const story = new Story()
      .prompt()
      .lines(native.init(), { type: "system", subtype: "status", permissionMode: "acceptEdits" });
    expect(story.session.metadata?.native).toMatchObject({ permissionMode: "acceptEdits" });
    story.command({ type: "update", title: "named", metadata: { own: 1 } });
    expect(story.session).toMatchObject({
      title: "named",
      metadata: { own: 1, native: { permissionMode: "acceptEdits" } },
    });
  });

  test("a prompt of several texts is sent as blocks, one of one text as that text", () => {
    const story = new Story().command({
      type: "prompt",
      parts: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    });
    expect(story.sent.at(-1)).toMatchObject({
      message: {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
    });
    expect(new Story().prompt("a").sent.at(-1)).toMatchObject({ message: { content: "a" } });
  });
});
