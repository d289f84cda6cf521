import { describe, expect, test } from "vitest";
import { codex } from "../../../../adapters/codex/index.js";
import { native, running, Story, THREAD } from "./story.js";

const TOOL = { name: "weather", description: "Tells it", inputSchema: { type: "object" as const } };
const ITEM = { type: "dynamicToolCall", id: "c1", tool: "weather", namespace: null, arguments: { place: "Bern" } };

function call(change: Record<string, unknown> = {}) {
  const params = { threadId: THREAD, turnId: "t1", callId: "c1", tool: "weather", arguments: { place: "Bern" } };
  return { token: "0", method: "item/tool/call", params: { ...params, ...change } };
}

const waiting = () => running().lines(native.start({ ...ITEM, status: "inProgress" }), call());
const ended = (success: boolean, text: string) =>
  native.end({
    ...ITEM,
    status: success ? "completed" : "failed",
    success,
    contentItems: [{ type: "inputText", text }],
  });

test("the tools are told with the thread, where there are any", () => {
  const started = (story: Story) => running(story).sent.find(({ method }) => method === "thread/start")?.params;
  expect(started(new Story({ tools: [TOOL] }))).toMatchObject({ dynamicTools: [{ type: "function", ...TOOL }] });
  expect(started(new Story())).not.toHaveProperty("dynamicTools");
});

describe("a call", () => {
  test.each([
    ["an output", { output: "rain" }, true, [{ type: "inputText", text: "rain" }], "completed"],
    ["an error", { error: "no" }, false, [{ type: "inputText", text: "no" }], "error"],
    ["an empty output", { output: "" }, true, [{ type: "inputText", text: "" }], "completed"],
    [
      "an image alone",
      { output: "", attachments: [{ type: "file", mime: "image/png", url: "data:image/png;base64,AA==" }] },
      true,
      [{ type: "inputImage", imageUrl: "data:image/png;base64,AA==" }],
      "completed",
    ],
  ] as const)("is answered with %s", (_, reply, success, contentItems, status) => {
    const story = waiting();
    expect(story.block()).toMatchObject({ type: "call", name: "weather", input: { place: "Bern" } });
    expect(story.tools()[0]).toMatchObject({ tool: "client", state: { title: "weather" } });
    story.reply(reply as never);
    expect(story.said).toEqual([{ token: "0", result: { contentItems, success } }]);
    expect(story.tool).toMatchObject({ status: "running", block: { type: "call", decidedBy: "user" } });
    story.lines(native.resolved(0), ended(success, "as Codex tells it"));
    expect(story.tool).toMatchObject({ status, block: { type: "call" } });
    story.lines(native.turnEnd()).expectLawful();
  });

  test("that comes before its item opens the part", () => {
    const story = running().lines(call(), native.start({ ...ITEM, status: "inProgress" }));
    expect(story.tool).toMatchObject({ status: "blocked", title: "weather" });
    story.reply({ output: "rain" }).lines(ended(true, "rain"), native.turnEnd()).expectLawful();
  });

  test.each([
    ["output", { output: "rain" }, { status: "completed", output: "rain" }],
    ["error", { error: "no" }, { status: "error", error: "no" }],
  ])("whose item is over has a part of its own, which ends with its %s", (_, reply, state) => {
    const story = running().lines(ended(true, "rain"), call()).reply(reply);
    expect(story.tools().at(-1)?.state).toMatchObject(state);
    story.lines(native.turnEnd()).expectLawful();
  });

  test("of a turn that is over is answered at once", () => {
    const story = running().lines(native.turnEnd(), call());
    expect(story.said).toMatchObject([{ result: { success: false } }]);
  });

  test.each([
    ["an interrupt", (story: Story) => story.command({ type: "abort" }), "user"],
    ["the turn's end", (story: Story) => story.lines(native.turnEnd("t1", "interrupted")), "agent"],
    ["the item's end", (story: Story) => story.lines(ended(false, "no")), "agent"],
    ["a shutdown", (story: Story) => story.exit({ lost: true }), "shutdown"],
  ])("ends with %s where nobody answered", (_, end, decidedBy) => {
    const state = end(waiting()).tool;
    expect(state).toMatchObject({ status: "error", block: { type: "call", decidedBy } });
    expect("block" in state && state.block).not.toHaveProperty("output");
  });

  test.each([
    [{ contentItems: [{ type: "inputText", text: "rain" }], success: true }, { output: "rain" }],
    [{ contentItems: [{ type: "inputText", text: "no" }], success: false }, { error: "no" }],
    [
      { contentItems: [{ type: "inputImage", imageUrl: "data:image/png;base64,AA==" }], success: true },
      { output: "", attachments: [{ type: "file", mime: "image/png", url: "data:image/png;base64,AA==" }] },
    ],
  ])("is read back from a recording: %j", (result, reply) => {
    const story = waiting();
    expect(codex.observe(story.state, { id: 0, result })).toEqual({
      type: "reply",
      blockID: story.block().id,
      decidedBy: "user",
      ...reply,
    });
  });
});
