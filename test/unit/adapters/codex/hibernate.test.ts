import { describe, expect, test } from "vitest";
import { native, open, running, Story, THREAD } from "./story.js";

const END = [{ kind: "stop", how: "end" }];

const rested = () => running().lines(native.turnEnd());
const hibernate = (story: Story) => story.command({ type: "hibernate" });

describe("at rest", () => {
  test("the app-server is ended, and its end is not told", () => {
    const story = hibernate(rested());
    expect(story.last).toEqual(END);
    expect(story.exit().last).toEqual([]);
    expect(story.prompt("again").effects[0]).toEqual({ kind: "spawn", resume: THREAD });
    open(story);
    expect(story.methods.slice(-2)).toEqual(["thread/resume", "turn/start"]);
    story.expectLawful();
  });

  test("what was set before is in force after it", () => {
    const story = rested();
    story.command({ type: "setMode", mode: "read-only" }).command({ type: "setModel", model: "gpt-y" });
    story.command({ type: "setOption", option: "effort", value: "high" });
    open(hibernate(story).exit().prompt("again"));
    const { params } = story.sent.find(({ method }) => method === "thread/resume") ?? {};
    expect(params).toMatchObject({ threadId: THREAD, model: "gpt-y", sandbox: "read-only" });
    expect(story.sent.at(-1)).toMatchObject({ method: "turn/start", params: { model: "gpt-y", effort: "high" } });
  });

  test("a prompt that comes while it ends waits, and goes to the next one", () => {
    const story = hibernate(rested()).prompt("again");
    expect(story.effects).toEqual([]);
    expect(story.session.queue).toHaveLength(1);
    story.exit({ code: null, signal: "SIGTERM" });
    expect(story.effects[0]).toEqual({ kind: "spawn", resume: THREAD });
    open(story);
    expect(story.sent.at(-1)).toMatchObject({ method: "turn/start", params: { input: [{ text: "again" }] } });
    expect(story.session).toMatchObject({ status: { type: "busy" }, queue: [] });
    story.expectLawful();
  });

  test("a start that is asked for while it ends comes after it, once", () => {
    const story = hibernate(rested()).command({ type: "start" });
    expect(story.effects).toEqual([]);
    expect(story.exit().effects[0]).toEqual({ kind: "spawn", resume: THREAD });
    expect(hibernate(open(story)).exit().effects).toEqual([]);
    const both = hibernate(rested()).command({ type: "start" }).prompt("again").exit();
    expect(both.effects.filter(({ kind }) => kind === "spawn")).toHaveLength(1);
    both.expectLawful();
  });

  test("where none runs there is nothing to do", () => {
    expect(hibernate(new Story()).last).toEqual([]);
    expect(hibernate(rested().exit()).last).toEqual([]);
    expect(hibernate(hibernate(rested())).last).toEqual([]);
  });
});

test.each<[string, () => Story]>([
  ["starts", () => new Story().command({ type: "start" })],
  ["opens its thread", () => new Story().command({ type: "start" }).lines(native.answer("aw-1"))],
  ["runs a turn", () => running()],
  ["asks", () => running().lines(native.start(native.exec("i1")), native.ask(7, "i1"))],
  ["puts its thread away", () => rested().command({ type: "update", archived: true })],
  ["has a subagent at work", () => rested().lines(native.start(native.text("x"), "t9", "other"))],
])("an app-server that %s stays", (_, begin) => {
  expect(hibernate(begin()).last).toEqual([]);
});

test("a command that outlives its turn keeps the app-server, until it ends", () => {
  const story = running().lines(native.start(native.exec("c1")), native.turnEnd());
  expect(hibernate(story).last).toEqual([]);
  story.lines(native.end(native.exec("c1", { status: "completed", aggregatedOutput: "late", exitCode: 0 })));
  expect(hibernate(story).last).toEqual(END);
});

test.each<[string, (story: Story) => Story]>([
  ["behind its turn", (story) => story.lines(native.turnEnd("t2")).exit()],
  ["in its turn", (story) => story.exit({ code: 1 })],
])("a command that ends with the app-server %s keeps no other one", (_, end) => {
  const story = rested().prompt();
  story.lines(native.answer(story.idOf("turn/start"), { turn: { id: "t2" } }), native.turnStarted("t2"));
  end(story.lines(native.start(native.exec("c1"), "t2")));
  expect(hibernate(open(story.command({ type: "start" }))).last).toEqual(END);
});

test("one that is killed for an abort, with a prompt behind it, is started once", () => {
  const story = running().prompt("again").command({ type: "abort", keepQueue: true }).wake();
  expect(story.effects).toContainEqual({ kind: "stop", how: "kill" });
  expect(story.exit({ code: null, signal: "SIGKILL" }).effects.filter(({ kind }) => kind === "spawn")).toHaveLength(1);
});
