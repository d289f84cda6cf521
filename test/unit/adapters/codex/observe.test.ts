import { describe, expect, test } from "vitest";
import { observe } from "../../../../adapters/codex/observe.js";
import { native, running, Story, THREAD } from "./story.js";

const input = [{ type: "text", text: "hi", text_elements: [] }];

describe("what was sent, read back", () => {
  test("prompts: in a running turn they steer", () => {
    const start = { id: 3, method: "turn/start", params: { threadId: THREAD, input, clientUserMessageId: "c" } };
    expect(observe(new Story().state, start)).toEqual({
      type: "prompt",
      parts: [{ type: "text", text: "hi" }],
      nativeID: "c",
    });
    expect(observe(running().state, start)).toMatchObject({ steer: true });
    const steer = (expectedTurnId: string) => ({
      id: 4,
      method: "turn/steer",
      params: { threadId: THREAD, expectedTurnId, input },
    });
    expect(observe(running().state, steer("t1"))).toMatchObject({ type: "prompt", steer: true });
    expect(observe(running().state, steer("t0"))).toBeUndefined();
  });

  test("pictures", () => {
    const images = [
      { type: "image", url: "data:image/png;base64,AA" },
      { type: "localImage", path: "/a.png" },
    ];
    const sent = { id: 3, method: "turn/start", params: { threadId: THREAD, input: images } };
    expect(observe(new Story().state, sent)).toMatchObject({
      parts: [{ mime: "image/png" }, { url: "file:///a.png" }],
    });
  });

  test("an interrupt that was not refused", () => {
    const interrupt = (turnId: string) => ({ id: 5, method: "turn/interrupt", params: { threadId: THREAD, turnId } });
    expect(observe(running().state, interrupt("t1"))).toEqual({ type: "abort", keepQueue: true });
    expect(observe(running().state, interrupt("t0"))).toBeUndefined();
  });

  test.each([
    [{ decision: "accept" }, { decision: "once" }],
    [{ decision: "acceptForSession" }, { decision: "always" }],
    [{ decision: { acceptWithExecpolicyAmendment: {} } }, { optionID: "acceptWithExecpolicyAmendment" }],
    [{ decision: "decline" }, { decision: "reject" }],
    [{ decision: "cancel" }, { decision: "reject", interrupt: true }],
    [{}, { decision: "reject" }],
  ])("an answer %j", (result, reply) => {
    const story = running().lines(native.start(native.exec("c1")), native.ask(0, "c1"));
    expect(observe(story.state, { id: 0, result })).toMatchObject({
      type: "reply",
      blockID: story.block().id,
      ...reply,
    });
    expect(observe(story.state, { id: "0", result }), "another id").toBeUndefined();
    expect(observe(story.state, { id: 0, error: { code: 1, message: "no" } })).toMatchObject({ decision: "reject" });
  });

  test("what concerns another thread comes back as its items", () => {
    expect(
      observe(running().state, { id: 3, method: "turn/start", params: { threadId: "other", input } }),
    ).toBeUndefined();
    expect(observe(running().state, "text")).toBeUndefined();
  });
});
