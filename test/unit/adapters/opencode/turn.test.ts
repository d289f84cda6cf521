import { describe, expect, test } from "vitest";
import { opencode } from "../../../../adapters/opencode/index.js";
import { KID, MAIN, native, ready, running, Story } from "./story.js";

/** A subagent has its task. */
function delegating(): Story {
  return running().lines(
    native.created(KID, MAIN),
    native.user("msg_11", {}, KID),
    native.userText("msg_11", "x", {}, KID),
  );
}

describe("a prompt's way to the model", () => {
  test("server, agents, session and prompt, each when the one before is there", () => {
    const story = new Story().prompt();
    expect(story.effects).toEqual([{ kind: "spawn" }]);
    ready(story);
    expect(story.requests).toEqual(["GET /agent", "GET /mcp", "POST /session", `POST /session/${MAIN}/prompt_async`]);
    expect(story.sent.at(-1)).toMatchObject({ body: { agent: "build", parts: [{ type: "text", text: "go" }] } });
  });

  test("tool servers are there before the prompt is sent", () => {
    const story = new Story({
      mcpServers: { demo: { type: "stdio", command: "node", args: ["a.mjs"], env: { A: "1" } } },
    });
    story.prompt().lines(native.open()).answer("/agent", []).answer("/session", { id: MAIN });
    expect(story.requests.at(-1)).toBe("POST /session");
    expect(story.sent.find(({ path }) => path === "/mcp")?.body).toEqual({
      name: "demo",
      config: { type: "local", command: ["node", "a.mjs"], environment: { A: "1" } },
    });
    story.answer("/mcp", { demo: { status: "failed", error: "no such file" } });
    expect(story.requests.at(-1)).toContain("prompt_async");
    expect(story.session.metadata?.native).toMatchObject({ mcp: { demo: "no such file" } });
  });

  test("model, agent and variant are said with the prompt", () => {
    const story = new Story({ model: "openrouter/a/b" });
    story.command({ type: "setOption", option: "agent", value: "poet" });
    story.command({ type: "setOption", option: "variant", value: "high" });
    ready(story.prompt());
    expect(story.sent.at(-1)?.body).toMatchObject({
      agent: "poet",
      model: { providerID: "openrouter", modelID: "a/b" },
      variant: "high",
    });
  });

  test.each([
    ["refused", { status: 400, body: { name: "BadRequest", data: { message: "no such agent" } } }, "invalid_request"],
    ["lost", { failure: "socket hang up" }, "protocol"],
  ])("a prompt that is %s ends the turn, and the next one is sent", (_, answer, error) => {
    const story = ready(new Story().prompt());
    story.lines({ token: story.tokenOf("prompt_async"), ...answer });
    expect(story.session).toMatchObject({ status: { type: "idle" }, error: { name: error } });
    expect(story.prompt("again").requests.at(-1)).toContain("prompt_async");
    story.expectLawful();
  });

  test.each([
    ["cannot be had", { status: 500, body: "oops" }],
    ["cannot be read", { status: 200, body: [{ name: "build" }] }],
  ])("nothing is prompted while what the user denies %s", (_, answer) => {
    const story = new Story().prompt().lines(native.open());
    story.lines({ token: story.tokenOf("/agent"), ...answer }).answer("/mcp", {});
    expect(story.requests).toEqual(["GET /agent", "GET /mcp"]);
    expect(story.session).toMatchObject({ status: { type: "idle" }, error: { message: expect.any(String) } });
    story.prompt("again").answer("/agent", []);
    expect(story.requests.at(-1)).toBe("POST /session");
  });

  test("a session that the server has lost is an error, and the next prompt begins a new one", () => {
    const story = running().lines(native.ended("msg_02", "msg_01"), native.idle());
    story.exit().prompt("again").lines(native.open()).answer("/agent", []).answer("/mcp", {});
    expect(story.requests.at(-1)).toBe(`PATCH /session/${MAIN}`);
    story.answer(`/session/${MAIN}`, { name: "NotFoundError", data: { message: "Session not found" } }, 404);
    expect(story.session.error).toMatchObject({ name: "invalid_request", message: "Session not found" });
    expect(story.prompt("once more").requests.at(-1)).toBe("GET /mcp");
    story.answer("/agent", []);
    expect(story.requests.at(-1)).toBe("POST /session");
    story.expectLawful();
  });

  test("for another mode the server is started anew, with the same session", () => {
    const story = running().lines(native.ended("msg_02", "msg_01"), native.idle());
    story.command({ type: "setMode", mode: "yolo" }).prompt("again");
    expect(story.effects).toEqual([{ kind: "stop", how: "end" }]);
    story.exit({ code: null, signal: "SIGTERM" });
    expect(story.effects).toEqual([{ kind: "spawn", resume: MAIN }]);
    expect(story.session.status.type).toBe("busy");
    story.lines(native.open()).answer("/agent", []).answer("/mcp", {}).answer(`/session/${MAIN}`, { id: MAIN });
    expect(story.requests.at(-1)).toContain("prompt_async");
    story.expectLawful();
  });

  test("an abort while the server is started anew drops the prompt; the next one starts it", () => {
    const story = running().lines(native.ended("msg_02", "msg_01"), native.idle());
    story.command({ type: "setMode", mode: "yolo" }).prompt("again").command({ type: "abort" });
    expect(story.session.status.type).toBe("idle");
    story.exit({ code: null, signal: "SIGTERM" });
    expect(story.session.error).toBeUndefined();
    expect(story.prompt("now").effects).toEqual([{ kind: "spawn", resume: MAIN }]);
    story.expectLawful();
  });

  test("`/compact` is a request of its own, where there is anything to compact", () => {
    const story = new Story().prompt("/compact");
    expect(story.session.status.type).toBe("idle");
    expect(story.requests).toEqual([]);
    const later = running().lines(native.ended("msg_02", "msg_01"), native.idle()).prompt("/compact");
    expect(later.sent.at(-1)).toMatchObject({
      path: `/session/${MAIN}/summarize`,
      body: { providerID: "p", modelID: "m" },
    });
  });
});

describe("the end of a turn", () => {
  test("the second `idle` of one turn does not end the next", () => {
    const story = running().prompt("next").lines(native.ended("msg_02", "msg_01"), native.idle());
    expect(story.session).toMatchObject({ status: { type: "busy" }, queue: [] });
    story.lines(native.idle());
    expect(story.session.status.type).toBe("busy");
    story
      .answer("/prompt_async", null, 204)
      .lines(native.user("msg_03"), native.userText("msg_03", "next"), native.idle());
    expect(story.session.status.type).toBe("idle");
    story.expectLawful();
  });

  test("a message that has its end from the start still gets its parts", () => {
    const story = running().lines(
      native.ended("msg_02", "msg_01"),
      native.text("msg_02", "prt_1", "late words", 3),
      native.step("msg_02", "prt_2"),
      native.idle(),
    );
    expect(story.texts).toEqual(["late words"]);
    expect(story.answers[0]).toMatchObject({ finish: "stop", cost: 0.5, tokens: { output: 5 } });
    story.expectLawful();
  });

  test("a failure is told before the end of its message: that is waited for", () => {
    const data = {
      message: "invalid x-api-key",
      statusCode: 401,
      isRetryable: false,
      responseHeaders: { date: "now" },
    };
    const story = running().lines(native.error("APIError", data), ...native.bothIdle());
    expect(story.session.status.type).toBe("busy");
    story.lines(native.failed("msg_02", "msg_01", "APIError", data), ...native.bothIdle());
    expect(story.session.status.type).toBe("idle");
    expect(story.answers[0]).toMatchObject({ finish: "error", error: { name: "auth" }, metadata: { turn: {} } });
    expect(JSON.stringify(story.session.error)).not.toContain("responseHeaders");
    story.expectLawful();
  });

  test("after an abort the end of a command is waited for, with what it said last", () => {
    const story = running().lines(native.tool("msg_02", "prt_1", { status: "running", time: { start: 1 } }));
    story.command({ type: "abort" }).lines(native.error("MessageAbortedError"), ...native.bothIdle());
    expect(story.tools()[0]?.state.status).toBe("running");
    const end = { output: "made\n", metadata: { exit: null }, title: "", time: { start: 1, end: 2 } };
    story.lines(
      native.tool("msg_02", "prt_1", { status: "completed", ...end }),
      native.failed("msg_02", "msg_01", "MessageAbortedError"),
      ...native.bothIdle(),
    );
    expect(story.tools()[0]?.state).toMatchObject({ status: "error", error: expect.stringContaining("made") });
    expect(story.answers[0]).toMatchObject({ finish: "aborted", metadata: { turn: {} } });
    expect(story.session.status.type).toBe("idle");
    story.expectLawful();
  });

  test("a failed subagent ends when its message has its end, though it is called idle before", () => {
    const story = delegating().lines(
      native.assistant("msg_12", "msg_11", {}, KID),
      native.error("APIError", {}, KID),
      ...native.bothIdle(KID),
    );
    expect(story.children[0]?.status.type).toBe("busy");
    story.lines(native.failed("msg_12", "msg_11", "APIError", {}, KID), ...native.bothIdle(KID));
    expect(story.children[0]).toMatchObject({ status: { type: "idle" }, error: { name: "unknown" } });
    expect(story.session.status.type).toBe("busy");
  });

  test("a message whose end never comes does not hold up the turn for long", () => {
    const story = running().lines(...native.bothIdle());
    expect(story.session.status.type).toBe("busy");
    expect(story.wake(`settle:${MAIN}`).session.status.type).toBe("idle");
    story.expectLawful();
  });

  test("a retry shows as the status until the server is busy again", () => {
    const story = running().lines(native.status("retry", { attempt: 2, message: "Overloaded", next: 99 }));
    expect(story.session.status).toEqual({ type: "retry", attempt: 2, message: "Overloaded", next: 99 });
    expect(story.lines(native.status("busy")).session.status).toEqual({ type: "busy" });
  });

  test("what a retry cut off is no part of the conversation; what was whole is", () => {
    const story = running().lines(
      native.text("msg_02", "prt_1", "whole", 3),
      native.text("msg_02", "prt_2", "cut"),
      native.tool("msg_02", "prt_3", { status: "pending" }),
      native.status("retry", { attempt: 1, message: "Overloaded", next: 99 }),
      native.text("msg_02", "prt_2", "cut"),
      native.text("msg_02", "prt_4", "again", 5),
    );
    const ignored = story.parts().flatMap((part) => (part.type === "text" ? [[part.text, part.ignored ?? false]] : []));
    expect(ignored).toEqual([
      ["whole", false],
      ["cut", true],
      ["again", false],
    ]);
    expect(story.tools()[0]?.state.status).toBe("error");
    story.lines(native.ended("msg_02", "msg_01"), native.idle()).expectLawful();
  });

  test("a server that dies closes what is open, in subagents too", () => {
    const story = running().lines(
      native.tool("msg_02", "prt_1", { status: "pending" }, "task"),
      native.created(KID, MAIN),
      native.user("msg_11", {}, KID),
      native.userText("msg_11", "do it", {}, KID),
      native.assistant("msg_12", "msg_11", {}, KID),
    );
    story.exit({ code: 1, stderr: "out of memory" });
    expect(story.session).toMatchObject({ status: { type: "idle" }, error: { name: "agent_exited" } });
    expect(story.session.error?.message).toContain("out of memory");
    expect(story.children[0]?.status.type).toBe("idle");
    story.expectLawful();
  });
});

describe("an abort", () => {
  test("that comes before the prompt was taken waits for that", () => {
    const story = ready(new Story().prompt()).command({ type: "abort" });
    expect(story.requests.at(-1)).toContain("prompt_async");
    story.answer("/prompt_async", null, 204);
    expect(story.requests.at(-1)).toBe(`POST /session/${MAIN}/abort`);
    story.lines(native.user("msg_01"), native.userText("msg_01", "go"), native.idle());
    expect(story.answers.at(-1)?.finish).toBe("aborted");
    story.expectLawful();
  });

  test("that the server did not hear is said again when it begins", () => {
    const story = ready(new Story().prompt()).answer("/prompt_async", null, 204).command({ type: "abort" });
    const before = story.requests.length;
    story.lines(native.status("busy"));
    expect(story.requests.slice(before)).toEqual([`POST /session/${MAIN}/abort`]);
  });

  test("that has no end kills the server", () => {
    const story = running().command({ type: "abort" }).wake();
    expect(story.effects).toContainEqual({ kind: "stop", how: "kill" });
    expect(story.answers.at(-1)?.finish).toBe("aborted");
    story.lines(native.text("msg_02", "prt_9", "late", 9)).exit({ code: null, signal: "SIGKILL" });
    expect(story.texts).toEqual([]);
    story.expectLawful();
  });

  test("of the turn takes the asks of its subagents back, and leaves it to the server to end them", () => {
    const story = delegating().lines(
      native.assistant("msg_12", "msg_11", {}, KID),
      native.tool("msg_12", "prt_1", { status: "running", input: { command: "ls -l" } }, "bash", KID),
      native.asked("per_1", "msg_12", "prt_1", {}, KID),
    );
    const [child] = story.children;
    expect(story.block(child?.id)).toMatchObject({ type: "permission" });
    const before = story.requests.length;
    story.command({ type: "abort" });
    expect(story.requests.slice(before)).toEqual([`POST /session/${MAIN}/abort`]);
    expect(story.tools(child?.id)[0]?.state.status).toBe("error");
    story.lines(
      native.error("MessageAbortedError", {}, KID),
      native.failed("msg_12", "msg_11", "MessageAbortedError", {}, KID),
      ...native.bothIdle(KID),
    );
    expect(story.children[0]?.status.type).toBe("idle");
    expect(story.session.status.type).toBe("busy");
    story.lines(native.failed("msg_02", "msg_01", "MessageAbortedError"), ...native.bothIdle());
    expect(story.answers.at(-1)?.finish).toBe("aborted");
    story.expectLawful();
  });

  test("without a turn is of the subagents that still run", () => {
    const story = delegating().lines(native.ended("msg_02", "msg_01"), native.idle());
    expect(story.session.status.type).toBe("idle");
    const before = story.requests.length;
    story.command({ type: "abort" });
    expect(story.requests.slice(before)).toEqual([`POST /session/${KID}/abort`]);
  });

  test("of a subagent is of that alone", () => {
    const story = delegating();
    const [child] = story.children;
    story.command({ type: "abort", sessionID: child?.id ?? "" });
    expect(story.requests.at(-1)).toBe(`POST /session/${KID}/abort`);
    expect(story.session.status.type).toBe("busy");
  });
});

test("a compaction in the middle of a turn is marked, and the turn goes on under its prompt", () => {
  const story = running().lines(
    native.ended("msg_02", "msg_01", "tool-calls"),
    native.user("msg_03"),
    native.part("msg_03", { id: "prt_c", type: "compaction", auto: true }),
    native.assistant("msg_04", "msg_03", { summary: true }),
    native.text("msg_04", "prt_s", "In short.", 3),
    native.ended("msg_04", "msg_03"),
    native.event("session.compacted", { sessionID: MAIN }),
    native.user("msg_05"),
    native.userText("msg_05", "Continue", { synthetic: true }),
    native.assistant("msg_06", "msg_05"),
    native.text("msg_06", "prt_t", "On it goes.", 4),
    native.ended("msg_06", "msg_05"),
    native.idle(),
  );
  const [prompt, marker] = story.messages().filter(({ role }) => role === "user");
  expect(story.answers.map(({ parentID, summary }) => [parentID, summary ?? false])).toEqual([
    [prompt?.id, false],
    [marker?.id, true],
    [prompt?.id, false],
  ]);
  story.expectLawful();
});

describe("a fork", () => {
  const FORK = "ses_fork";

  function forked(): Story {
    const origin = running().lines(native.ended("msg_02", "msg_01"), native.idle());
    const history = origin.messages().map((info) => ({ info, parts: [] }));
    const story = new Story();
    const step = opencode.fork?.(origin.state, story.seed, history);
    if (!step) throw new Error("OpenCode forks");
    story.begin(step);
    return story.prompt("in the fork").lines(native.open()).answer("/agent", []).answer("/mcp", {});
  }

  test("is cut at the message behind the last one, and the copies that are told are no news", () => {
    const story = forked();
    expect(story.requests.at(-1)).toBe(`GET /session/${MAIN}/message`);
    story.answer("/message", [{ info: { id: "msg_01" } }, { info: { id: "msg_02" } }, { info: { id: "msg_03" } }]);
    expect(story.sent.at(-1)).toMatchObject({ path: `/session/${MAIN}/fork`, body: { messageID: "msg_03" } });
    story.answer("/fork", { id: FORK });
    story.lines(
      native.user("msg_11", {}, FORK),
      native.userText("msg_11", "go", {}, FORK),
      native.assistant("msg_12", "msg_11", {}, FORK),
    );
    story.answer(`/session/${FORK}`, { id: FORK });
    expect(story.requests.at(-1)).toBe(`POST /session/${FORK}/prompt_async`);
    story
      .answer("/prompt_async", null, 204)
      .lines(
        native.user("msg_13", {}, FORK),
        native.userText("msg_13", "in the fork", {}, FORK),
        native.assistant("msg_14", "msg_13", {}, FORK),
        native.ended("msg_12", "msg_11", "stop", FORK),
        native.ended("msg_14", "msg_13", "stop", FORK),
        native.idle(FORK),
      );
    expect(story.answers.map(({ metadata }) => metadata?.native)).toMatchObject([
      { messageID: "msg_02" },
      { messageID: "msg_14" },
    ]);
    expect(story.session.status.type).toBe("idle");
  });

  test("of the whole history is a copy without an end", () => {
    const story = forked().answer("/message", [{ info: { id: "msg_01" } }, { info: { id: "msg_02" } }]);
    expect(story.sent.at(-1)?.body).toEqual({});
  });

  test("of a message that is gone is an error, and the next prompt begins anew", () => {
    const story = forked().answer("/message", [{ info: { id: "msg_07" } }]);
    expect(story.session).toMatchObject({ status: { type: "idle" }, error: { name: "protocol" } });
    story.prompt("again").answer("/agent", []);
    expect(story.requests.at(-1)).toBe("POST /session");
  });
});
