import { describe, expect, test } from "vitest";
import type { Command } from "../../../../adapters/contract.js";
import type { Session } from "../../../../schemas/index.js";
import { type Json, native } from "./native.js";
import { Story } from "./story.js";

const setMode = (mode: Session["mode"]): Command => ({ type: "setMode", mode });
const setModel = (model: string): Command => ({ type: "setModel", model });
const setOption = (value: unknown): Command => ({ type: "setOption", option: "maxThinkingTokens", value });

const confirm = (request_id: string): Json => ({
  type: "control_response",
  response: { subtype: "success", request_id, response: {} },
});
const refuse = (request_id: string, error?: string): Json => ({
  type: "control_response",
  response: { subtype: "error", request_id, ...(error !== undefined && { error }) },
});
const status = (permissionMode: string): Json => ({ type: "system", subtype: "status", permissionMode });

const started = (mode: Session["mode"] = "default") => new Story({ mode, model: "old" }).command({ type: "start" });

function requests(story: Story): Json[] {
  return story.sent.filter(({ type }) => type === "control_request").map(({ request }) => request as Json);
}

/** Gives a command that asks the running CLI for something, and tells the id of that request. */
function asked(story: Story, command: Command): string {
  story.command(command);
  return String(story.sent.at(-1)?.request_id);
}

const CHANGES = [
  ["a mode", setMode("plan"), { mode: "plan" }, { subtype: "set_permission_mode", mode: "plan" }],
  ["a model", setModel("new"), { model: "new" }, { subtype: "set_model", model: "new" }],
] as const;
const OLD = { mode: "default", model: "old" } as const;

describe.each(CHANGES)("%s that a running CLI is told", (_, command, changed, request) => {
  test("waits, and the old one is in force", () => {
    const story = started().command(command);
    expect(requests(story).at(-1)).toEqual(request);
    expect(story.session).toMatchObject({ ...OLD, pending: changed });
  });

  test("is in force once it is confirmed", () => {
    const story = started();
    story.lines(confirm(asked(story, command)));
    expect(story.session).toMatchObject({ ...OLD, ...changed });
    expect(story.session).not.toHaveProperty("pending");
    expect(story.session).not.toHaveProperty("error");
    story.expectLawful();
  });

  test.each([
    ["with the CLI's reason", "not on this plan", "not on this plan"],
    ["also without a reason", undefined, "no reason given"],
  ])("is dropped when it is refused, and the error says so %s", (_, error, told) => {
    const story = started();
    story.lines(refuse(asked(story, command), error));
    expect(story.session).toMatchObject({ ...OLD, error: { name: "invalid_request", retryable: false } });
    expect(story.session).not.toHaveProperty("pending");
    for (const words of [told, ...Object.values(changed)]) expect(story.session.error?.message).toContain(words);
    story.expectLawful();
  });

  test("leaves its refusal behind with the next prompt", () => {
    const story = started();
    story.lines(refuse(asked(story, command), "no")).prompt();
    expect(story.session).toMatchObject({ ...OLD, status: { type: "busy" } });
    expect(story.session).not.toHaveProperty("error");
  });

  test("in the middle of a turn leaves the turn alone", () => {
    const story = started().prompt().lines(native.init());
    story.lines(refuse(asked(story, command), "no"));
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(native.result());
    expect(story.session).toMatchObject({ ...OLD, status: { type: "idle" } });
    expect(story.answersOfModel).toMatchObject([{ finish: "stop" }]);
    story.expectLawful();
  });

  test.each([
    ["ends", {}],
    ["crashes", { code: 1, stderr: "boom" }],
    ["is lost with the gateway", { code: null, lost: true }],
  ])("takes effect with the next process when this one %s", (_, exit) => {
    const story = started().command(command).exit(exit);
    expect(story.session).toMatchObject({ ...OLD, ...changed });
    expect(story.session).not.toHaveProperty("pending");
    story.expectLawful();
  });

  test("is not undone by what comes for a process that is gone", () => {
    const story = started();
    const request = asked(story, command);
    story.exit().command({ type: "start" }).lines(refuse(request, "too late"));
    expect(story.session).toMatchObject({ ...OLD, ...changed });
    expect(story.session).not.toHaveProperty("error");
  });

  test("is not settled by an answer to another request", () => {
    const story = started().command(command).lines(confirm("aw_77"), refuse("other", "no"));
    expect(story.session).toMatchObject({ ...OLD, pending: changed });
    expect(story.session).not.toHaveProperty("error");
  });

  test("is settled once", () => {
    const story = started();
    const request = asked(story, command);
    story.lines(confirm(request));
    const told = story.events.length;
    story.lines(refuse(request, "no"), confirm(request));
    expect(story.events).toHaveLength(told);
  });
});

describe.each(CHANGES)("%s that is set while no CLI runs", (_, command, changed) => {
  test.each([
    ["before the first", new Story(OLD)],
    ["after one has ended", started().exit()],
    ["while one that was killed is ending", started().prompt().lines(native.init()).abort().wake()],
  ])("is in force at once, %s", (_, story) => {
    story.command(command);
    expect(story.session).toMatchObject({ ...OLD, ...changed });
    expect(story.session).not.toHaveProperty("pending");
    expect(story.effects).toEqual([]);
  });
});

describe("several changes at once", () => {
  test("of mode and model are settled each by itself, in any order", () => {
    const story = started();
    const mode = asked(story, setMode("plan"));
    const model = asked(story, setModel("new"));
    expect(story.session).toMatchObject({ ...OLD, pending: { mode: "plan", model: "new" } });
    story.lines(confirm(model));
    expect(story.session).toMatchObject({ mode: "default", model: "new", pending: { mode: "plan" } });
    story.lines(refuse(mode, "no"));
    expect(story.session).toMatchObject({ mode: "default", model: "new", error: { message: expect.any(String) } });
    expect(story.session).not.toHaveProperty("pending");
    story.expectLawful();
  });

  test("of mode and model take effect together when the process ends", () => {
    const story = started().command(setMode("plan")).command(setModel("new")).exit();
    expect(story.session).toMatchObject({ mode: "plan", model: "new" });
    expect(story.session).not.toHaveProperty("pending");
  });

  test("of the mode: the newest is what waits, and each is asked of the CLI", () => {
    const story = started().command(setMode("plan")).command(setMode("acceptEdits"));
    expect(story.session).toMatchObject({ mode: "default", pending: { mode: "acceptEdits" } });
    expect(requests(story).slice(-2)).toMatchObject([{ mode: "plan" }, { mode: "acceptEdits" }]);
  });

  test.each([
    ["both are confirmed", confirm, confirm, "acceptEdits"],
    ["only the first is confirmed", confirm, refuse, "plan"],
    ["only the second is confirmed", refuse, confirm, "acceptEdits"],
    ["both are refused", refuse, refuse, "default"],
  ])("of the mode: what was confirmed last is in force when %s", (_, first, second, mode) => {
    const story = started();
    const requests = [asked(story, setMode("plan")), asked(story, setMode("acceptEdits"))];
    story.lines(first(String(requests[0])), second(String(requests[1])));
    expect(story.session.mode).toBe(mode);
    expect(story.session).not.toHaveProperty("pending");
    story.expectLawful();
  });
});

describe("a mode that the CLI tells", () => {
  test.each([
    ["default", "plan", "plan"],
    ["plan", "default", "default"],
    ["default", "bypassPermissions", "bypassPermissions"],
    ["yolo", "bypassPermissions", "yolo"],
    ["read-only", "dontAsk", "read-only"],
    ["default", "dontAsk", "default"],
    ["default", "brand-new", "default"],
  ] as const)("in %s, %s makes it %s", (mode, told, then) => {
    for (const line of [status(told), native.init({ permissionMode: told })]) {
      const story = new Story({ mode }).prompt().lines(line);
      expect(story.session).toMatchObject({ mode: then, metadata: { native: { permissionMode: told } } });
    }
  });

  test("before it confirms a change is in force; the change still waits for its answer", () => {
    const story = started();
    const request = asked(story, setMode("plan"));
    story.lines(status("plan"));
    expect(story.session).toMatchObject({ mode: "plan", pending: { mode: "plan" } });
    story.lines(confirm(request));
    expect(story.session).toMatchObject({ mode: "plan" });
    expect(story.session).not.toHaveProperty("pending");
  });

  test("that is still the old one does not drop a change that waits", () => {
    const story = started()
      .command(setMode("plan"))
      .lines(native.init({ permissionMode: "default" }));
    expect(story.session).toMatchObject({ mode: "default", pending: { mode: "plan" } });
  });
});

describe("thinking tokens", () => {
  const told = (story: Story) => requests(story).filter(({ subtype }) => subtype === "set_max_thinking_tokens");
  const shown = (story: Story) => (story.session.metadata?.native as Json | undefined)?.maxThinkingTokens;
  const asking = (max_thinking_tokens: number) => ({ subtype: "set_max_thinking_tokens", max_thinking_tokens });

  test.each([8000, 0])("%d that is set before a start is told to every new process", (value) => {
    const story = new Story().command(setOption(value));
    expect(story.session.metadata).toEqual({ native: { maxThinkingTokens: value } });
    expect(story.effects).toEqual([]);
    story.command({ type: "start" });
    expect(story.effects).toMatchObject([
      { kind: "spawn" },
      { kind: "send", frame: { request: { subtype: "initialize" } } },
      { kind: "send", frame: { request: asking(value) } },
    ]);
    story.exit().command({ type: "start" });
    expect(told(story)).toEqual([asking(value), asking(value)]);
    story.expectLawful();
  });

  test("are told to a process that runs, at once", () => {
    const story = started().command(setOption(5));
    expect(story.effects).toMatchObject([{ kind: "send", frame: { request: asking(5) } }]);
    expect(story.session).not.toHaveProperty("pending");
  });

  test("set twice before a start: only the newest is told", () => {
    const story = new Story().command(setOption(1)).command(setOption(2)).command({ type: "start" });
    expect(told(story)).toEqual([asking(2)]);
  });

  test("are shown when the CLI confirms them", () => {
    const story = started();
    const request = asked(story, setOption(5));
    expect(shown(story)).toBeUndefined();
    expect(shown(story.lines(confirm(request)))).toBe(5);
    expect(story.session).not.toHaveProperty("error");
    story.expectLawful();
  });

  test.each([
    ["with the CLI's reason", "must be an integer", "must be an integer"],
    ["also without a reason", undefined, "no reason given"],
  ])("that are refused are an error %s, and what was in force is shown", (_, error, words) => {
    const story = started();
    story.lines(confirm(asked(story, setOption(5))), refuse(asked(story, setOption(1.5)), error));
    expect(shown(story)).toBe(5);
    expect(story.session.error).toMatchObject({ name: "invalid_request", message: expect.stringContaining(words) });
    expect(story.session.error?.message).toContain("1.5");
    story.exit().command({ type: "start" });
    expect(told(story).at(-1)).toEqual(asking(5));
    story.expectLawful();
  });

  test("that a new process refuses are not shown any more, nor told again", () => {
    const story = new Story().command(setOption(1.5)).command({ type: "start" });
    const request = String(story.sent.at(-1)?.request_id);
    story.lines(refuse(request, "no"));
    expect(shown(story)).toBeUndefined();
    expect(story.session.error).toMatchObject({ name: "invalid_request" });
    story.exit().command({ type: "start" });
    expect(told(story)).toHaveLength(1);
    story.expectLawful();
  });

  test("that a process leaves unanswered are told to the next one", () => {
    const story = started().command(setOption(5)).command(setOption(6)).exit().command({ type: "start" });
    expect(told(story).at(-1)).toEqual(asking(6));
    story.expectLawful();
  });

  test("that are refused after others were confirmed leave those", () => {
    const story = started();
    const requests = [asked(story, setOption(5)), asked(story, setOption(1.5))];
    story.lines(confirm(String(requests[0])), refuse(String(requests[1])));
    expect(shown(story)).toBe(5);
  });

  test("that nobody set are not told", () => {
    expect(told(started())).toEqual([]);
  });
});

describe.each([
  ["into", "default", "read-only"],
  ["out of", "read-only", "default"],
] as const)("%s a mode that takes tools away", (_, from, to) => {
  test("goes a new process: the next prompt waits for the old one's end", () => {
    const story = started(from).command(setMode(to));
    expect(story.effects).toEqual([{ kind: "stop", how: "end" }]);
    expect(story.session.mode).toBe(to);
    story.prompt("next");
    expect(story.session.queue).toHaveLength(1);
    story.exit();
    expect(story.effects[0]?.kind).toBe("spawn");
    expect(story.session).toMatchObject({ mode: to, status: { type: "busy" }, queue: [] });
    expect(story.session).not.toHaveProperty("error");
    story.expectLawful();
  });

  test("is refused while a turn runs", () => {
    const story = started(from).prompt().command(setMode(to));
    expect(story.effects).toEqual([]);
    expect(story.session).toMatchObject({ mode: from, error: { name: "invalid_request" } });
  });
});

test.each([
  ["confirmed", confirm, "plan"],
  ["refused", refuse, "default"],
] as const)("a change that is %s leaves a later one waiting", (_, answer, inForce) => {
  const story = started();
  const first = asked(story, setMode("plan"));
  const second = asked(story, setMode("acceptEdits"));
  story.lines(answer(first));
  expect(story.session).toMatchObject({ mode: inForce, pending: { mode: "acceptEdits" } });
  story.lines(confirm(second));
  expect(story.session.mode).toBe("acceptEdits");
  expect(story.session).not.toHaveProperty("pending");
});

describe("which process a mode needs follows from how the one that runs was started", () => {
  test.each([
    ["plan", "default", "another"],
    ["plan", "read-only", "the same"],
  ] as const)("a read-only one that went to %s by itself: for %s %s", (own, mode, process) => {
    const story = started("read-only").lines(status(own));
    expect(story.session.mode).toBe(own);
    story.command(setMode(mode));
    expect(story.effects.map(({ kind }) => kind)).toEqual([process === "another" ? "stop" : "send"]);
  });

  test("a new one counts, not the one before it", () => {
    const story = started("read-only").exit().command(setMode("default")).command({ type: "start" });
    story.command(setMode("plan"));
    expect(story.effects).toMatchObject([{ kind: "send", frame: { request: { mode: "plan" } } }]);
    story.command(setMode("read-only"));
    expect(story.effects).toEqual([{ kind: "stop", how: "end" }]);
  });
});
