import { describe, expect, test } from "vitest";
import { claude } from "../../../../adapters/claude/index.js";
import { Observer } from "../../../../src/conformance/observer.js";
import { EMPTY_STATE, reduce } from "../../../../src/store/reduce.js";
import { subagent } from "./children.js";
import { type Json, native } from "./native.js";
import { Story, withCall } from "./story.js";

const TOUCH = { command: "touch a" };
const DEFERRED = { id: "t1", name: "Bash", input: TOUCH };
const USAGE = { input_tokens: 10, output_tokens: 4 };
const spent = (costUSD: number, usage: Json = USAGE): Json => ({
  usage,
  model_usage_since_last_result: { "claude-x": { costUSD } },
});

/** The result of a turn that a hook put off; the one that defers again gives no reason. */
const deferral = (change: Json = {}) =>
  native.result({
    terminal_reason: "tool_deferred",
    stop_reason: "tool_deferred",
    deferred_tool_use: DEFERRED,
    ...change,
  });

const called = () => withCall("t1", "Bash", TOUCH);
/** The process that is to be ended for the call. */
const ending = () => called().lines(deferral());
/** Another one has taken the conversation up. */
const resumed = () => ending().exit();
const asked = () => resumed().lines(native.ask("r1", "t1", "Bash", TOUCH));
const calls = (story: Story) => story.tools.map(({ callID, state }) => `${callID} ${state.status}`);
const spawns = (story: Story) => story.outputs.filter(({ kind }) => kind === "spawn").length;
const interrupts = (story: Story) => story.sent.filter((frame) => (frame.request as Json)?.subtype === "interrupt");

describe("a call that a hook defers", () => {
  test("keeps the turn and its part while the process is started again, and is asked for there", () => {
    const story = ending();
    expect(story.effects).toEqual([{ kind: "stop", how: "end" }]);
    expect(story.session.status).toEqual({ type: "busy" });
    expect(calls(story)).toEqual(["t1 running"]);
    story.exit();
    expect(story.effects).toMatchObject([
      { kind: "spawn", resume: expect.any(String) },
      { kind: "send", frame: { request: { subtype: "initialize" } } },
    ]);
    story.lines(native.ask("r1", "t1", "Bash", TOUCH));
    expect(story.blockOf("t1")).toMatchObject({ type: "permission", patterns: ["touch a"] });
    story.reply({ decision: "once" });
    expect(story.answers("r1")).toMatchObject([{ response: { behavior: "allow" } }]);
    story.lines(native.toolResult("t1", "made"), native.init(), native.whole("m2", { type: "text", text: "Done." }));
    story.lines(native.result());
    expect(calls(story)).toEqual(["t1 completed"]);
    expect(story.session.status).toEqual({ type: "idle" });
    expect(story.answersOfModel.map(({ parentID }) => parentID)).toEqual(
      story.answersOfModel.map(() => story.messages[0]?.id),
    );
    story.expectLawful();
  });

  test("costs what all processes of its turn cost", () => {
    const response = (id: string) => [native.start(id, USAGE), native.end("end_turn", USAGE), native.messageStop()];
    const story = new Story().prompt().lines(native.init(), ...response("m1"));
    story.lines(native.whole("m2", native.call("t1", "Bash", TOUCH)), deferral(spent(1))).exit();
    story.lines(native.toolResult("t1", "made"), ...response("m3"), native.result(spent(2)));
    const last = story.answersOfModel.at(-1);
    expect(last).toMatchObject({ cost: 3, metadata: { turn: { cost: 3, tokens: { input: 20, output: 8 } } } });
    story.prompt("next").lines(native.result({ ...spent(4, {}), user_message_uuid: story.uuid }));
    expect(story.answersOfModel.at(-1)).toMatchObject({ cost: 4 });
    story.expectLawful();
  });

  test.each([
    ["is interrupted", (story: Story) => story.abort().lines(native.aborted("tools", spent(2)))],
    ["dies", (story: Story) => story.exit({ code: null, signal: "SIGKILL" })],
  ])("costs what was spent also when the process that takes it up %s", (_, ends) => {
    const story = ends(
      called()
        .lines(deferral(spent(1)))
        .exit(),
    );
    expect(story.answersOfModel.at(-1)?.cost).toBeGreaterThanOrEqual(1);
    story.expectLawful();
  });

  test.each([
    ["allows", native.toolResult("t1", "made"), "completed"],
    ["denies", native.toolResult("t1", "not today", { is_error: true }), "error"],
  ])("is not asked for where the hook %s it in the new process", (_, result, status) => {
    const story = resumed().lines(result, native.init(), native.result());
    expect(calls(story)).toEqual([`t1 ${status}`]);
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("is one of two: the one that has no result by then gets none", () => {
    const story = called().lines(native.whole("msg_t1", native.call("t2", "Bash", { command: "ls" })), deferral());
    expect(calls(story)).toEqual(["t1 running", "t2 error"]);
    story
      .exit()
      .lines(native.ask("r1", "t1", "Bash", TOUCH))
      .reply({ decision: "reject" });
    story.lines(native.toolResult("t1", "no", { is_error: true }), native.result());
    story.expectLawful();
  });

  test("is the second one that is deferred in a turn", () => {
    const story = asked().reply({ decision: "once" });
    story.lines(native.toolResult("t1", "made"), native.whole("m2", native.call("t2", "Bash", TOUCH)));
    story.lines(deferral({ deferred_tool_use: { ...DEFERRED, id: "t2" } })).exit();
    expect(spawns(story)).toBe(3);
    story.lines(native.ask("r2", "t2", "Bash", TOUCH)).reply({ decision: "once" });
    story.lines(native.toolResult("t2", "made"), native.result());
    expect(calls(story)).toEqual(["t1 completed", "t2 completed"]);
    story.expectLawful();
  });

  test("leaves prompts that wait where they are, until its turn is over", () => {
    const story = ending().prompt("later").exit();
    expect(story.session.queue).toHaveLength(1);
    story.lines(native.ask("r1", "t1", "Bash", TOUCH)).reply({ decision: "once" });
    story.lines(native.toolResult("t1", "made"), native.result());
    expect(story.session.queue).toEqual([]);
    expect(story.effects).toMatchObject([{ kind: "send", frame: { message: { content: "later" } } }]);
    story.lines(native.result({ user_message_uuid: story.uuid })).expectLawful();
  });

  test("lets a prompt steer once it is taken up, not before", () => {
    const steer = (story: Story) =>
      story.command({ type: "prompt", parts: [{ type: "text", text: "and?" }], steer: true });
    expect(steer(ending()).effects).toEqual([]);
    const story = steer(asked()).reply({ decision: "once" });
    story.lines(native.toolResult("t1", "made"), native.result());
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(native.result({ user_message_uuid: story.uuid }));
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });
});

describe("a deferred call fails, and the turn ends,", () => {
  test.each([
    ["when the hook defers it again unasked", () => resumed().lines(deferral({ terminal_reason: null })), /again/],
    ["when the new process ends the turn without it", () => resumed().lines(native.result()), /did not take it up/],
    ["when the new process dies", () => resumed().exit({ code: 7 }), /exited with code 7/],
    [
      "when the new process cannot start",
      () => resumed().exit({ code: null, error: "no such program" }),
      /no such program/,
    ],
    [
      "when the new process has nothing to resume",
      () => resumed().lines(native.result({ is_error: true, errors: ["No conversation found with session ID: 1"] })),
      /did not take it up/,
    ],
    [
      "when a subagent works in the process",
      () => called().lines(subagent.started("a1", "t0"), deferral()),
      /background work/,
    ],
    [
      "when a command works in the process",
      () =>
        called().lines({ type: "system", subtype: "background_tasks_changed", tasks: [{ task_id: "b1" }] }, deferral()),
      /background work/,
    ],
    ["when the gateway ends meanwhile", () => ending().exit({ code: null, lost: true }), /gateway was stopped/],
    ["when the turn is aborted meanwhile", () => ending().abort().exit(), /aborted/],
    ["when it was being aborted already", () => called().abort().lines(deferral()), /aborted/],
    ["when the abort is not heard", () => ending().abort().wake(), /aborted/],
    ["when it is aborted in the new process", () => resumed().abort().lines(native.aborted("tools")), /aborted/],
  ])("%s", (_, happens, message) => {
    const story = happens();
    const state = story.tool("t1");
    expect(state).toMatchObject({ status: "error", error: expect.stringMatching(message) });
    expect(story.session.status).toEqual({ type: "idle" });
    expect(spawns(story)).toBeLessThanOrEqual(2);
    story.expectLawful();
  });

  test.each([
    ["nothing", null],
    ["no object", "t1"],
    ["no call", {}],
    ["a call that is not open", { ...DEFERRED, id: "t9" }],
  ])("when the result names %s", (_, deferred_tool_use) => {
    const story = called().lines(deferral({ deferred_tool_use }));
    expect(story.effects).toEqual([]);
    expect(story.tool("t1")).toMatchObject({ status: "error" });
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("when a prompt was sent into it, which the agent answers next", () => {
    const story = called().command({ type: "prompt", parts: [{ type: "text", text: "stop" }], steer: true });
    const [first] = story.sent.filter(({ type }) => type === "user");
    story.lines(deferral({ user_message_uuid: first?.uuid }));
    expect(story.tool("t1")).toMatchObject({ status: "error", error: expect.stringMatching(/another prompt/) });
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(native.result({ user_message_uuid: story.uuid }));
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });
});

describe("a call that was left deferred", () => {
  const left = () => ending().exit({ code: null, lost: true });

  test("is stopped by the next process before its prompt, whose answer is the prompt's", () => {
    const story = left().prompt("two");
    expect(story.effects).toMatchObject([
      { kind: "spawn" },
      { frame: { request: { subtype: "initialize" } } },
      { frame: { request: { subtype: "interrupt" } } },
      { frame: { type: "user" } },
    ]);
    story.lines(native.toolResult("t1", "stopped", { is_error: true }), native.aborted("streaming"));
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(native.whole("m2", { type: "text", text: "Two." }), native.result({ user_message_uuid: story.uuid }));
    expect(story.session.status).toEqual({ type: "idle" });
    expect(calls(story)).toEqual(["t1 error"]);
    story.exit().prompt("three");
    expect(interrupts(story)).toHaveLength(1);
    story.exit().expectLawful();
  });

  test("is refused where it is asked for all the same", () => {
    const story = left()
      .prompt("two")
      .lines(native.ask("r1", "t1", "Bash", TOUCH));
    expect(story.answers("r1")).toMatchObject([{ response: { behavior: "deny", interrupt: true } }]);
    story.lines(native.aborted("streaming"), native.result({ user_message_uuid: story.uuid }));
    expect(calls(story)).toEqual(["t1 error"]);
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("does not keep a prompt whose turn is the first to end", () => {
    const story = left()
      .prompt("two")
      .lines(native.result({ user_message_uuid: "other" }));
    story.lines(native.result({ user_message_uuid: story.uuid }));
    expect(story.session.status).toEqual({ type: "idle" });
  });

  test("is left by a session that goes on without a prompt", () => {
    const story = left().command({ type: "start" }).lines(native.aborted("streaming"));
    expect(interrupts(story)).toHaveLength(1);
    expect(story.session.status).toEqual({ type: "idle" });
    expect(story.session.error).toMatchObject({ name: "agent_exited" });
    story.expectLawful();
  });
});

describe("a recording", () => {
  const PROMPT = { type: "user", uuid: "u1", message: { role: "user", content: "go" }, session_id: "" };
  const call = native.whole("m1", native.call("t1", "Bash", TOUCH), { stop_reason: "tool_use" });
  const first = [native.init(), call, deferral({ user_message_uuid: "u1" })];
  const out = (frame: Json) => ({ t: 1, kind: "frame" as const, frame });
  const exit = { t: 2, kind: "exit" as const, code: 0, signal: null };

  function observed(...entries: Parameters<Observer["read"]>[0][]) {
    const observer = new Observer(claude);
    const sent = { t: 0, kind: "sent" as const, frame: PROMPT };
    const events = [
      ...observer.start(),
      ...[sent, ...entries].flatMap((entry) => observer.read(entry)),
      ...observer.end(9),
    ];
    const session = events.reduce(reduce, EMPTY_STATE).sessions[observer.seed.sessionID];
    const parts = Object.values(session?.messages ?? {}).flatMap((message) => Object.values(message.parts));
    const tools = parts.filter((part) => part.type === "tool").map((part) => `${part.callID} ${part.state.status}`);
    return { tools, status: session?.info.status.type };
  }

  test.each([
    ["ends with the exit", [exit]],
    ["ends with the result", []],
  ])("that %s of a deferred turn ends it", (_, rest) => {
    expect(observed(...first.map(out), ...rest)).toEqual({ tools: ["t1 error"], status: "idle" });
  });

  test.each([
    ["with the exit between", [exit]],
    ["without the exit between", []],
  ])("that holds the resumed run too shows one part, %s", (_, between) => {
    const second = [native.ask("r1", "t1", "Bash", TOUCH), native.toolResult("t1", "made"), native.result()];
    expect(observed(...first.map(out), ...between, ...second.map(out), exit)).toEqual({
      tools: ["t1 completed"],
      status: "idle",
    });
  });

  test("that goes on in the same process begins another turn", () => {
    const next = { t: 3, kind: "sent" as const, frame: { ...PROMPT, uuid: "u2" } };
    const answer = [native.whole("m2", { type: "text", text: "Two." }), native.result({ user_message_uuid: "u2" })];
    expect(observed(...first.map(out), next, ...answer.map(out), exit)).toEqual({
      tools: ["t1 error"],
      status: "idle",
    });
  });
});
