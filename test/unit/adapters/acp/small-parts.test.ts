import { describe, expect, test } from "vitest";
import { loginAdvice, outcomeOf, requestError } from "../../../../adapters/acp/errors.js";
import { frameKind, parseFrame } from "../../../../adapters/acp/frame.js";
import { wireMode } from "../../../../adapters/acp/modes.js";
import { PROFILES } from "../../../../adapters/acp/profiles/index.js";
import { trimFrame } from "../../../../adapters/acp/trim.js";
import { exitError } from "../../../../adapters/shared/agent-exit.js";
import { Mode } from "../../../../schemas/index.js";
import { native, open, running, SESSION, Story } from "./story.js";

const parse = (raw: unknown) => parseFrame(raw, (method) => method === "_vendor/known");

describe("what is read", () => {
  test.each([
    [native.update(native.say("x", { vendor: 1, messageId: 7 }))],
    [
      native.update({
        sessionUpdate: "tool_call",
        toolCallId: "a",
        kind: 3,
        status: null,
        content: "none",
        locations: {},
      }),
    ],
    [native.update({ sessionUpdate: "usage_update", used: null, size: "big", cost: 3 })],
    [native.update({ sessionUpdate: "plan", entries: null })],
    [native.update({ sessionUpdate: "session_info_update", title: 5, _meta: [] })],
    [{ id: 1, result: null }],
    [{ id: 1, error: { message: 5 } }],
    [{ method: "_vendor/known" }],
  ])("%j although a field is odd", (raw) => {
    expect(parse(raw)).toBeDefined();
  });

  test.each([
    [native.update({ sessionUpdate: "from_the_future" })],
    [native.update({ sessionUpdate: "tool_call" })],
    [{ method: "session/update", params: {} }],
    [{ method: "_vendor/unknown" }],
    [{ id: 1 }],
    [{}],
    ["text"],
  ])("not %j", (raw) => {
    expect(parse(raw)).toBeUndefined();
  });

  test("requests that mean nothing here are refused, by their method or their params", () => {
    expect(parse({ id: 0, method: "terminal/create", params: {} })).toMatchObject({
      kind: "refused",
      code: -32601,
      token: "0",
    });
    expect(parse({ token: '"x"', method: "session/request_permission", params: {} })).toMatchObject({
      kind: "refused",
      code: -32602,
      token: '"x"',
    });
  });

  test("kinds have names", () => {
    expect(frameKind(native.update(native.say("x")))).toBe("session/update:agent_message_chunk");
    expect([frameKind({ id: 1 }), frameKind({ method: "a/b" }), frameKind(7), frameKind({})]).toEqual([
      "response",
      "a/b",
      "number",
      "?",
    ]);
  });
});

describe("an error", () => {
  test.each([
    [{ code: -32000, message: "Authentication required" }, "auth"],
    [{ code: -32000, message: "Rate limit reached" }, "rate_limit"],
    [{ code: -32000, message: "x", data: { errorKind: "rate_limit" } }, "rate_limit"],
    [{ code: 401, message: "no" }, "auth"],
    [{ code: 429, message: "no" }, "rate_limit"],
    [{ code: 503, message: "no" }, "overloaded"],
    [{ code: -32603, message: "Internal error", data: { status: 402 } }, "usage_limit"],
    [{ code: -32603, message: "Internal error", data: { details: "Invalid API key" } }, "auth"],
    [{ code: -32603, message: "Internal error", data: "socket hang up" }, "network"],
    [{ code: -32603, message: "prompt is too long" }, "context_overflow"],
    [{ code: -32603, message: "max_output_tokens reached" }, "output_length"],
    [{ code: -32603, message: "request timed out" }, "timeout"],
    [{ code: -32603, message: 'The model "x" was not found' }, "invalid_request"],
    [{ code: -32002, message: "Resource not found" }, "invalid_request"],
    [{ code: -32800, message: "cancelled" }, "aborted"],
    [{ code: -32603, message: "Something else" }, "unknown"],
  ])("%j is %s", (error, name) => {
    expect(requestError(error, null)).toMatchObject({ name, data: { native: error } });
  });

  test("tells the API's own words, and how to sign in", () => {
    const error = { code: 401, message: '{"error":{"code":401,"message":"Invalid key"}}' };
    expect(requestError(error, "do sign in").message).toBe("Invalid key; do sign in");
    expect(requestError({ code: -32603, message: "" }, null).message).toBe("The agent failed without a reason");
    expect(requestError({ code: -32603, message: "{broken" }, null).message).toBe("{broken");
  });

  test("names the commands that sign in, and never those that open a browser by themselves", () => {
    const methods = [
      { id: "a", name: "Log in", type: "terminal", args: ["login"] },
      { id: "b", name: "B", _meta: { "terminal-auth": { command: "/x/agent", args: ["auth", "login"] } } },
      { id: "c", name: "OAuth", description: "Sign in with your account" },
    ];
    expect(loginAdvice(methods, "agent")).toBe(
      "sign in with the agent's own program: run `agent login`, or run `agent auth login`, or Sign in with your account",
    );
    expect(loginAdvice([], "agent")).toBeNull();
    expect(loginAdvice(undefined, "agent")).toBeNull();
  });

  test("of the process tells its stderr only where it ended by itself", () => {
    const exit = { code: 1, signal: null, stderr: "boom\n" };
    expect(exitError(exit, "Agent").message).toBe("Agent exited with code 1 before the turn ended: boom");
    expect(exitError({ ...exit, code: null, signal: "SIGKILL" }, "Agent")).toMatchObject({
      message: "Agent was ended by SIGKILL before the turn ended",
      retryable: true,
    });
    expect(exitError({ ...exit, lost: true }, "Agent").message).toContain("gateway");
  });

  test("is a refusal where the model refuses, and none where a turn ends as an unknown word says", () => {
    expect(outcomeOf("refusal")).toMatchObject({ finish: "refusal", error: { name: "refusal" } });
    expect(outcomeOf("of_the_future")).toEqual({ finish: "stop" });
  });
});

describe("profiles", () => {
  test.each(PROFILES.map((profile) => [profile.id, profile] as const))(
    "%s has every mode, and finds it again",
    (_id, profile) => {
      for (const mode of Mode.options) {
        const { native: name, fidelity } = profile.modes[mode];
        if (fidelity !== "unsupported" && name !== "") expect(wireMode(profile, name, mode)).toBe(mode);
      }
      expect(profile.modes.default.fidelity).not.toBe("unsupported");
      expect(wireMode(profile, "a mode of its own", "default")).toBeUndefined();
    },
  );

  test("have ids that begin with their adapter's", () => {
    expect(PROFILES.every(({ id }) => id === "acp" || id.startsWith("acp-"))).toBe(true);
    expect(new Set(PROFILES.map(({ id }) => id)).size).toBe(PROFILES.length);
  });
});

describe("a mode", () => {
  const modes = {
    modes: { availableModes: [{ id: "default" }, { id: "plan" }, { id: "yolo" }], currentModeId: "default" },
  };

  test("is set before the first prompt where the session wants another than the agent begins in", () => {
    const story = new Story("acp-gemini", { mode: "plan" }).prompt();
    open(story, modes);
    expect(story.sentAs("session/set_mode").params).toEqual({ sessionId: SESSION, modeId: "plan" });
    expect(story.methods).not.toContain("session/prompt");
    story.answer("session/set_mode");
    expect(story.methods.at(-1)).toBe("session/prompt");
    expect(story.session.mode).toBe("plan");
  });

  test("that is refused at the start ends the turn: a weaker one is not taken silently", () => {
    const story = new Story("acp-gemini", { mode: "plan" }).prompt();
    open(story, modes).refuse("session/set_mode", -32603, "Internal error", { details: "no plan today" });
    expect(story.answered).toMatchObject({ finish: "error", error: { name: "invalid_request" } });
    expect(story.answered.error?.message).toContain("no plan today");
    expect(story.methods).not.toContain("session/prompt");
    story.prompt("again");
    expect(story.methods.at(-1), "it is asked for again").toBe("session/set_mode");
    story.answer("session/set_mode");
    expect(story.methods.at(-1)).toBe("session/prompt");
    story.end().expectLawful();
  });

  test("that the agent tells as a text is the session's, and no text", () => {
    const story = running("acp-gemini", modes).updates(native.say("[MODE_UPDATE] yolo"), native.say("Hi")).end();
    expect(story.session.mode).toBe("yolo");
    expect(story.native.mode).toBe("yolo");
    expect(story.texts()).toEqual(["Hi"]);
  });

  test("that is changed while the agent runs waits for its answer", () => {
    const story = running("acp-gemini", modes).command({ type: "setMode", mode: "yolo" });
    expect(story.session).toMatchObject({ mode: "default", pending: { mode: "yolo" } });
    story.answer("session/set_mode");
    expect(story.session.mode).toBe("yolo");
    expect(story.session.pending).toBeUndefined();
    story.command({ type: "setMode", mode: "plan" }).refuse("session/set_mode", -32603, "no");
    expect(story.session).toMatchObject({ mode: "yolo", error: { name: "invalid_request" } });
  });

  test("that was asked for when the agent died is in force with the next process", () => {
    const story = running("acp-gemini", modes).command({ type: "setMode", mode: "yolo" }).exit({ code: 1 });
    expect(story.session).toMatchObject({ mode: "yolo" });
    expect(story.session.pending).toBeUndefined();
  });
});

test("models are set the older way where an agent has no options", () => {
  const models = { models: { availableModels: [{ modelId: "a" }, { modelId: "b" }], currentModelId: "a" } };
  const story = running("acp", models).command({ type: "setModel", model: "b" });
  expect(story.said).toMatchObject([{ method: "session/set_model", params: { modelId: "b" } }]);
  story.answer("session/set_model").updates(native.say("Hi")).end();
  expect(story.answered).toMatchObject({ modelID: "b" });
});

test("an option in groups, and one that is yes or no, are set as the agent wants them", () => {
  const configOptions = [
    {
      id: "model",
      category: "model",
      type: "select",
      currentValue: "a",
      options: [{ group: "g", options: [{ value: "a" }] }],
    },
    { id: "fast", category: "model_config", type: "boolean", currentValue: false },
    { id: 7 },
    null,
  ];
  const story = running("acp-claude", { configOptions }).command({ type: "setOption", option: "fast", value: true });
  expect(story.said).toMatchObject([
    { method: "session/set_config_option", params: { configId: "fast", type: "boolean", value: true } },
  ]);
  story.command({ type: "setOption", option: "effort", value: "high" });
  expect(story.session.error).toMatchObject({ name: "invalid_request" });
});

test("a trace keeps what is read, and cuts the vendor's prose", () => {
  const long = "x".repeat(500);
  const raw = {
    id: 1,
    result: { configOptions: [{ id: "a", description: long, options: [{ value: "v", description: long }] }] },
  };
  const trimmed = JSON.stringify(trimFrame(raw));
  expect(trimmed.length).toBeLessThan(400);
  expect(trimmed).toContain('"value":"v"');
  const skills = { _meta: { availableSkillDetails: [{ name: "s", body: long }] }, availableCommands: [] };
  expect(JSON.stringify(trimFrame({ method: "session/update", params: { update: skills } })).length).toBeLessThan(200);
  const said = native.update(native.say(long));
  expect(trimFrame(said)).toEqual(said);
  expect(trimFrame("noise")).toBe("noise");
});

test("a fork copies the agent's whole session, and no part of it", () => {
  const story = running().updates(native.say("Hi")).end();
  const { adapter, state } = story;
  const seed = { ...story.seed, sessionID: "ses_other", idSeed: "other" };
  const history = (role: "user" | "assistant", id: string) => [{ info: { role, id } as never, parts: [] }];
  expect(() => adapter.fork?.(new Story().state, seed, [])).toThrow("no conversation");
  expect(() => adapter.fork?.(state, seed, history("user", "msg_earlier"))).toThrow("whole");
});
