import { describe, expect, test } from "vitest";
import { MAIN, native, ready, running, Story } from "./story.js";

const END = [{ kind: "stop", how: "end" }];

const rested = () => running().lines(native.ended("msg_02", "msg_01"), native.status("idle"), native.idle());
const hibernate = (story: Story) => story.command({ type: "hibernate" });

describe("at rest", () => {
  test("the server is ended, and its end is not told", () => {
    const story = hibernate(rested());
    expect(story.last).toEqual(END);
    expect(story.exit().last).toEqual([]);
    expect(story.prompt("again").effects).toEqual([{ kind: "spawn", resume: MAIN }]);
    story.expectLawful();
  });

  test("a prompt that comes while it ends waits, and goes to the next one", () => {
    const story = hibernate(rested()).prompt("again");
    expect(story.effects).toEqual([]);
    expect(story.session.queue).toHaveLength(1);
    expect(story.exit({ code: 143 }).effects).toEqual([{ kind: "spawn", resume: MAIN }]);
    expect(story.session).toMatchObject({ status: { type: "busy" }, queue: [] });
    story.expectLawful();
  });

  test("a start that is asked for while it ends comes after it, once, with the prompt that waits", () => {
    const story = hibernate(rested()).command({ type: "start" });
    expect(story.effects).toEqual([]);
    expect(story.exit().effects).toEqual([{ kind: "spawn", resume: MAIN }]);
    expect(hibernate(rested()).command({ type: "start" }).exit({ lost: true }).effects).toEqual([]);
    const both = hibernate(rested()).command({ type: "start" }).prompt("again").exit();
    expect(both.effects).toEqual([{ kind: "spawn", resume: MAIN }]);
    expect(both.session).toMatchObject({ status: { type: "busy" }, queue: [] });
    both.expectLawful();
  });
});

test.each<[string, () => Story]>([
  ["starts", () => new Story().command({ type: "start" })],
  ["is being prepared", () => new Story().command({ type: "start" }).lines(native.open())],
  ["runs a turn", () => running()],
  ["is not there", () => rested().exit()],
])("a server that %s stays as it is", (_, begin) => {
  expect(hibernate(begin()).last).toEqual([]);
});

test("one that was only started is ended, too", () => {
  expect(hibernate(ready(new Story().command({ type: "start" }))).last).toEqual(END);
});
