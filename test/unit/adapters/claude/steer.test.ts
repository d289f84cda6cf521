import { describe, expect, test } from "vitest";
import { delegating, subagent, text, working } from "./children.js";
import { native } from "./native.js";
import { Story, withCall } from "./story.js";

const LS = { command: "ls" };
const running = () => new Story().prompt("one").lines(native.init());
const bash = (id: string) => native.whole(`m_${id}`, native.call(id, "Bash", LS));
const asked = () => withCall("t1", "Bash", LS).lines(native.ask("r1", "t1", "Bash", LS));
const killed = { code: null, signal: "SIGKILL" };

function steer(story: Story, words: string, messageID?: string): Story {
  return story.command({
    type: "prompt",
    parts: [{ type: "text", text: words }],
    steer: true,
    ...(messageID && { messageID }),
  });
}

/** What was sent as prompts, in order. */
const prompts = (story: Story) =>
  story.sent
    .filter(({ type }) => type === "user")
    .map(({ message, uuid }) => ({ words: (message as { content: unknown }).content, uuid: String(uuid) }));

function uuidOf(story: Story, words: string): string {
  const prompt = prompts(story).find((sent) => sent.words === words);
  if (!prompt) throw new Error(`no prompt "${words}" was sent`);
  return prompt.uuid;
}

const answered = (story: Story, ...words: string[]) =>
  native.result({ user_message_uuids: words.map((prompt) => uuidOf(story, prompt)) });

const deliveries = (story: Story) =>
  story.messages.flatMap(({ role, metadata }) => (role === "user" ? [metadata?.delivery] : []));

const cancelled = (command_uuid: string) => ({ type: "command_lifecycle", command_uuid, state: "cancelled" });

describe("a prompt into a turn", () => {
  test.each([
    ["nothing came yet", () => new Story().prompt("one")],
    ["a text streams", () => running().lines(native.start("m"), native.open(0, { type: "text" }), native.text(0, "a"))],
    ["the tool has its result", () => withCall("t1", "Bash", LS).lines(native.toolResult("t1", "out"))],
    ["the tool was rejected", () => asked().reply({ decision: "reject" })],
    ["only a background subagent works", () => working().lines(native.toolResult("t1", "launched"))],
    [
      "only a tool of a background subagent runs",
      () => working().lines(native.toolResult("t1", "launched"), subagent.line(bash("c1"), "t1", "a1")),
    ],
  ])("is urgent while no tool is open: %s", (_, until) => {
    const story = steer(until(), "more");
    expect(story.effects).toMatchObject([
      { kind: "send", frame: { type: "user", message: { content: "more" }, priority: "now" } },
    ]);
    expect(deliveries(story).at(-1)).toBe("steered");
    story.exit().expectLawful();
  });

  test.each([
    ["the model writes its input", () => running().lines(native.start("m"), native.openTool(0, "t1"))],
    ["it runs", () => withCall("t1", "Bash", LS)],
    ["it is blocked", asked],
    ["it was allowed", () => asked().reply({ decision: "once" })],
    ["it is a subagent", delegating],
    ["another has its result", () => withCall("t1", "Bash", LS).lines(bash("t2"), native.toolResult("t1", "out"))],
  ])("is not urgent while a tool is open: %s", (_, until) => {
    const story = steer(until(), "more");
    expect(story.effects).toMatchObject([{ kind: "send", frame: { type: "user", message: { content: "more" } } }]);
    expect(story.sent.at(-1)).not.toHaveProperty("priority");
    expect(deliveries(story).at(-1)).toBe("steered");
    story.exit().expectLawful();
  });

  test("leaves a blocked tool blocked", () => {
    const story = steer(asked(), "more");
    expect(story.tool("t1")).toMatchObject({ status: "blocked" });
    story.reply({ decision: "once" });
    expect(story.answers("r1")).toMatchObject([{ response: { behavior: "allow" } }]);
    story.lines(native.toolResult("t1", "out"), native.result({ user_message_uuid: story.uuid }));
    story.exit().expectLawful();
  });

  test("keeps the id the client gave it, and is not in the queue", () => {
    const story = steer(running(), "more", "msg_steered");
    expect(story.messages.at(-1)).toMatchObject({ id: "msg_steered", role: "user" });
    expect(story.session).toMatchObject({ status: { type: "busy" }, queue: [] });
    story.exit().expectLawful();
  });
});

describe("when idle, it is a prompt like any other", () => {
  test.each([
    ["in a new session", () => new Story(), ["spawn", "send", "send"]],
    ["after a turn", () => running().lines(native.result()), ["send"]],
    ["after an abort", () => running().abort().lines(native.aborted("streaming")), ["send"]],
    ["after the process ended", () => running().lines(native.result()).exit(), ["spawn", "send", "send"]],
  ])("%s", (_, until, effects) => {
    const story = steer(until(), "more");
    expect(story.effects.map(({ kind }) => kind)).toEqual(effects);
    expect(story.sent.at(-1)).toMatchObject({ message: { content: "more" } });
    expect(story.sent.at(-1)).not.toHaveProperty("priority");
    expect(story.messages.at(-1)).not.toHaveProperty("metadata");
    expect(story.session).toMatchObject({ status: { type: "busy" }, queue: [] });
    story.lines(answered(story, "more"));
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });
});

describe("the answer", () => {
  test("in the same turn, where the result names both prompts: one turn, then idle", () => {
    const story = steer(withCall("t1", "Bash", LS), "more");
    story.lines(native.toolResult("t1", "out"), text("m2", "Heard."), answered(story, "go", "more"));
    expect(story.session.status).toEqual({ type: "idle" });
    expect(story.answersOfModel.map(({ parentID }) => parentID)).toEqual([
      story.messages[0]?.id,
      story.messages[0]?.id,
    ]);
    story.expectLawful();
  });

  test.each([
    ["names only the first prompt", true],
    ["names none", false],
  ])("in a turn of its own, where the first result %s", (_, named) => {
    const story = steer(running().lines(text("m1", "First")), "more", "msg_more");
    story.lines(named ? answered(story, "one") : native.result());
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(native.init(), text("m2", "Second"), answered(story, "more"));
    expect(story.answersOfModel.at(-1)).toMatchObject({ parentID: "msg_more", finish: "stop" });
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("the text that was cut short for it is aborted and no failure", () => {
    const story = running().lines(native.start("m"), native.open(0, { type: "text" }), native.text(0, "a tale"));
    steer(story, "stop that", "msg_more");
    const cut = native.result({ terminal_reason: "aborted_streaming", user_message_uuids: [uuidOf(story, "one")] });
    story.lines(native.messageStop(1), cut);
    expect(story.answersOfModel).toMatchObject([{ finish: "aborted" }]);
    expect(story.texts).toMatchObject([{ text: "a tale" }]);
    expect(story.session).toMatchObject({ status: { type: "busy" } });
    expect(story.session).not.toHaveProperty("error");
    story.lines(text("m2", "Stopped."), answered(story, "stop that"));
    expect(story.answersOfModel.at(-1)).toMatchObject({ parentID: "msg_more", finish: "stop" });
    story.expectLawful();
  });

  test("of a prompt whose result comes again does not end the next turn", () => {
    const story = steer(running(), "more");
    story.lines(answered(story, "one"), answered(story, "one"));
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(answered(story, "more"));
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("a failed turn does not take it along", () => {
    const story = steer(running(), "more", "msg_more");
    story.lines(
      native.result({
        is_error: true,
        terminal_reason: "api_error",
        result: "overloaded",
        user_message_uuids: [uuidOf(story, "one")],
      }),
    );
    expect(story.answersOfModel).toMatchObject([{ finish: "error" }]);
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(text("m2", "Now."), answered(story, "more"));
    expect(story.answersOfModel.at(-1)).toMatchObject({ parentID: "msg_more", finish: "stop" });
    expect(story.session).not.toHaveProperty("error");
    story.expectLawful();
  });
});

describe("several", () => {
  const two = (story = running()) => steer(steer(story, "two", "msg_two"), "three", "msg_three");

  test("are sent in their order, each with an id of its own", () => {
    const story = two();
    expect(prompts(story).map(({ words }) => words)).toEqual(["one", "two", "three"]);
    expect(new Set(prompts(story).map(({ uuid }) => uuid)).size).toBe(3);
    expect(deliveries(story)).toEqual([undefined, "steered", "steered"]);
    story.exit().expectLawful();
  });

  test.each([
    ["all in the running turn", [["one", "two", "three"]], ["one"]],
    ["all in the next turn", [["one"], ["two", "three"]], ["one", "msg_two"]],
    ["one in the running turn, one after", [["one", "two"], ["three"]], ["one", "msg_three"]],
    ["each in a turn of its own", [["one"], ["two"], ["three"]], ["one", "msg_two", "msg_three"]],
    ["the later one first", [["one", "three"], ["two"]], ["one", "msg_two"]],
  ])("are answered %s", (_, turns, parents) => {
    const story = two();
    const results = turns.map((words) => answered(story, ...words));
    for (const [i, result] of results.entries()) {
      expect(story.session.status).toEqual({ type: "busy" });
      story.lines(text(`m${i}`, "answer"), result);
    }
    expect(story.session.status).toEqual({ type: "idle" });
    const first = story.messages[0]?.id;
    expect(story.answersOfModel.map(({ parentID }) => parentID)).toEqual(
      parents.map((parent) => (parent === "one" ? first : parent)),
    );
    story.expectLawful();
  });

  test("and a waiting prompt: that is sent when all of them are answered", () => {
    const story = two(running().prompt("queued"));
    expect(story.session.queue).toHaveLength(1);
    story.lines(answered(story, "one"));
    expect(story.effects).toEqual([]);
    expect(story.session.queue).toHaveLength(1);
    story.lines(answered(story, "two", "three"));
    expect(story.effects).toMatchObject([{ kind: "send", frame: { message: { content: "queued" } } }]);
    expect(story.session).toMatchObject({ status: { type: "busy" }, queue: [] });
    story.lines(answered(story, "queued"));
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("the first urgent, the next not, as tools open", () => {
    const story = steer(running(), "two");
    expect(story.sent.at(-1)).toHaveProperty("priority", "now");
    steer(story.lines(bash("t1")), "three");
    expect(story.sent.at(-1)).not.toHaveProperty("priority");
    story.lines(native.toolResult("t1", "out"), answered(story, "one", "two", "three"));
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });
});

describe("an abort", () => {
  const interrupt = (change = {}) => ({ kind: "send", frame: { request: { subtype: "interrupt", ...change } } });

  test("takes all of them back, and the agent is told so", () => {
    const story = steer(steer(withCall("t1", "Bash", LS), "two"), "three").abort();
    expect(story.effects).toMatchObject([interrupt({ cancel_queued: true }), { kind: "wake" }]);
    expect(deliveries(story)).toEqual([undefined, "cancelled", "cancelled"]);
    story.lines(
      cancelled(uuidOf(story, "two")),
      native.toolResult("t1", "rejected", { is_error: true }),
      native.aborted("tools", { user_message_uuids: [uuidOf(story, "go")] }),
      cancelled(uuidOf(story, "three")),
    );
    expect(story.session.status).toEqual({ type: "idle" });
    expect(deliveries(story)).toEqual([undefined, "cancelled", "cancelled"]);
    expect(story.answersOfModel).toMatchObject([{ finish: "aborted" }]);
    story.expectLawful();
  });

  test("with nothing steered asks the agent to take nothing back", () => {
    const story = running().abort();
    expect(JSON.stringify(story.effects)).not.toContain("cancel_queued");
    story.lines(native.aborted("streaming")).expectLawful();
  });

  test("that keeps the queue keeps them: the agent goes on with them", () => {
    const story = steer(running(), "more", "msg_more").abort(true);
    expect(JSON.stringify(story.effects)).not.toContain("cancel_queued");
    story.lines(native.aborted("streaming", { user_message_uuids: [uuidOf(story, "one")] }));
    expect(deliveries(story)).toEqual([undefined, "steered"]);
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(text("m2", "Second"), answered(story, "more"));
    expect(story.answersOfModel).toMatchObject([{ finish: "aborted" }, { parentID: "msg_more", finish: "stop" }]);
    story.expectLawful();
  });

  test("drops what was steered and what waits alike", () => {
    const story = steer(running().prompt("queued"), "more").abort();
    expect(deliveries(story)).toEqual([undefined, "cancelled", "cancelled"]);
    expect(story.session.queue).toEqual([]);
    story.lines(native.aborted("streaming"));
    expect(prompts(story).map(({ words }) => words)).toEqual(["one", "more"]);
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("makes the next one wait: it is sent when the turn is over", () => {
    const story = steer(running().abort(), "more");
    expect(story.effects).toEqual([]);
    expect(deliveries(story)).toEqual([undefined, "queued"]);
    story.lines(native.aborted("streaming"));
    expect(story.sent.at(-1)).toMatchObject({ type: "user", message: { content: "more" } });
    expect(deliveries(story)).toEqual([undefined, "sent"]);
    story.lines(answered(story, "more"));
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("that kills makes the next one wait for a new process", () => {
    const story = steer(running().abort().wake(), "more");
    expect(story.effects).toEqual([]);
    story.exit(killed);
    expect(story.effects.map(({ kind }) => kind)).toEqual(["spawn", "send", "send"]);
    expect(deliveries(story)).toEqual([undefined, "sent"]);
    story.lines(native.result()).expectLawful();
  });

  test("in the turn of a steered prompt takes back only what came after it", () => {
    const story = steer(running(), "two", "msg_two");
    steer(story.lines(answered(story, "one")), "three");
    story.abort().lines(native.aborted("streaming", { user_message_uuids: [uuidOf(story, "two")] }));
    expect(deliveries(story)).toEqual([undefined, "steered", "cancelled"]);
    expect(story.answersOfModel.at(-1)).toMatchObject({ parentID: "msg_two", finish: "aborted" });
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });
});

describe("the CLI gives one up", () => {
  test("by its uuid: that one is cancelled, and no turn begins for it", () => {
    const story = steer(steer(running(), "two", "msg_two"), "three", "msg_three");
    story.lines(cancelled(uuidOf(story, "two")));
    expect(deliveries(story)).toEqual([undefined, "cancelled", "steered"]);
    story.lines(answered(story, "one"), text("m2", "Third"), answered(story, "three"));
    expect(story.answersOfModel.at(-1)).toMatchObject({ parentID: "msg_three" });
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test.each([
    ["of the running turn", (story: Story) => cancelled(uuidOf(story, "one"))],
    ["nobody sent", () => cancelled("00000000-0000-4000-8000-000000000009")],
    ["that only began", (story: Story) => ({ ...cancelled(uuidOf(story, "more")), state: "started" })],
  ])("the prompt %s: nothing changes", (_, line) => {
    const story = steer(running(), "more");
    const told = story.events.length;
    story.lines(line(story));
    expect(story.events).toHaveLength(told);
    story.lines(answered(story, "one", "more"));
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("all of them: the turn is the first prompt's alone", () => {
    const story = steer(running(), "more");
    story.lines(cancelled(uuidOf(story, "more")), native.result());
    expect(story.session.status).toEqual({ type: "idle" });
    expect(story.answersOfModel).toHaveLength(1);
    story.expectLawful();
  });
});

describe("the process ends", () => {
  test("what was steered is lost with it, what waits goes to a new one", () => {
    const story = steer(running().prompt("queued"), "more").exit({ code: 1, stderr: "boom" });
    expect(deliveries(story)).toEqual([undefined, "sent", "cancelled"]);
    expect(story.sent.at(-1)).toMatchObject({ message: { content: "queued" } });
    story.lines(native.init(), answered(story, "queued"));
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("with the gateway: nothing is sent any more", () => {
    const story = steer(running().prompt("queued"), "more").exit({ code: null, lost: true });
    expect(story.effects).toEqual([]);
    expect(deliveries(story)).toEqual([undefined, "cancelled", "cancelled"]);
    expect(story.session).toMatchObject({ status: { type: "idle" }, queue: [] });
    story.expectLawful();
  });

  test("in the turn of a steered prompt: that turn fails", () => {
    const story = steer(running(), "more", "msg_more");
    story.lines(answered(story, "one")).exit({ code: 1, stderr: "boom" });
    expect(story.answersOfModel.at(-1)).toMatchObject({ parentID: "msg_more", finish: "error" });
    expect(story.session).toMatchObject({ status: { type: "idle" }, error: { name: "agent_exited" } });
    story.expectLawful();
  });
});

test("a prompt that was sent into a turn which must be sent again is sent again with it", () => {
  const story = running().exit(killed).prompt("two");
  steer(story, "three");
  story.lines(native.result({ is_error: true, subtype: "error_during_execution", errors: ["No conversation found"] }));
  story.exit({ code: 1 });
  expect(prompts(story).map(({ words }) => words)).toEqual(["one", "two", "three", "two", "three"]);
  story.lines(native.init(), answered(story, "three"));
});

test("a turn that is killed for its silence takes what was sent into it", () => {
  const story = running();
  steer(story, "two");
  story.abort(true).wake().exit(killed);
  expect(deliveries(story)).not.toContain("steered");
});

describe("a prompt into a turn that the agent began by itself", () => {
  const own = () =>
    new Story()
      .prompt("one")
      .lines(native.init(), native.result(), native.start("own"), native.open(0, { type: "text" }));
  const ended = native.result({ origin: { kind: "task-notification" } });

  test("is answered in a turn of its own, after that turn's result", () => {
    const story = steer(own(), "more", "msg_more").lines(ended);
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(text("m2", "mine"), answered(story, "more"));
    expect(story.session.status).toEqual({ type: "idle" });
    expect(story.answersOfModel.map(({ parentID }) => parentID)).toEqual([
      story.messages[0]?.id,
      story.messages[0]?.id,
      "msg_more",
    ]);
    story.expectLawful();
  });

  test("that joins it is answered by it", () => {
    const story = steer(own(), "more");
    story.lines(answered(story, "more"));
    expect(story.session.status).toEqual({ type: "idle" });
    expect(deliveries(story).at(-1)).toBe("steered");
    story.expectLawful();
  });

  test("goes with it when it is aborted, and its result ends it", () => {
    const story = steer(own(), "more").abort();
    expect(deliveries(story).at(-1)).toBe("cancelled");
    expect(story.sent.at(-1)).toMatchObject({ request: { subtype: "interrupt", cancel_queued: true } });
    story.lines(native.aborted("streaming", { origin: { kind: "task-notification" } }));
    expect(story.session.status).toEqual({ type: "idle" });
    expect(story.effects).toEqual([{ kind: "wake", timer: "abort", afterMs: null }]);
    story.expectLawful();
  });

  test("stays when the abort keeps what waits", () => {
    const story = steer(own(), "more").abort(true).lines(native.aborted("streaming"));
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(answered(story, "more"));
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("is cancelled by the CLI, or lost with its process", () => {
    const given = steer(own(), "more");
    given.lines(cancelled(uuidOf(given, "more")), ended);
    expect(deliveries(given).at(-1)).toBe("cancelled");
    expect(given.session.status).toEqual({ type: "idle" });
    const dead = steer(own(), "more").exit(killed);
    expect(deliveries(dead).at(-1)).toBe("cancelled");
    dead.expectLawful();
  });
});
