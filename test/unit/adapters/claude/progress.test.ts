import { describe, expect, test } from "vitest";
import { STALLED_TIMER } from "../../../../adapters/contract.js";
import { childOf, subagent, working } from "./children.js";
import { type Json, native } from "./native.js";
import { Story, withCall } from "./story.js";

function heartbeat(callID: string, seconds: number, count = 0): Json {
  return {
    type: "tool_progress",
    tool_use_id: `${callID}-heartbeat-${count}`,
    tool_name: "Bash",
    parent_tool_use_id: callID,
    elapsed_time_seconds: seconds,
    heartbeat: true,
  };
}

const running = () => withCall("t1", "Bash", { command: "make" });

describe("a tool that runs for long", () => {
  test("says how long, again and again", () => {
    const story = running().lines(heartbeat("t1", 30));
    expect(story.tool("t1")).toMatchObject({ status: "running", metadata: { elapsedMs: 30_000 } });
    story.lines(heartbeat("t1", 60.5, 1));
    expect(story.tool("t1")).toMatchObject({ metadata: { elapsedMs: 60_500 } });
    story.lines(native.toolResult("t1", "made"), native.result()).expectLawful();
  });

  test("says so without a sign of life too", () => {
    const story = running().lines({ ...heartbeat("t1", 7), tool_use_id: "t1", parent_tool_use_id: null });
    expect(story.tool("t1")).toMatchObject({ metadata: { elapsedMs: 7000 } });
  });

  test("of a subagent says so in its session", () => {
    const story = working().lines(
      subagent.line(native.whole("m2", native.call("s1", "Bash", {})), "t1", "a1"),
      heartbeat("s1", 30),
    );
    expect(childOf(story).tools).toMatchObject([{ callID: "s1", state: { metadata: { elapsedMs: 30_000 } } }]);
    expect(story.tool("t1")).not.toHaveProperty("metadata.elapsedMs");
    story.exit().expectLawful();
  });

  test.each([
    ["waits for a decision", (story: Story) => story.lines(native.ask("r1", "t1", "Bash", {})), "blocked"],
    ["has ended", (story: Story) => story.lines(native.toolResult("t1", "made")), "completed"],
  ])("that %s is left as it is", (_, change, status) => {
    const story = change(running()).lines(heartbeat("t1", 30));
    expect(story.tool("t1").status).toBe(status);
    expect(story.tool("t1")).not.toHaveProperty("metadata.elapsedMs");
  });

  test.each(["t2", "hook-PreToolUse-t1"])("a sign of life of %s is not of it", (id) => {
    const story = running().lines(heartbeat(id, 30));
    expect(story.tool("t1")).not.toHaveProperty("metadata.elapsedMs");
  });

  test("is not stalled, however silent", () => {
    const story = running().wake(STALLED_TIMER);
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(heartbeat("t1", 300)).wake(STALLED_TIMER);
    expect(story.session.status).toEqual({ type: "busy" });
  });

  test("takes the mark of a stalled session away", () => {
    const story = new Story().prompt().lines(native.init()).wake(STALLED_TIMER);
    expect(story.session.status).toEqual({ type: "busy", stalled: true });
    expect(story.lines(heartbeat("t9", 30)).session.status).toEqual({ type: "busy" });
  });
});
