import { describe, expect, test } from "vitest";
import { resolveBlock } from "../../../../adapters/shared/resolve-block.js";
import {
  appendToolInput,
  blockTool,
  completeTool,
  failTool,
  openTool,
  runTool,
  unblockTool,
} from "../../../../adapters/shared/tool-call.js";
import type { Draft } from "../../../../adapters/shared/transcript.js";
import { TOOL_TRANSITIONS, type ToolStatus } from "../../../../schemas/index.js";
import { createTurn, draftAt, eventsOf, lastTool, permission, toolsOf } from "./draft.js";

const CALL = "call_1";
const INPUT = { command: "ls" };

type Move = (draft: Draft) => void;
const run: Move = (draft) => runTool(draft, CALL, INPUT, "bash ls");
const block: Move = (draft) => blockTool(draft, CALL, INPUT, "bash ls", permission("a"));
const unblock: Move = (draft) =>
  unblockTool(draft, CALL, resolveBlock(draft, permission("a"), { decision: "once", decidedBy: "user" }));
const complete: Move = (draft) => completeTool(draft, CALL, { output: "out" });
const fail: Move = (draft) => failTool(draft, CALL, { error: "failed" });

/** The moves that bring a new call into each state. */
const WAYS: Record<ToolStatus, readonly Move[]> = {
  pending: [],
  running: [run],
  blocked: [block],
  completed: [run, complete],
  error: [fail],
};
const MOVES: readonly (readonly [string, Move, ToolStatus])[] = [
  ["run", run, "running"],
  ["block", block, "blocked"],
  ["unblock", unblock, "running"],
  ["complete", complete, "completed"],
  ["fail", fail, "error"],
];

function toolIn(status: ToolStatus): Draft {
  const { draft, message } = createTurn();
  openTool(draft, message, { callID: CALL, tool: "bash" });
  for (const move of WAYS[status]) move(draft);
  expect(lastTool(draft).state.status).toBe(status);
  draft.outputs.length = 0;
  return draft;
}

const CASES = Object.keys(WAYS).flatMap((from) =>
  MOVES.map(([name, move, to]) => ({ from: from as ToolStatus, name, move, to })),
);

describe("every move from every state", () => {
  test.each(CASES)("$name a $from tool", ({ from, name, move, to }) => {
    const draft = toolIn(from);
    move(draft);
    const legal = (TOOL_TRANSITIONS[from] as readonly string[]).includes(to);
    // A tool that runs is not started again, and only what is blocked can be unblocked.
    const meant = (name !== "run" || from === "pending") && (name !== "unblock" || from === "blocked");
    expect(toolsOf(draft).map(({ state }) => state.status)).toEqual(legal && meant ? [to] : []);
  });
});

test("an unknown call is nobody's", () => {
  const { draft } = createTurn();
  for (const [, move] of MOVES) move(draft);
  appendToolInput(draft, CALL, "{}");
  expect(draft.outputs).toEqual([]);
});

test("a known call is not opened twice", () => {
  const { draft, message } = createTurn();
  const part = openTool(draft, message, { callID: CALL, tool: "bash" });
  expect(openTool(draft, message, { callID: CALL, tool: "edit" })).toBe(part);
  expect(toolsOf(draft)).toHaveLength(1);
});

test("the input streams into raw by offsets, and is kept readable when the call fails before it was whole", () => {
  const { draft, message } = createTurn();
  openTool(draft, message, { callID: CALL, tool: "bash" });
  for (const piece of ['{"com', "", 'mand"']) appendToolInput(draft, CALL, piece);
  const deltas = eventsOf(draft).filter((event) => event.type === "message.part.delta");
  expect(deltas.map(({ properties }) => [properties.field, properties.offset])).toEqual([
    ["state.raw", 0],
    ["state.raw", 5],
  ]);
  fail(draft);
  expect(lastTool(draft).state).toMatchObject({ status: "error", input: { raw: '{"command"' } });
});

test("no input is appended to a call that runs", () => {
  const draft = toolIn("running");
  appendToolInput(draft, CALL, "late");
  expect(draft.outputs).toEqual([]);
});

test("times: the start is when the tool started or was asked for, the end when it ended", () => {
  const asked = toolIn("blocked");
  const later = draftAt(asked.transcript, asked.at + 10);
  unblock(later);
  complete(draftAt(asked.transcript, asked.at + 30));
  const end = draftAt(toolIn("blocked").transcript, asked.at + 30);
  complete(end);
  expect(lastTool(end).state).toMatchObject({ time: { start: asked.at, end: asked.at + 30 } });
  expect(lastTool(later).state).toMatchObject({ time: { start: asked.at } });
});

describe("decisions", () => {
  test("the decided block stays with the tool to its end", () => {
    const draft = toolIn("blocked");
    unblock(draft);
    complete(draft);
    expect(toolsOf(draft).map(({ state }) => "block" in state && state.block?.id)).toEqual(["per_a", "per_a"]);
  });

  test("a tool that is asked again keeps the decisions before, the oldest first", () => {
    const draft = toolIn("blocked");
    unblock(draft);
    for (const id of ["b", "c"]) {
      blockTool(draft, CALL, INPUT, "bash ls", permission(id));
      unblockTool(draft, CALL, resolveBlock(draft, permission(id), { decision: "once", decidedBy: "rule" }));
    }
    complete(draft);
    const { state } = lastTool(draft);
    expect(state).toMatchObject({ status: "completed", block: { id: "per_c", decidedBy: "rule" } });
    expect("priorBlocks" in state && state.priorBlocks?.map(({ id }) => id)).toEqual(["per_a", "per_b"]);
  });

  test("an input that the decision changed is what the tool runs with", () => {
    const draft = toolIn("blocked");
    unblockTool(draft, CALL, undefined, { command: "ls -a" });
    expect(lastTool(draft).state).toMatchObject({ status: "running", input: { command: "ls -a" } });
    expect(lastTool(draft).state).not.toHaveProperty("block");
  });

  test("an ask while one is open changes nothing", () => {
    const draft = toolIn("blocked");
    blockTool(draft, CALL, INPUT, "bash ls", permission("b"));
    expect(draft.outputs).toEqual([]);
  });
});

test("a result's files get ids of their own on the tool's message", () => {
  const draft = toolIn("running");
  const file = { type: "file" as const, mime: "image/png", url: "data:image/png;base64,AA==" };
  completeTool(draft, CALL, { output: "", attachments: [file, file] });
  const part = lastTool(draft);
  const files = "attachments" in part.state ? (part.state.attachments ?? []) : [];
  expect(files.map(({ messageID }) => messageID)).toEqual([part.messageID, part.messageID]);
  expect(new Set(files.map(({ id }) => id)).size).toBe(2);
});
