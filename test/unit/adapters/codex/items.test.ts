import { describe, expect, test } from "vitest";
import { native, running, THREAD } from "./story.js";

const CHILD = "00000000-0000-7000-8000-000000000002";
const of = (itemId: string) => ({ threadId: THREAD, turnId: "t1", itemId });

describe("texts", () => {
  test("the end holds the whole text, whatever was streamed", () => {
    const story = running().lines(
      native.start(native.text("m1", "All at once")),
      native.end(native.text("m1", "All at once")),
    );
    story.lines(
      native.delta("m2", "Wor"),
      native.end(native.text("m2", "Word")),
      native.end(native.text("m2", "Word")),
      native.turnEnd(),
    );
    expect(story.texts()).toEqual(["All at once", "Word"]);
    story.expectLawful();
  });

  test("an id that comes again names another part", () => {
    const story = running().lines(
      native.start(native.text("m1")),
      native.end(native.text("m1", "a")),
      native.start(native.text("m1")),
      native.end(native.text("m1", "b")),
    );
    story.lines(native.turnEnd());
    expect(story.texts()).toEqual(["a", "b"]);
    story.expectLawful();
  });

  test("each section of a thought is a part; what was only encrypted is none", () => {
    const story = running().lines(
      native.start({ type: "reasoning", id: "r1", summary: [], content: [] }),
      { method: "item/reasoning/summaryTextDelta", params: { ...of("r1"), delta: "fir", summaryIndex: 0 } },
      { method: "item/reasoning/textDelta", params: { ...of("r1"), delta: "raw", contentIndex: 0 } },
      native.end({ type: "reasoning", id: "r1", summary: ["first", "second"], content: ["raw"] }),
      native.start({ type: "reasoning", id: "r2", summary: [] }),
      native.end({ type: "reasoning", id: "r2", summary: [] }),
      native.turnEnd(),
    );
    const thoughts = story.parts().flatMap((part) => (part.type === "reasoning" ? [part.text] : []));
    expect(thoughts).toEqual(["first", "raw", "second"]);
    story.expectLawful();
  });
});

describe("tools", () => {
  test("the final output takes the place of what was streamed", () => {
    const story = running().lines(native.start(native.exec("c1")), {
      method: "item/commandExecution/outputDelta",
      params: { ...of("c1"), delta: "half" },
    });
    expect(story.tool).toMatchObject({ metadata: { output: "half" } });
    story.lines(
      native.end(native.exec("c1", { status: "completed", aggregatedOutput: "whole", exitCode: 0 })),
      native.turnEnd(),
    );
    expect(story.tool).toMatchObject({ output: "whole", metadata: { output: "whole", exitCode: 0 } });
    story.expectLawful();
  });

  test("a call that comes again in one turn has a call id of its own", () => {
    const done = native.end(native.exec("c1", { status: "completed", aggregatedOutput: "", exitCode: 0 }));
    const story = running().lines(
      native.start(native.exec("c1")),
      done,
      native.start(native.exec("c1")),
      done,
      native.turnEnd(),
    );
    expect(story.tools().map(({ callID }) => callID)).toEqual(["1.c1", "1.c1#2"]);
    story.expectLawful();
  });

  test("a list of steps is the session's, and a call that is over", () => {
    const plan = [
      { step: "look", status: "completed" },
      { step: "leap", status: "inProgress" },
    ];
    const story = running().lines({ method: "turn/plan/updated", params: { threadId: THREAD, turnId: "t1", plan } });
    expect(story.tool).toMatchObject({ status: "completed", title: "todowrite 1/2" });
    expect(story.outputs.at(-1)).toMatchObject({
      event: { type: "todo.updated", properties: { todos: [{ status: "completed" }, { status: "in_progress" }] } },
    });
    story.lines(native.turnEnd()).expectLawful();
  });

  test("a kind of item that is not known is no part", () => {
    const story = running().lines(
      native.start({ type: "fromTheFuture", id: "f1" }),
      native.end({ type: "fromTheFuture", id: "f1" }),
      native.turnEnd(),
    );
    expect(story.tools()).toEqual([]);
    story.expectLawful();
  });
});

describe("subagents", () => {
  const childTurn = [
    native.turnStarted("k1", CHILD),
    native.start(native.user("ku", "Do it."), "k1", CHILD),
    native.start(native.text("m1"), "k1", CHILD),
    native.end(native.text("m1", "child"), "k1", CHILD),
  ];

  test("a thread nobody announced is a child; its end is not the parent's", () => {
    const story = running().lines(...childTurn, native.turnEnd("k1", "completed", null, CHILD));
    expect(story.session.status.type).toBe("busy");
    const [child] = story.children;
    expect(child).toMatchObject({ parentID: story.session.id, status: { type: "idle" } });
    expect(story.texts(child?.id)).toEqual(["child"]);
    story.lines(native.turnEnd()).expectLawful();
  });

  test("the call that began it names it, also when it spoke first", () => {
    const spawn = (status: string, receiverThreadIds: string[]) => ({
      type: "collabAgentToolCall",
      id: "s1",
      tool: "spawnAgent",
      prompt: "Do it.",
      status,
      receiverThreadIds,
    });
    const story = running().lines(
      native.start(spawn("inProgress", [])),
      ...childTurn,
      native.end(spawn("completed", [CHILD])),
    );
    expect(story.tool).toMatchObject({ status: "completed", metadata: { sessionId: story.children[0]?.id } });
    expect(story.children[0]?.title).toBe("Do it.");
    story.lines(native.turnEnd("k1", "completed", null, CHILD), native.turnEnd()).expectLawful();
  });

  test("one that speaks first belongs to the call that waits for its id, also below a subagent", () => {
    const grandchild = "00000000-0000-7000-8000-000000000003";
    const spawn = {
      type: "collabAgentToolCall",
      id: "s2",
      tool: "spawnAgent",
      prompt: "Deeper.",
      status: "inProgress",
    };
    const story = running().lines(...childTurn, native.start(spawn, "k1", CHILD), native.turnStarted("g1", grandchild));
    const [child, inner] = story.children;
    expect(inner).toMatchObject({ parentID: child?.id, title: "Deeper." });
    story.lines(native.turnEnd("k1", "completed", null, CHILD), native.turnEnd()).expectLawful();
  });

  test("the newer kind runs until its note of the end", () => {
    const activity = (kind: string) => ({
      type: "subAgentActivity",
      id: `a-${kind}`,
      kind,
      agentThreadId: CHILD,
      agentPath: "/root/helper",
    });
    const story = running().lines(native.start(activity("started")), native.end(activity("started")), ...childTurn);
    expect(story.tool.status).toBe("running");
    story.lines(native.turnEnd("k1", "completed", null, CHILD), native.start(activity("completed")), native.turnEnd());
    expect(story.tool).toMatchObject({ status: "completed", output: "child" });
    story.expectLawful();
  });

  test("one id in two threads is two calls, decided apart", () => {
    const story = running().lines(...childTurn, native.start(native.exec("same")), native.ask(0, "same"));
    story.lines(native.start(native.exec("same"), "k1", CHILD), native.ask(1, "same", {}, "k1", CHILD));
    const child = String(story.children[0]?.id);
    story.reply({ decision: "reject" }, story.block(1).id);
    expect(story.said).toEqual([{ token: "1", result: { decision: "decline" } }]);
    expect([story.tools()[0]?.state.status, story.tools(child)[0]?.state.status]).toEqual(["blocked", "error"]);
    story.command({ type: "abort" });
    expect(story.said.map(({ params }) => params)).toMatchObject([{ turnId: "t1" }, { turnId: "k1" }]);
    story.lines(native.turnEnd("t1", "interrupted"), native.turnEnd("k1", "interrupted", null, CHILD)).expectLawful();
  });

  test("one is aborted by its session, and an exit ends all", () => {
    const story = running().lines(...childTurn);
    story.command({ type: "abort", sessionID: String(story.children[0]?.id) });
    expect(story.said).toMatchObject([{ method: "turn/interrupt", params: { threadId: CHILD, turnId: "k1" } }]);
    story.exit({ code: 1, stderr: "\u001b[31mpanicked\u001b[0m" });
    expect(story.session.error?.message).toContain(": panicked");
    expect(story.children[0]?.status.type).toBe("idle");
    story.expectLawful();
  });
});
