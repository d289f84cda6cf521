import { expect, test } from "vitest";
import { closeMessage, openMessage } from "../../../../adapters/shared/assistant-message.js";
import { endTurn, failBlockedTools } from "../../../../adapters/shared/end-turn.js";
import { appendText, openText } from "../../../../adapters/shared/open-text.js";
import { beginTurn } from "../../../../adapters/shared/prompts.js";
import { blockTool, openTool, runTool } from "../../../../adapters/shared/tool-call.js";
import type { AssistantMessage } from "../../../../schemas/index.js";
import {
  createDraft,
  createTurn,
  eventsOf,
  MODEL,
  partsOf,
  permission,
  question,
  toolsOf,
  typesOf,
  USER_MESSAGE,
} from "./draft.js";

const END = { toolError: "it ended", decidedBy: "agent", model: MODEL } as const;

function assistants(events: ReturnType<typeof eventsOf>): AssistantMessage[] {
  return events.flatMap((event) =>
    event.type === "message.updated" && event.properties.info.role === "assistant" ? [event.properties.info] : [],
  );
}

test("everything that is open is closed, and the session is idle last", () => {
  const { draft, message } = createTurn();
  const text = openText(draft, message, "text");
  appendText(draft, text, "half");
  for (const callID of ["pending", "running", "blocked"]) openTool(draft, message, { callID, tool: "bash" });
  runTool(draft, "running", {}, "bash");
  blockTool(draft, "blocked", {}, "bash", permission("a"));
  draft.outputs.length = 0;
  endTurn(draft, END);
  expect(toolsOf(draft).map(({ state }) => state)).toMatchObject([
    { status: "error", error: "it ended" },
    { status: "error", error: "it ended" },
    { status: "error", block: { decision: "reject", decidedBy: "agent" } },
  ]);
  expect(partsOf(draft)).toContainEqual(
    expect.objectContaining({ id: text, time: expect.objectContaining({ end: draft.at }) }),
  );
  expect(assistants(eventsOf(draft)).at(-1)).toMatchObject({ finish: "stop", time: { completed: draft.at } });
  expect(eventsOf(draft).at(-1)).toMatchObject({ properties: { status: { type: "idle" } } });
  const { turn, messages, texts, tools } = draft.transcript;
  expect({ turn, messages, texts, tools }).toEqual({ turn: null, messages: {}, texts: {}, tools: {} });
});

test("a question nobody answered is rejected, without answers", () => {
  const { draft, message } = createTurn();
  openTool(draft, message, { callID: "asked", tool: "question" });
  blockTool(draft, "asked", {}, "question", question("a", "Which?"));
  endTurn(draft, { ...END, decidedBy: "shutdown" });
  expect(toolsOf(draft).at(-1)?.state).toMatchObject({
    block: { rejected: true, answers: [], decidedBy: "shutdown" },
  });
});

test("a turn without any answer still ends with one finished message, which says why", () => {
  const draft = createDraft();
  beginTurn(draft, USER_MESSAGE);
  const error = { name: "network", message: "gone", retryable: true } as const;
  endTurn(draft, { ...END, finish: "error", error });
  const last = assistants(eventsOf(draft)).at(-1);
  expect(last).toMatchObject({ parentID: USER_MESSAGE, finish: "error", error });
  expect(last?.time.completed).toBeDefined();
  expect(partsOf(draft).map(({ type }) => type)).toContain("step-finish");
  expect(typesOf(draft)).toContain("session.error");
});

test("the end is told on the last message although it was closed before", () => {
  const { draft, message } = createTurn();
  closeMessage(draft, message.id, { finish: "tool-calls" });
  endTurn(draft, { ...END, finish: "aborted", cost: 2, totals: { cost: 2 } });
  const told = assistants(eventsOf(draft));
  expect(told.at(-1)).toMatchObject({ id: message.id, finish: "aborted", cost: 2, metadata: { turn: { cost: 2 } } });
  const steps = partsOf(draft).filter(({ type }) => type === "step-finish");
  expect(steps.at(-1)).toMatchObject({ id: steps[0]?.id, reason: "aborted", cost: 2 });
});

test("without a finish of its own the turn leaves the last message as the model ended it", () => {
  const { draft, message } = createTurn();
  closeMessage(draft, message.id, { finish: "length" });
  draft.outputs.length = 0;
  endTurn(draft, END);
  expect(typesOf(draft)).toEqual(["session.status"]);
});

test("messages of one turn ascend in time though they come in one step", () => {
  const { draft, message } = createTurn();
  const next = openMessage(draft, MODEL);
  expect(next.time.created).toBeGreaterThan(message.time.created);
});

test("the end of no turn is nothing", () => {
  const draft = createDraft();
  endTurn(draft, { ...END, finish: "error", error: { name: "unknown", message: "", retryable: false } });
  expect(draft.outputs).toEqual([]);
});

test("only what waits fails when only that is meant", () => {
  const { draft, message } = createTurn();
  for (const callID of ["running", "blocked"]) openTool(draft, message, { callID, tool: "bash" });
  runTool(draft, "running", {}, "bash");
  blockTool(draft, "blocked", {}, "bash", permission("a"));
  failBlockedTools(draft, "aborted", "user");
  expect(Object.keys(draft.transcript.tools)).toEqual(["running"]);
});
