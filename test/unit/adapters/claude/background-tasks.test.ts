import { describe, expect, test } from "vitest";
import { subagent, working } from "./children.js";
import { type Json, native } from "./native.js";
import { type Story, withCall } from "./story.js";

const system = (subtype: string, change: Json = {}): Json => ({ type: "system", subtype, ...change });
const listed = (...ids: string[]) =>
  system("background_tasks_changed", {
    tasks: ids.map((task_id) => ({ task_id, task_type: "local_bash", description: `runs ${task_id}` })),
  });
const started = (task_id: string, tool_use_id: string) =>
  system("task_started", { task_id, tool_use_id, task_type: "local_bash", is_backgrounded: true });
const updated = (task_id: string, status: string) => system("task_updated", { task_id, patch: { status } });

/** A command that goes on in the background behind its call. */
function inBackground(): Story {
  return withCall("t1", "Bash", { command: "serve" }).lines(
    listed("b1"),
    started("b1", "t1"),
    native.toolResult("t1", "Command running in background", {}, { tool_use_result: { backgroundTaskId: "b1" } }),
    native.result(),
  );
}

const tasksOf = (story: Story) =>
  (story.session.metadata?.native as { backgroundTasks?: Json[] } | undefined)?.backgroundTasks ?? [];
const asked = (story: Story) =>
  story.effects.flatMap((effect) => {
    const frame = effect.kind === "send" ? (effect.frame as Json) : {};
    return (frame.request as Json | undefined)?.subtype === "get_task_output" ? [String(frame.request_id)] : [];
  });
const told = (request_id: string, response: Json): Json => ({
  type: "control_response",
  response: { subtype: "success", request_id, response },
});
const wakes = (story: Story) => story.effects.filter((effect) => effect.kind === "wake");

/** The output that the CLI tells when it is asked. */
function look(story: Story, output: string, totalBytes = output.length, truncated = false): Story {
  const [request = ""] = asked(story.wake("tasks"));
  return story.lines(told(request, { output, total_bytes: totalBytes, truncated }));
}

describe("a command in the background", () => {
  test("is on the session, and its tool has ended", () => {
    const story = inBackground();
    expect(tasksOf(story)).toEqual([
      { taskID: "b1", type: "local_bash", description: "runs b1", status: "running", callID: "t1" },
    ]);
    expect(story.tool("t1")).toMatchObject({ status: "completed", metadata: { background: true, taskID: "b1" } });
    story.expectLawful();
  });

  test("is looked at from the moment it is listed, once for each time", () => {
    const story = withCall("t1", "Bash", {}).lines(listed("b1"));
    expect(wakes(story)).toEqual([{ kind: "wake", timer: "tasks", afterMs: 3000 }]);
    expect(wakes(story.lines(listed("b1")))).toEqual([]);
    story.wake("tasks");
    expect(asked(story)).toHaveLength(1);
    expect(wakes(story)).toHaveLength(1);
    story.wake("tasks");
    expect([asked(story).length, wakes(story).length]).toEqual([0, 1]);
  });

  test("shows the end of what it has written, and the session is told only when that grows", () => {
    const story = look(inBackground(), "one\n");
    expect(tasksOf(story)).toMatchObject([{ output: "one\n", totalBytes: 4, truncated: false }]);
    const before = story.events.length;
    look(story, "one\n");
    expect(story.events).toHaveLength(before);
    look(story, "nine\n", 9000, true);
    expect(tasksOf(story)).toMatchObject([{ output: "nine\n", totalBytes: 9000, truncated: true }]);
    story.expectLawful();
  });

  test.each([
    ["completed", "completed"],
    ["failed", "failed"],
    ["killed", "stopped"],
  ])("that the CLI calls %s is %s, with its last output, and its part stays as it was", (nativeStatus, status) => {
    const story = inBackground().lines(updated("b1", nativeStatus));
    const [request = ""] = asked(story);
    const part = story.tool("t1");
    story.lines(
      subagent.ended("b1", nativeStatus === "killed" ? "stopped" : nativeStatus),
      listed(),
      told(request, { output: "all\n", total_bytes: 4, truncated: false }),
    );
    expect(tasksOf(story)).toMatchObject([{ status, output: "all\n" }]);
    expect(story.tool("t1")).toBe(part);
    story.wake("tasks");
    expect(story.effects).toEqual([]);
    story.expectLawful();
  });

  test.each(["\n[exited with code 1]\n", "\n[killed]\n"])("wrote nothing of the CLI's note of its end: %j", (note) => {
    const story = look(inBackground(), `all\n${note}`, 4 + note.length);
    expect(tasksOf(story)[0]).toMatchObject({ output: "all\n", totalBytes: 4 });
  });

  test("that is there no more has been stopped", () => {
    expect(tasksOf(inBackground().lines(listed()))).toMatchObject([{ status: "stopped" }]);
  });

  test("that has ended is shown until the next prompt", () => {
    const story = inBackground().lines(updated("b1", "completed"), listed("b2"));
    expect(tasksOf(story)).toMatchObject([{ taskID: "b1" }, { taskID: "b2" }]);
    story.prompt("go on");
    expect(tasksOf(story)).toMatchObject([{ taskID: "b2" }]);
    story.lines(native.result()).expectLawful();
  });

  test("ends with the CLI", () => {
    const story = inBackground().exit({ signal: "SIGKILL" });
    expect(tasksOf(story)).toMatchObject([{ status: "stopped" }]);
    story.wake("tasks");
    expect(story.effects).toEqual([]);
    story.expectLawful();
  });

  test("is not looked at while only the model works: its answers would hide that it is silent", () => {
    const story = inBackground().prompt("go on");
    expect(asked(story.wake("tasks"))).toEqual([]);
    expect(wakes(story)).toHaveLength(1);
    story.lines(native.whole("m2", native.call("t2", "Bash", {})));
    expect(asked(story.wake("tasks"))).toHaveLength(1);
  });

  test("keeps what it had where the CLI has no answer", () => {
    const story = look(inBackground(), "one\n");
    const [request = ""] = asked(story.wake("tasks"));
    story.lines({
      type: "control_response",
      response: { subtype: "error", request_id: request, error: "no such task" },
    });
    expect(tasksOf(story)).toMatchObject([{ output: "one\n" }]);
    expect(asked(story.wake("tasks"))).toHaveLength(1);
  });

  test("that ran in front first has its call from the call's result", () => {
    const story = withCall("t1", "Bash", {}).lines(
      started("b1", "t1"),
      listed("b1"),
      native.toolResult("t1", "moved", {}, { tool_use_result: { backgroundTaskId: "b1" } }),
    );
    expect(tasksOf(story)).toMatchObject([{ taskID: "b1", callID: "t1" }]);
  });
});

test("a subagent in the background is told with its session, and not asked for output", () => {
  const story = working().lines(
    system("background_tasks_changed", { tasks: [{ task_id: "a1", task_type: "local_agent", description: "Look" }] }),
    subagent.started("a1", "t1"),
  );
  expect(wakes(story)).toEqual([]);
  expect(tasksOf(story)).toMatchObject([
    { type: "local_agent", callID: "t1", sessionId: expect.stringMatching(/^ses_/) },
  ]);
  story.lines(subagent.ended("a1"), system("background_tasks_changed", { tasks: [] }));
  expect(tasksOf(story)).toMatchObject([{ status: "completed" }]);
  expect(asked(story)).toEqual([]);
});
