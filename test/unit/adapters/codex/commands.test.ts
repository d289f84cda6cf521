import { describe, expect, test } from "vitest";
import { observe } from "../../../../adapters/codex/observe.js";
import type { ReviewTarget } from "../../../../schemas/index.js";
import { native, open, running, Story, THREAD } from "./story.js";

const CHANGES = { type: "uncommittedChanges" } as const;
const entered = { type: "enteredReviewMode", id: "r1", review: "current changes" };
const exited = { type: "exitedReviewMode", id: "r2", review: "One bug." };
const subTurn = { method: "turn/started", params: { threadId: THREAD, turn: { id: "t2", rootTurnId: "t1" } } };

/** A review that runs: its items are of the turn `t1`, and it was started as `t2`. */
function reviewing(target: ReviewTarget = CHANGES): Story {
  const story = open(new Story({ directory: "/work" }).command({ type: "review", target }));
  story.lines(native.answer(story.idOf("review/start"), { turn: { id: "t1" } }));
  return story.lines(native.start(entered), native.end(entered), subTurn, native.start(native.user("u1", "Review!")));
}

const params = (story: Story, method: string) => story.sent.findLast((frame) => frame.method === method)?.params;
const prompts = (story: Story) => story.messages().filter(({ role }) => role === "user");

describe("a review", () => {
  test("is one call and the answer behind it; what the reviewer is told and says is not shown", () => {
    const story = reviewing().lines(native.start(native.text("m1")), native.start(exited), native.end(exited));
    story.lines(native.end(native.text("m2", "One bug.")), native.turnEnd());
    expect(story.tool).toMatchObject({ status: "completed", output: "One bug." });
    expect(story.texts()).toEqual(["One bug."]);
    expect(prompts(story)).toHaveLength(1);
    story.expectLawful();
  });

  test("is told the policy in force, and its target", () => {
    const story = reviewing({ type: "commit", sha: "abc", title: "One" });
    expect(params(story, "thread/settings/update")).toMatchObject({ threadId: THREAD, approvalPolicy: "untrusted" });
    expect(params(story, "review/start")).toEqual({
      threadId: THREAD,
      target: { type: "commit", sha: "abc", title: "One" },
      delivery: "inline",
    });
  });

  test("is interrupted by the name it was started with, and its call ends with the turn", () => {
    const story = reviewing().command({ type: "abort" });
    expect(params(story, "turn/interrupt")).toEqual({ threadId: THREAD, turnId: "t2" });
    story.lines(native.end(exited), native.turnEnd("t1", "interrupted"));
    expect(story.tool).toMatchObject({ status: "error", error: "The turn was aborted" });
    story.expectLawful();
  });

  test("takes no steering: the prompt waits and is the next turn", () => {
    const story = reviewing().prompt("And this?", true);
    expect(story.session.queue).toHaveLength(1);
    story.lines(native.end(exited), native.turnEnd());
    expect(story.methods.at(-1)).toBe("turn/start");
    story.expectLawful();
  });

  test("that fails before it has started is over with the error, which alone tells it", () => {
    const story = open(new Story().command({ type: "review", target: { type: "baseBranch", branch: "main" } }));
    story.lines(
      native.answer(story.idOf("review/start"), { turn: { id: "t1" } }),
      native.error("no repository", false),
    );
    expect(story.session).toMatchObject({ status: { type: "idle" }, error: { message: "no repository" } });
    story.prompt("Are you there?");
    expect(story.methods.at(-1)).toBe("turn/start");
    story.expectLawful();
  });

  test("that is refused ends the turn", () => {
    const story = open(new Story().command({ type: "review", target: CHANGES }));
    story.lines(native.refuse(story.idOf("review/start"), "instructions must not be empty"));
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("waits for a running turn, under the id that was given", () => {
    const story = running().command({ type: "review", messageID: "msg_9", target: CHANGES });
    expect(story.session.queue).toEqual(["msg_9"]);
    story.lines(native.turnEnd());
    expect(story.methods.at(-1)).toBe("review/start");
  });
});

test("the error of a turn that has started is not its end", () => {
  const story = running().lines(native.error("it failed", false));
  expect(story.session.status).toEqual({ type: "busy" });
});

test("a compaction is a prompt with a request of its own", () => {
  const story = open(new Story().command({ type: "compact" }));
  expect(story.methods.at(-1)).toBe("thread/compact/start");
  expect(prompts(story)).toHaveLength(1);
});

describe("what a recording shows was asked for", () => {
  const { state } = new Story();
  const sent = (method: string, target?: unknown) => ({ id: 1, method, params: { threadId: THREAD, target } });

  test("a compaction", () => {
    expect(observe(state, sent("thread/compact/start"))).toEqual({ type: "compact" });
  });

  test.each([
    [
      { type: "commit", sha: "abc", title: null },
      { type: "review", target: { type: "commit", sha: "abc" } },
    ],
    [CHANGES, { type: "review", target: CHANGES }],
    [{ type: "moon" }, undefined],
    [null, undefined],
  ])("a review of %j", (target, command) => {
    expect(observe(state, sent("review/start", target))).toEqual(command);
  });
});

describe("an archived session", () => {
  const idle = () => running().lines(native.turnEnd());
  const archive = (story: Story, archived: boolean) => story.command({ type: "update", archived });
  const settle = (story: Story, method: string) => story.lines(native.answer(story.idOf(method)));

  test("is put away where a program runs, and taken out before it is opened again", () => {
    const story = archive(idle(), true);
    expect(story.session.time.archived).toBe(story.session.time.updated);
    expect(params(story, "thread/archive")).toEqual({ threadId: THREAD });
    settle(story, "thread/archive");
    archive(story, false).prompt("again");
    expect(story.session.time.archived).toBeUndefined();
    expect(story.methods.at(-1)).toBe("thread/unarchive");
    settle(story, "thread/unarchive");
    expect(story.methods.at(-1)).toBe("thread/resume");
    story.lines(native.opened(story.idOf("thread/resume")));
    expect(story.methods.at(-1)).toBe("turn/start");
    story.expectLawful();
  });

  test("one request follows the other, however quickly the user changes it", () => {
    const story = archive(archive(archive(idle(), true), false), true);
    expect(story.methods.filter((method) => String(method).includes("archive"))).toEqual(["thread/archive"]);
    settle(story, "thread/archive");
    expect(story.methods.at(-1)).toBe("thread/archive");
    archive(story, false);
    settle(story, "thread/unarchive");
    expect(story.methods.at(-1)).toBe("thread/resume");
  });

  test("is put away at the next start where none runs", () => {
    const story = archive(idle().exit(), true);
    expect(story.said).toEqual([]);
    story.command({ type: "start" }).lines(native.answer(story.idOf("initialize")));
    expect(story.methods.at(-1)).toBe("thread/archive");
    settle(story, "thread/archive");
    expect(story.methods.at(-1), "it is not opened").toBe("thread/archive");
  });

  test("that has no conversation yet has nothing to put away", () => {
    const story = archive(new Story(), true).command({ type: "start" });
    story.lines(native.answer(story.idOf("initialize")));
    expect(story.methods.at(-1)).toBe("model/list");
    archive(story, false);
    expect(story.methods.at(-1)).toBe("thread/start");
  });
});

test("the models and their efforts are on the session", () => {
  const story = new Story().prompt().lines(native.answer("aw-1"));
  const model = { model: "m", supportedReasoningEfforts: [{ reasoningEffort: "low" }, { reasoningEffort: "high" }] };
  story.lines(native.answer(story.idOf("model/list"), { data: [model], nextCursor: null }));
  expect(story.session.metadata?.native).toMatchObject({ models: ["m"], efforts: { m: ["low", "high"] } });
  story.lines(native.refuse(story.idOf("model/list")));
  story.expectLawful();
});
