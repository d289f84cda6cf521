import { describe, expect, test } from "vitest";
import { LaunchRefused } from "../../../../adapters/contract.js";
import { errorOf, exitError, finishOf, refusalOf } from "../../../../adapters/opencode/errors.js";
import { opencode } from "../../../../adapters/opencode/index.js";
import { keptRules, renewedRules, sessionRules } from "../../../../adapters/opencode/modes.js";
import { recorded } from "../../../../adapters/opencode/recorded.js";
import type { Mode, PermissionRule } from "../../../../schemas/index.js";
import { KID, MAIN, native, running, Story } from "./story.js";

const launch = (mode: Mode, env: Record<string, string> = {}, model?: string) =>
  opencode.launch({ directory: "/work", mode, env, ...(model !== undefined && { model }) });
const rule = (permission: string, pattern: string, action: PermissionRule["action"]) => ({
  permission,
  pattern,
  action,
});

describe("launch", () => {
  test("the mode is in the configuration, behind what the user has there", () => {
    const { args, env, http } = launch("default", { OPENCODE_PERMISSION: '{"bash":"deny"}' });
    expect(args).toEqual(["serve", "--hostname", "127.0.0.1", "--port", "0"]);
    const permission = JSON.parse(env.OPENCODE_PERMISSION ?? "");
    expect(Object.keys(permission).slice(0, 3)).toEqual(["bash", "bas?", "edi?"]);
    expect(http).toEqual({ events: "/event", user: "opencode", passwordVariable: "OPENCODE_SERVER_PASSWORD" });
    expect(env).toMatchObject({ OPENCODE_SERVER_USERNAME: undefined, OPENCODE_CLIENT: undefined });
  });

  test("a variable of the user's that is no JSON is not taken over", () => {
    expect(JSON.parse(launch("yolo", { OPENCODE_PERMISSION: "{" }).env.OPENCODE_PERMISSION ?? "")).toEqual({
      "?*": "allow",
    });
  });

  test.each(["auto", "safe-yolo"] as const)("there is no mode like %s", (mode) => {
    expect(() => launch(mode)).toThrow(LaunchRefused);
  });

  test("a model is named with its provider", () => {
    expect(() => launch("default", {}, "gpt-5")).toThrow(/with its provider/);
    expect(launch("default", {}, "openrouter/a/b").args[0]).toBe("serve");
  });
});

describe("the session's rules", () => {
  test("put back what the user denies, and what is said of patterns", () => {
    const rules = [
      rule("*", "*", "allow"),
      rule("plan_enter", "*", "deny"),
      rule("plan_enter", "*", "allow"),
      rule("bash", "*", "allow"),
      rule("bash", "rm *", "deny"),
      rule("bash", "git *", "allow"),
      rule("webfetch", "*", "deny"),
      rule("bas?", "*", "ask"),
    ];
    expect(keptRules(rules)).toEqual([
      rule("webfetch", "*", "deny"),
      rule("bash", "rm *", "deny"),
      rule("bash", "git *", "allow"),
    ]);
  });

  test("a denial of everything is one of each tool that nothing takes back", () => {
    expect(keptRules([rule("*", "*", "deny"), rule("bash", "*", "ask"), rule("read", "*", "allow")])).toEqual([
      rule("edit", "*", "deny"),
      rule("webfetch", "*", "deny"),
      rule("websearch", "*", "deny"),
    ]);
  });

  test("nothing of the user's weakens a mode that denies, and one that allows all keeps denials alone", () => {
    const kept = [rule("bash", "git *", "allow"), rule("bash", "rm *", "deny")];
    expect(sessionRules("read-only", kept).slice(-2)).toEqual([rule("bash", "*", "deny"), rule("edit", "*", "deny")]);
    expect(sessionRules("yolo", kept)).toEqual([rule("bash", "rm *", "deny")]);
    expect(sessionRules("acceptEdits", kept)).toEqual([rule("edit", "*", "allow"), ...kept]);
  });

  test("of another mode take back what the last one set, for they are put behind those", () => {
    const before = sessionRules("read-only", []);
    expect([...before, ...renewedRules("default", [])].slice(-2)).toEqual([
      rule("bash", "*", "ask"),
      rule("edit", "*", "ask"),
    ]);
    expect(renewedRules("plan", []).at(-1)).toEqual(rule("edit", "*", "deny"));
    expect(renewedRules("yolo", []).map(({ action }) => action)).toEqual(["allow", "allow"]);
  });
});

describe("errors", () => {
  test.each([
    ["ProviderAuthError", {}, "auth"],
    ["ContextOverflowError", { message: "prompt is too long" }, "context_overflow"],
    ["APIError", { statusCode: 429, isRetryable: true }, "rate_limit"],
    ["APIError", { statusCode: 529 }, "overloaded"],
    ["APIError", { statusCode: 418 }, "unknown"],
    ["APIError", { statusCode: 400, message: "Your credit balance is too low" }, "usage_limit"],
    ["APIError", { isRetryable: true, message: "Unable to connect." }, "network"],
    ["UnknownError", { message: "Model not found: a/b." }, "invalid_request"],
    ["SomethingNew", {}, "unknown"],
  ])("%s %j is %s", (name, data, expected) => {
    expect(errorOf({ name, data }).name).toBe(expected);
  });

  test("a request that is refused says why, in whatever shape", () => {
    expect(refusalOf(404, { name: "NotFoundError", data: { message: "gone" } })).toMatchObject({ message: "gone" });
    expect(refusalOf(500, "<html>")).toMatchObject({ name: "unknown", message: "<html>" });
    expect(refusalOf(400, null)).toMatchObject({
      name: "invalid_request",
      message: "OpenCode answered with status 400",
    });
  });

  test("how a response ended", () => {
    expect(
      ["stop", "tool-calls", "length", "content-filter", "other", null].map((word) => finishOf(word, null)),
    ).toEqual(["stop", "tool-calls", "length", "refusal", "stop", "aborted"]);
  });

  test("an exit is the gateway's, the program's that did not start, or its own", () => {
    const exit = { code: 1, signal: null, stderr: "why\n" };
    expect(exitError(exit).message).toBe("OpenCode exited with code 1 before the turn ended: why");
    expect(exitError({ ...exit, lost: true }).retryable).toBe(true);
    expect(exitError({ ...exit, error: "no such program" })).toMatchObject({ message: "no such program" });
  });
});

describe("frames", () => {
  test("events of no use are known by name, new ones are not", () => {
    const kinds = ["session.next.text.delta", "tui.toast.show", "server.heartbeat", "brand.new"];
    expect(kinds.map((type) => opencode.parse({ type, properties: {} })?.kind)).toEqual([
      "unread",
      "unread",
      "unread",
      undefined,
    ]);
    expect(opencode.kindOf({ type: "message.part.updated", properties: { part: { type: "hologram" } } })).toBe(
      "message.part.updated hologram",
    );
  });

  test("a recording of HTTP is read: events, requests, and answers that say nothing more", () => {
    const event = { type: "session.idle", properties: { sessionID: MAIN } };
    expect(recorded(event)).toEqual({ kind: "frame", frame: event });
    expect(recorded('POST /session/ses_1/abort {"a":1}')).toMatchObject({
      kind: "sent",
      frame: { method: "POST", path: "/session/ses_1/abort", body: { a: 1 } },
    });
    expect(recorded("GET /permission")).toMatchObject({ frame: { method: "GET", body: null } });
    expect(recorded("HTTP 204 ")).toBeNull();
    expect(recorded("noise")).toBeUndefined();
  });

  test("deltas of one part that come together are one", () => {
    const frames = ["a", "b"].map((text) => opencode.parse(native.delta("msg_02", "prt_1", text)));
    const [first, second] = frames;
    if (!first || !second) throw new Error("they are read");
    expect(opencode.join?.(first, second)).toMatchObject({ properties: { delta: "ab" } });
    const other = opencode.parse(native.delta("msg_02", "prt_2", "c"));
    expect(other && opencode.join?.(first, other)).toBeUndefined();
  });
});

describe("parts", () => {
  test("a command's output grows by deltas; one whose middle was cut is told whole", () => {
    const output = (text: string) => ({ status: "running", input: { command: "x" }, metadata: { output: text } });
    const story = running().lines(native.tool("msg_02", "prt_1", output("one\n")));
    story.lines(native.tool("msg_02", "prt_1", output("one\ntwo\n")));
    expect(story.events).toMatchObject([{ type: "message.part.delta", properties: { offset: 4, delta: "two\n" } }]);
    story.lines(native.tool("msg_02", "prt_1", output("…two\nthree\n")));
    expect(story.tools()[0]?.state).toMatchObject({ metadata: { output: "…two\nthree\n" } });
    story.expectLawful();
  });

  test.each([
    ["a command that fails", "bash", { output: "no\n", metadata: { exit: 3 } }, "no\n"],
    [
      "one that fails without a word",
      "bash",
      { output: "", metadata: { exit: 3 } },
      "The command failed with exit code 3",
    ],
    ["one that was ended", "bash", { output: "(no output)", metadata: { exit: null } }, "The command was ended"],
    ["a tool that does not exist", "invalid", { output: "x", input: { error: "no such tool" } }, "no such tool"],
  ])("%s is an error, although the server calls it completed", (_, tool, state, error) => {
    const story = running().lines(native.tool("msg_02", "prt_1", { ...state, status: "completed" }, tool));
    expect(story.tools()[0]?.state).toMatchObject({ status: "error", error });
  });

  test("parts of other kinds are what they are, and keep their place when they come again", () => {
    const patch = native.part("msg_02", { id: "prt_1", type: "patch", hash: "abc", files: ["/work/a.txt"] });
    const story = running(new Story({ directory: "/work" })).lines(patch, patch);
    const patches = story.parts().filter(({ type }) => type === "patch");
    expect(patches).toMatchObject([{ hash: "abc", files: ["a.txt"] }]);
  });

  test("calls whose ids come again are other calls", () => {
    const done = { status: "completed", output: "", title: "t" };
    const call = (message: string, id: string) =>
      native.part(message, { id, type: "tool", tool: "read", callID: "call_1", state: { input: {}, ...done } });
    const story = running().lines(
      call("msg_02", "prt_1"),
      native.ended("msg_02", "msg_01", "tool-calls"),
      native.assistant("msg_03", "msg_01"),
      call("msg_03", "prt_2"),
    );
    expect(story.tools().map(({ callID }) => callID)).toEqual(["1.call_1", "2.call_1"]);
    story.expectLawful();
  });

  test("a subagent's session is named by our id on the call that began it", () => {
    const story = running().lines(
      native.created(KID, MAIN),
      native.tool(
        "msg_02",
        "prt_1",
        { status: "running", metadata: { sessionId: KID, parentSessionId: MAIN } },
        "task",
      ),
    );
    const [child] = story.children;
    expect(story.tools()[0]?.state).toMatchObject({
      metadata: { sessionId: child?.id, parentSessionId: story.seed.sessionID },
    });
    expect(child?.metadata).toMatchObject({ native: { sessionID: KID } });
  });
});

describe("the session's record", () => {
  test("a title that was found is taken, one that means none is not, and a client's own stays", () => {
    const story = running().lines(native.updated({ title: "New session - 2026-11-30T16:00:51.731Z" }));
    expect(story.session.title).toBe(story.seed.title);
    story.lines(native.updated({ title: "Poems" })).command({ type: "update", title: "Mine" });
    expect(story.lines(native.updated({ title: "Poems" })).session.title).toBe("Mine");
  });

  test("a share and a revert are told, and that a revert is over", () => {
    const story = running().lines(native.updated({ share: { url: "u" }, revert: { messageID: "msg_01" } }));
    expect(story.session.metadata?.native).toMatchObject({ share: "u", reverted: { messageID: "msg_01" } });
    story.lines(native.updated({}));
    expect(story.session.metadata?.native).toMatchObject({ reverted: null });
  });

  test("what a prompt has changed is on it, and on the session", () => {
    const diff = { file: "a.txt", patch: "@@", additions: 2, deletions: 1, status: "modified" };
    const story = running().lines(
      native.user("msg_01", { summary: { diffs: [diff] } }),
      native.event("session.diff", { sessionID: MAIN, diff: [diff] }),
    );
    expect(story.messages()[0]).toMatchObject({ summary: { diffs: [diff] } });
    expect(story.session.summary).toEqual({ additions: 2, deletions: 1, files: 1, diffs: [diff] });
  });

  test("todos with words of the model's own are still a list", () => {
    const todos = [{ content: "a", status: "blocked", priority: "urgent" }, { content: "b" }];
    const story = running().lines(native.event("todo.updated", { sessionID: MAIN, todos }));
    expect(story.events).toMatchObject([
      { properties: { todos: [{ status: "pending", priority: "medium" }, { content: "b" }] } },
    ]);
  });

  test("sessions that nobody here knows are nobody's here", () => {
    const story = running().lines(
      native.created("ses_other"),
      native.user("msg_11", {}, "ses_other"),
      native.userText("msg_11", "x", {}, "ses_other"),
      native.idle("ses_other"),
    );
    expect(story.children).toEqual([]);
    expect(story.session.status.type).toBe("busy");
  });
});
