import { describe, expect, test } from "vitest";
import { KID, MAIN, native, running, Story } from "./story.js";

const RUNNING = { status: "running", input: { command: "ls -l" } };

function asking(story = running()): Story {
  return story.lines(
    native.tool("msg_02", "prt_1", { status: "pending" }),
    native.asked("per_1", "msg_02", "prt_1"),
    native.tool("msg_02", "prt_1", RUNNING),
  );
}

describe("a permission", () => {
  test("is shown with the input of its call, which comes a moment later", () => {
    const story = running().lines(
      native.tool("msg_02", "prt_1", { status: "pending" }),
      native.asked("per_1", "msg_02", "prt_1"),
    );
    expect(story.tools()[0]?.state.status).toBe("pending");
    story.lines(native.tool("msg_02", "prt_1", RUNNING));
    expect(story.tools()[0]?.state).toMatchObject({ status: "blocked", input: { command: "ls -l" } });
    expect(story.block()).toMatchObject({ permission: "bash", patterns: ["ls -l"], always: ["ls *"] });
    story.expectLawful();
  });

  test("whose call gets no input is shown all the same", () => {
    const story = running().lines(
      native.tool("msg_02", "prt_1", { status: "pending" }),
      native.asked("per_1", "msg_02", "prt_1"),
    );
    const [ask] = Object.values(story.state.asks);
    story.wake(`ask:${ask?.blockID}`);
    expect(story.tools()[0]?.state).toMatchObject({ status: "blocked", input: { command: "ls -l" } });
  });

  test.each([
    [{ decision: "once" }, { reply: "once" }, "running"],
    [{ decision: "always" }, { reply: "always" }, "running"],
    [{ decision: "reject" }, { reply: "reject" }, "error"],
    [{ decision: "reject", message: "Not here" }, { reply: "reject", message: "Not here" }, "error"],
    [{ decision: "reject", message: "Stop", interrupt: true }, { reply: "reject" }, "error"],
  ] as const)("is decided by %j", (reply, body, status) => {
    const story = asking().reply(reply);
    expect(story.sent.at(-1)).toMatchObject({ method: "POST", path: "/permission/per_1/reply", body });
    expect(story.tools()[0]?.state).toMatchObject({ status, block: { decision: reply.decision, decidedBy: "user" } });
    story.lines(native.replied("per_1", body.reply));
    expect(story.tools()[0]?.state).toMatchObject({ status, block: { decidedBy: "user" } });
    story.expectLawful();
  });

  test("that offers no `always` is allowed once", () => {
    const story = running().lines(
      native.tool("msg_02", "prt_1", RUNNING),
      native.asked("per_1", "msg_02", "prt_1", { always: [] }),
    );
    expect(story.reply({ decision: "always" }).sent.at(-1)?.body).toEqual({ reply: "once" });
    expect(story.session.permission).toBeUndefined();
  });

  test("allowed always joins the session's rules", () => {
    const story = asking().reply({ decision: "always" });
    expect(story.session.permission).toEqual([
      { permission: "bash", pattern: "ls *", action: "allow", source: "approval" },
    ]);
  });

  test("that the server takes along with another is a cascade; one it answers by itself is the agent's", () => {
    const story = running().lines(
      native.tool("msg_02", "prt_1", RUNNING),
      native.asked("per_1", "msg_02", "prt_1"),
      native.tool("msg_02", "prt_2", RUNNING),
      native.asked("per_2", "msg_02", "prt_2"),
    );
    story.reply({ decision: "reject" }).lines(native.replied("per_1", "reject"), native.replied("per_2", "reject"));
    expect(story.tools().map(({ state }) => "block" in state && state.block)).toMatchObject([
      { decidedBy: "user" },
      { decidedBy: "cascade" },
    ]);
    const other = asking().lines(native.replied("per_1", "once"));
    expect(other.tools()[0]?.state).toMatchObject({
      status: "running",
      block: { decision: "once", decidedBy: "agent" },
    });
    story.expectLawful();
  });

  test("that comes twice is shown once", () => {
    const story = asking().lines(native.asked("per_1", "msg_02", "prt_1"));
    expect(Object.keys(story.state.asks)).toHaveLength(1);
  });

  test("without a tool, or for one that waits already, has a part of its own", () => {
    const story = asking().lines(
      native.asked("per_2", "msg_02", "prt_1", { permission: "external_directory", patterns: ["/tmp/*"] }),
      native.asked("per_3", "msg_02", "prt_1", { permission: "doom_loop", patterns: [], tool: undefined }),
    );
    expect(story.tools().map(({ tool, state }) => [tool, state.status])).toEqual([
      ["bash", "blocked"],
      ["external_directory", "blocked"],
      ["doom_loop", "blocked"],
    ]);
    const ids = story.tools().map(({ state }) => (state.status === "blocked" ? state.block.id : ""));
    for (const id of ids) story.reply({ decision: "once" }, id);
    expect(story.tools().map(({ state }) => state.status)).toEqual(["running", "completed", "completed"]);
    story.expectLawful();
  });

  test("of a turn that is over is rejected", () => {
    const story = running().lines(
      native.ended("msg_02", "msg_01"),
      native.idle(),
      native.asked("per_1", "msg_02", "prt_1"),
    );
    expect(story.sent.at(-1)).toMatchObject({ path: "/permission/per_1/reply", body: { reply: "reject" } });
  });

  test("inside a subagent waits in its session and is answered there", () => {
    const story = running().lines(
      native.created(KID, MAIN),
      native.user("msg_11", {}, KID),
      native.userText("msg_11", "do it", {}, KID),
      native.assistant("msg_12", "msg_11", {}, KID),
      native.tool("msg_12", "prt_1", RUNNING, "bash", KID),
      native.asked("per_1", "msg_12", "prt_1", {}, KID),
    );
    const child = story.children[0]?.id ?? "";
    story.reply({ decision: "once" }, story.block(child).id);
    expect(story.sent.at(-1)).toMatchObject({ path: "/permission/per_1/reply", body: { reply: "once" } });
    expect(story.tools(child)[0]?.state.status).toBe("running");
    story.expectLawful();
  });

  test("names files from the project, also where the server counts from the root of the disk", () => {
    const story = running(new Story({ directory: "/home/me/app" })).lines(
      native.tool("msg_02", "prt_1", RUNNING, "edit"),
      native.asked("per_1", "msg_02", "prt_1", {
        permission: "edit",
        patterns: ["home/me/app/src/a.ts"],
        metadata: { filepath: "/home/me/app/src/a.ts", diff: "…" },
      }),
    );
    expect(story.block()).toMatchObject({ patterns: ["src/a.ts"] });
  });

  test("that somebody else answered first is no error; one that cannot be answered is", () => {
    const story = asking().reply({ decision: "once" }).answer("/reply", { name: "NotFoundError" }, 404);
    expect(story.session.error).toBeUndefined();
    const other = asking().reply({ decision: "once" });
    other.lines({ token: other.tokenOf("/reply"), failure: "socket hang up" });
    expect(other.session.error).toMatchObject({ name: "protocol" });
  });
});

describe("a question", () => {
  const question = (): Story =>
    running().lines(
      native.tool("msg_02", "prt_1", { status: "running", input: {} }, "question"),
      native.event("question.asked", {
        id: "que_1",
        sessionID: MAIN,
        questions: [{ question: "Which?", header: "H", options: [{ label: "A" }], multiple: true }],
        tool: { messageID: "msg_02", callID: "call_prt_1" },
      }),
    );

  test("is answered by labels, or rejected", () => {
    const story = question();
    expect(story.block()).toMatchObject({
      type: "question",
      questions: [{ options: [{ label: "A", description: "" }] }],
    });
    story.reply({ answers: [["A"]] });
    expect(story.sent.at(-1)).toMatchObject({ path: "/question/que_1/reply", body: { answers: [["A"]] } });
    const rejected = question().reply({ decision: "reject" });
    expect(rejected.sent.at(-1)).toMatchObject({ path: "/question/que_1/reject" });
    expect(rejected.tools()[0]?.state).toMatchObject({ status: "error", block: { rejected: true } });
    story.expectLawful();
    rejected.expectLawful();
  });

  test("that was answered elsewhere keeps the answers", () => {
    const story = question().lines(
      native.event("question.replied", { sessionID: MAIN, requestID: "que_1", answers: [["A"]] }),
    );
    expect(story.tools()[0]?.state).toMatchObject({
      status: "running",
      block: { answers: [["A"]], decidedBy: "agent" },
    });
    const other = question().lines(native.event("question.rejected", { sessionID: MAIN, requestID: "que_1" }));
    expect(other.tools()[0]?.state.status).toBe("error");
  });
});

describe("a break of the stream", () => {
  const broken = (): Story => asking().lines(native.text("msg_02", "prt_0", "He"), native.reopened());

  test("has everything read again", () => {
    expect(broken().requests.slice(-4)).toEqual([
      `GET /session/${MAIN}/message?limit=20`,
      "GET /permission",
      "GET /question",
      "GET /session/status",
    ]);
  });

  test("in which the turn went on and ended loses nothing", () => {
    const message = (raw: Record<string, unknown>) => (raw.properties as { info: unknown }).info;
    const partOf = (raw: Record<string, unknown>) => (raw.properties as { part: unknown }).part;
    const story = broken();
    story.answer("/message?limit=20", [
      { info: message(native.user("msg_01")), parts: [partOf(native.userText("msg_01", "go"))] },
      {
        info: message(native.ended("msg_02", "msg_01", "tool-calls")),
        parts: [
          partOf(native.text("msg_02", "prt_0", "Hello.", 3)),
          partOf(native.tool("msg_02", "prt_1", { ...RUNNING, status: "completed", output: "a.txt", title: "ls" })),
          partOf(native.step("msg_02", "prt_2")),
          { id: "prt_9", sessionID: MAIN, messageID: "msg_02", type: "hologram" },
        ],
      },
      {
        info: message(native.ended("msg_03", "msg_01")),
        parts: [partOf(native.text("msg_03", "prt_3", "Done.", 4)), partOf(native.step("msg_03", "prt_4"))],
      },
    ]);
    story.answer("/permission", []).answer("/question", []).answer("/status", {});
    expect(story.texts).toEqual(["Hello.", "Done."]);
    expect(story.tools()[0]?.state).toMatchObject({
      status: "completed",
      output: "a.txt",
      block: { decidedBy: "agent" },
    });
    expect(story.session.status.type).toBe("idle");
    story.expectLawful();
  });

  test("in which an ask was opened or decided", () => {
    const story = broken().answer("/permission", []);
    expect(story.tools()[0]?.state).toMatchObject({ status: "running", block: { decidedBy: "agent" } });
    const other = running().lines(native.tool("msg_02", "prt_1", RUNNING), native.reopened());
    other.answer("/permission", [native.asked("per_1", "msg_02", "prt_1").properties as object]);
    expect(other.block()).toMatchObject({ permission: "bash" });
    story.answer("/status", { [MAIN]: { type: "busy" } });
    expect(story.session.status.type).toBe("busy");
    story.lines(native.ended("msg_02", "msg_01"), native.idle()).expectLawful();
  });
});
