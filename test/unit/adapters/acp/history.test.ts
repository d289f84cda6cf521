import { describe, expect, test } from "vitest";
import { native, running, SESSION, Story } from "./story.js";

const LOAD = { agentCapabilities: { loadSession: true } };
const OLD = [
  native.user("go"),
  native.say("Hi"),
  native.call("old", { status: "completed", title: "Shell", kind: "execute" }),
  native.user("[Function Response: shell]"),
];

function again(agent: string): Story {
  const story = running(agent).updates(native.say("Hi")).end().exit().prompt("more");
  return story.answer("initialize", { protocolVersion: 1, ...LOAD });
}

describe("a history that is told again", () => {
  test("before the answer is not doubled, and what tells how things stand is taken", () => {
    const story = again("acp-copilot");
    expect(story.methods.at(-1)).toBe("session/load");
    story.updates(...OLD, { sessionUpdate: "session_info_update", title: "Loaded" });
    // The answer may hold nothing.
    story.answer("session/load", null);
    expect(story.session.title).toBe("Loaded");
    expect(story.methods.at(-1)).toBe("session/prompt");
    story.updates(native.say("Ho")).end();
    expect(story.texts()).toEqual(["Hi", "Ho"]);
    expect(story.tools()).toEqual([]);
    story.expectLawful();
  });

  test("after the answer is waited for: the prompt goes when it pauses", () => {
    const story = again("acp-gemini").answer("session/load", {});
    expect(story.methods.at(-1)).toBe("session/load");
    expect(story.last).toContainEqual({ kind: "wake", timer: "replay", afterMs: 1000 });
    story.updates(...OLD);
    expect(story.last).toContainEqual({ kind: "wake", timer: "replay", afterMs: 1000 });
    story.wake("replay");
    expect(story.methods.at(-1)).toBe("session/prompt");
    story.updates(native.say("Ho")).end();
    expect(story.texts()).toEqual(["Hi", "Ho"]);
    story.expectLawful();
  });

  test("that this side has not is learned from a recording", () => {
    const story = new Story().lines({ id: 0, result: { protocolVersion: 1, ...LOAD } });
    story.updates(
      native.user("first"),
      native.user(" question"),
      native.think("Hm"),
      native.say("First answer"),
      native.call("c", { name: "bash", status: "completed", rawInput: { command: "ls" }, ...native.output("a") }),
      native.user("second"),
      native.say("Second answer"),
    );
    story.lines({ id: 1, result: { modes: { availableModes: [], currentModeId: "x" } } });
    story.prompt("third", "2").updates(native.say("Third answer"));
    story.lines({ id: 2, result: { stopReason: "end_turn" } }).exit();
    expect(story.messages().filter(({ role }) => role === "user")).toHaveLength(3);
    expect(story.texts()).toEqual(["First answer", "Second answer", "Third answer"]);
    expect(story.tool.state).toMatchObject({ status: "completed", output: "a" });
    story.expectLawful();
  });
});

describe("a recording that was made elsewhere", () => {
  const started = () =>
    new Story().lines({ id: 0, result: { protocolVersion: 1 } }, { id: 1, result: { sessionId: SESSION } });

  test("shows the end of a prompt by the id of its request", () => {
    const story = started().prompt("one", "7").updates(native.say("Hi"));
    story.lines({ id: 6, result: { stopReason: "end_turn" } });
    expect(story.session.status.type).toBe("busy");
    story.lines({ id: 7, error: { code: 401, message: '{"error":{"message":"bad key"}}' } });
    expect(story.answered).toMatchObject({ finish: "error", error: { name: "auth", message: "bad key" } });
  });

  test("may show the answer to a second prompt before the end of the first", () => {
    const story = started().prompt("one", "7").prompt("two", "8");
    story.lines({ id: 8, error: { code: -32600, message: "busy" } });
    story.updates(native.say("One")).lines({ id: 7, result: { stopReason: "end_turn" } });
    expect(story.answers.map(({ finish }) => finish)).toEqual(["stop", "error"]);
    expect(story.session.status.type).toBe("idle");
    story.expectLawful();
  });

  test("hears nothing of another session, and refuses to decide for it", () => {
    const story = started().prompt("one", "7");
    story.lines(native.update(native.say("other"), "native-2"), native.ask(0, { toolCallId: "x" }, [], "native-2"));
    expect(story.said).toMatchObject([{ result: { outcome: { outcome: "cancelled" } } }]);
    expect(story.texts()).toEqual([]);
    expect(
      story.adapter.observe(story.state, { id: 9, method: "session/prompt", params: { sessionId: "native-2" } }),
    ).toBeUndefined();
  });

  test("is only what the agent wrote: then turns are the agent's own", () => {
    const story = new Story().updates(native.say("Hi"));
    story.lines({ id: 3, result: { stopReason: "end_turn" } });
    expect(story.session.status.type).toBe("idle");
    expect(story.texts()).toEqual(["Hi"]);
    story.expectLawful();
  });
});

describe("what was sent, read back", () => {
  const base = () => running().lines(native.ask(0, { toolCallId: "a", kind: "execute", rawInput: { command: "ls" } }));

  test.each([
    [{ outcome: { outcome: "selected", optionId: "always" } }, { optionID: "always" }],
    [{ outcome: { outcome: "cancelled" } }, { decision: "reject" }],
  ])("the answer to a permission %j", (result, reply) => {
    const story = base();
    const { observe } = story.adapter;
    expect(observe(story.state, { id: 0, result })).toMatchObject({
      type: "reply",
      blockID: story.block().id,
      ...reply,
    });
    expect(observe(story.state, { id: "0", result }), "another id").toBeUndefined();
    expect(observe(story.state, { id: 0, error: { code: 1, message: "no" } })).toMatchObject({ decision: "reject" });
  });

  test("answers to questions, of either kind", () => {
    const schema = {
      type: "object",
      properties: {
        q: { type: "string", oneOf: [{ const: "a", title: "A" }] },
        q_note: { type: "string" },
        more: { type: "array", items: { enum: ["x", "y"] } },
      },
    };
    const form = running().lines({
      id: 4,
      method: "elicitation/create",
      params: { sessionId: SESSION, mode: "form", message: "?", requestedSchema: schema },
    });
    const { observe } = form.adapter;
    const content = { q: "a", q_note: "why", more: ["y"] };
    expect(observe(form.state, { id: 4, result: { action: "accept", content } })).toMatchObject({
      answers: [["A", "why"], ["y"]],
    });
    expect(observe(form.state, { id: 4, result: { action: "cancel" } })).toMatchObject({ decision: "reject" });
  });

  test("prompts with all they hold, and cancels", () => {
    const story = running();
    const { observe } = story.adapter;
    const prompt = [
      { type: "text", text: "hi" },
      { type: "image", mimeType: "image/png", data: "AA" },
      { type: "resource_link", uri: "file:///a.md", name: "a.md" },
    ];
    expect(observe(story.state, { id: 3, method: "session/prompt", params: { sessionId: SESSION, prompt } })).toEqual({
      type: "prompt",
      nativeID: "3",
      parts: [
        { type: "text", text: "hi" },
        { type: "file", mime: "image/png", url: "data:image/png;base64,AA" },
        { type: "file", mime: "application/octet-stream", url: "file:///a.md", filename: "a.md" },
      ],
    });
    const cancel = { method: "session/cancel", params: { sessionId: SESSION } };
    expect(observe(story.state, cancel)).toEqual({ type: "abort", keepQueue: true });
    expect(observe(story.state, "noise")).toBeUndefined();
    expect(observe(story.state, { id: 3, method: "session/set_mode", params: { sessionId: SESSION } })).toBeUndefined();
  });
});
