import { describe, expect, test } from "vitest";
import { native } from "./native.js";
import { Story, withCall } from "./story.js";

const NATIVE_ID = "00000000-0000-4000-8000-000000000001";
const END = [{ kind: "stop", how: "end" }];

/** A session that has had its first turn. */
const rested = (story = new Story()) => end(story.prompt().lines(native.init()));
const end = (story: Story) => story.lines(native.result({ user_message_uuid: story.uuid }));
const hibernate = (story: Story) => story.command({ type: "hibernate" });

describe("at rest", () => {
  test("the CLI is ended, and its end is not told", () => {
    const story = hibernate(rested());
    expect(story.last).toEqual(END);
    expect(story.exit().last).toEqual([]);
    story.prompt("again");
    expect(story.effects[0]).toEqual({ kind: "spawn", resume: NATIVE_ID });
    story.expectLawful();
  });

  test("so is one that has had no turn: nothing is lost", () => {
    const story = hibernate(new Story().command({ type: "start" }));
    expect(story.last).toEqual(END);
    expect(story.exit().prompt().effects[0]).toEqual({ kind: "spawn" });
  });

  test("where none runs there is nothing to do", () => {
    expect(hibernate(new Story()).last).toEqual([]);
    expect(hibernate(rested().exit()).last).toEqual([]);
    expect(hibernate(hibernate(rested())).last).toEqual([]);
  });

  test("a prompt that comes while it ends waits, and goes to the next one", () => {
    const story = hibernate(rested()).prompt("again");
    expect(story.effects).toEqual([]);
    expect(story.session.queue).toHaveLength(1);
    story.exit({ code: null, signal: "SIGTERM" });
    expect(story.effects[0]).toEqual({ kind: "spawn", resume: NATIVE_ID });
    expect(story.said.at(-1)).toMatchObject({ type: "user", message: { content: "again" } });
    end(story.lines(native.init()));
    expect(story.session).toMatchObject({ status: { type: "idle" }, queue: [] });
    story.expectLawful();
  });

  test("a start that is asked for while it ends comes after it, once", () => {
    const story = hibernate(rested()).command({ type: "start" });
    expect(story.effects).toEqual([]);
    expect(story.exit().effects[0]).toEqual({ kind: "spawn", resume: NATIVE_ID });
    expect(story.exit().effects).toEqual([]);
    const both = hibernate(rested()).command({ type: "start" }).prompt("again").exit();
    expect(both.effects.filter(({ kind }) => kind === "spawn")).toHaveLength(1);
    both.expectLawful();
  });

  test("one that is lost with its gateway meanwhile is not started", () => {
    expect(hibernate(rested()).command({ type: "start" }).exit({ lost: true }).effects).toEqual([]);
  });
});

describe("the CLI stays", () => {
  test.each<[string, () => Story]>([
    ["while a turn runs", () => new Story().prompt().lines(native.init())],
    ["while a call waits for a decision", () => withAsk()],
    ["while a change is not confirmed", () => rested().command({ type: "setMode", mode: "plan" })],
    [
      "while a command runs in the background",
      () =>
        rested().lines({
          type: "system",
          subtype: "background_tasks_changed",
          tasks: [{ task_id: "b1", task_type: "local_bash", description: "sleep" }],
        }),
    ],
    [
      "where its first turn was never written down",
      () => new Story().prompt().lines(native.init()).exit({ code: 1 }).command({ type: "start" }),
    ],
    [
      "where the model has set a timer",
      () => end(withCall("c1", "CronCreate", { cron: "* * * * *" }).lines(native.toolResult("c1", "set"))),
    ],
    [
      "where the model wakes itself",
      () => end(withCall("c1", "ScheduleWakeup", { delaySeconds: 60 }).lines(native.toolResult("c1", "set"))),
    ],
  ])("%s", (_, begin) => {
    expect(hibernate(begin()).last).toEqual([]);
  });

  test("a timer ends with its process", () => {
    const story = end(withCall("c1", "CronCreate", {}).lines(native.toolResult("c1", "set"))).exit();
    expect(hibernate(end(story.prompt().lines(native.init()))).last).toEqual(END);
  });

  function withAsk(): Story {
    return withCall("c1", "Bash", { command: "ls" }).lines(native.ask("ask_1", "c1", "Bash", { command: "ls" }));
  }
});
