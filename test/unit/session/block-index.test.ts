import { describe, expect, test } from "vitest";
import type { ResolvedBlock, ToolPart } from "../../../schemas/index.js";
import { BlockIndex } from "../../../src/session/block-index.js";
import { permission } from "../adapters/shared/draft.js";

const decided = (id: string): ResolvedBlock => ({
  ...permission(id),
  decision: "once",
  decidedBy: "user",
  decidedAt: 1,
});
const time = { start: 1 };

function tell(index: BlockIndex, partID: string, state: ToolPart["state"]): void {
  const part: ToolPart = {
    id: partID,
    sessionID: "ses_1",
    messageID: "msg_1",
    type: "tool",
    callID: partID,
    tool: "bash",
    state,
  };
  index.apply({ type: "message.part.updated", properties: { sessionID: "ses_1", part } });
}

function block(index: BlockIndex, partID: string, id: string): void {
  tell(index, partID, { status: "blocked", input: {}, time, block: permission(id) });
}

function unblock(index: BlockIndex, partID: string, id: string): void {
  tell(index, partID, { status: "running", input: {}, time, block: decided(id) });
}

const ids = (index: BlockIndex) => index.pending().map((pending) => pending.block.id);

describe("what waits", () => {
  test("is found by its id, with its place, in the order it was asked", () => {
    const index = new BlockIndex();
    block(index, "prt_1", "a");
    block(index, "prt_2", "b");
    expect(ids(index)).toEqual(["per_a", "per_b"]);
    expect(index.find("per_b")).toMatchObject({
      sessionID: "ses_1",
      messageID: "msg_1",
      partID: "prt_2",
      callID: "prt_2",
    });
    expect(index.find("per_c")).toBeUndefined();
  });

  test("is gone when its tool goes on, and how it was decided is known", () => {
    const index = new BlockIndex();
    block(index, "prt_1", "a");
    unblock(index, "prt_1", "a");
    expect(index.pending()).toEqual([]);
    expect(index.find("per_a")).toBeUndefined();
    expect(index.resolved("per_a")).toEqual(decided("a"));
  });

  test.each([
    ["completed", { status: "completed", input: {}, output: "", title: "", metadata: {}, time: { start: 1, end: 2 } }],
    ["failed", { status: "error", input: {}, error: "", time: { start: 1, end: 2 } }],
    ["went on without a decision", { status: "running", input: {}, time }],
  ] as const)("is gone when its tool %s", (_, state) => {
    const index = new BlockIndex();
    block(index, "prt_1", "a");
    tell(index, "prt_1", state);
    expect(index.pending()).toEqual([]);
    expect(index.resolved("per_a")).toBeUndefined();
  });

  test("again on the same tool is another block", () => {
    const index = new BlockIndex();
    block(index, "prt_1", "a");
    unblock(index, "prt_1", "a");
    block(index, "prt_1", "b");
    expect(ids(index)).toEqual(["per_b"]);
    expect(index.resolved("per_a")).toBeDefined();
  });

  test("is told once, however often it is said", () => {
    const index = new BlockIndex();
    block(index, "prt_1", "a");
    block(index, "prt_1", "a");
    expect(ids(index)).toEqual(["per_a"]);
  });
});

test("only the last thousand decisions are remembered", () => {
  const index = new BlockIndex();
  for (let i = 0; i < 1001; i++) {
    block(index, `prt_${i}`, `${i}`);
    unblock(index, `prt_${i}`, `${i}`);
  }
  expect(index.resolved("per_0")).toBeUndefined();
  expect(index.resolved("per_1")).toBeDefined();
  expect(index.resolved("per_1000")).toBeDefined();
});

test("what is no tool is nothing to it", () => {
  const index = new BlockIndex();
  index.apply({ type: "session.deleted", properties: { sessionID: "ses_1" } });
  index.apply({
    type: "message.part.updated",
    properties: {
      sessionID: "ses_1",
      part: { id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "text", text: "" },
    },
  });
  expect(index.pending()).toEqual([]);
});
