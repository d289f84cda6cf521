import { describe, expect, test } from "vitest";
import { native, open, running, SESSION, Story } from "./story.js";

const END = [{ kind: "stop", how: "end" }];
const UNABLE = { sessionCapabilities: {} };

const rested = (abilities?: Record<string, unknown>) => running("acp", {}, abilities).end();
const hibernate = (story: Story) => story.command({ type: "hibernate" });

describe("at rest", () => {
  test("the agent is ended, and its end is not told", () => {
    const story = hibernate(rested());
    expect(story.last).toEqual(END);
    expect(story.exit().last).toEqual([]);
    expect(story.prompt("again").effects[0]).toEqual({ kind: "spawn", resume: SESSION });
    open(story);
    expect(story.methods.slice(-2)).toEqual(["session/resume", "session/prompt"]);
    story.expectLawful();
  });

  test("a prompt that comes while it ends waits, and goes to the next one", () => {
    const story = hibernate(rested()).prompt("again");
    expect(story.effects).toEqual([]);
    expect(story.session.queue).toHaveLength(1);
    expect(story.exit({ code: 143 }).effects[0]).toEqual({ kind: "spawn", resume: SESSION });
    open(story);
    expect(story.sentAs("session/prompt").params).toMatchObject({ prompt: [{ text: "again" }] });
    expect(story.end().session).toMatchObject({ status: { type: "idle" }, queue: [] });
    expect(story.session.error).toBeUndefined();
    story.expectLawful();
  });

  test("a start that is asked for while it ends comes after it, once", () => {
    const story = hibernate(rested()).command({ type: "start" });
    expect(story.effects).toEqual([]);
    expect(story.exit().effects[0]).toEqual({ kind: "spawn", resume: SESSION });
    expect(hibernate(open(story)).exit().effects).toEqual([]);
  });
});

test.each<[string, () => Story]>([
  ["starts", () => new Story().command({ type: "start" })],
  ["runs a turn", () => running()],
  [
    "asks",
    () =>
      running()
        .updates(native.call("c1"))
        .lines(native.ask(1, { toolCallId: "c1" })),
  ],
  ["speaks by itself", () => rested().updates(native.say("One more thing."))],
  ["has no way back to its session", () => rested(UNABLE)],
  ["is not there", () => rested().exit()],
])("an agent that %s stays as it is", (_, begin) => {
  expect(hibernate(begin()).last).toEqual([]);
});

test("one that speaks another protocol is ended once, and not started again for the prompt that failed", () => {
  const story = new Story().prompt().answer("initialize", { protocolVersion: 99 });
  expect(story.effects).toEqual(END);
  expect(story.exit().effects).toEqual([]);
});
