import { NO_TOKENS } from "../../../schemas/index.js";
import type { Input, Output, SessionSeed, Step } from "../../contract.js";
import { cloneJson } from "../../shared/clone-json.js";
import { NO_RESULT } from "../../shared/end-turn.js";
import { setStatus, updateNative } from "../../shared/session-record.js";
import { outcomeOf, retryOf, turnError } from "../errors.js";
import { onItemCompleted, onItemStarted } from "../items.js";
import { onPlan } from "../plan.js";
import { abandonResponse, closeResponse } from "../responses.js";
import type { CodexDraft, CodexState, Totals } from "../state.js";
import { adoptMain } from "../subagents.js";
import { init as initAdapter } from "../translate.js";
import { onExit } from "../turn.js";
import { finishTurn } from "../turn-end.js";
import { ensureTurn, joinTurn } from "../turn-state.js";
import { grownBy, tokensOf } from "../usage.js";
import { itemOf } from "./item.js";
import type { ExecItem, ExecItemOf, ExecLine, ExecUsage } from "./line.js";

export interface ExecState {
  codex: CodexState;
  /** Counts the turns, which have no ids here. */
  turns: number;
  /** The list of steps as it was told last: it comes again at the end of a turn. */
  todos: string;
}

interface ExecDraft extends CodexDraft {
  readonly exec: ExecState;
}

/** What the model's vendor sends as a part of a response. */
const BY_THE_MODEL = new Set(["agent_message", "reasoning", "web_search"]);
const RECONNECTING = /^Reconnecting/;

export function init(seed: SessionSeed): Step<ExecState> {
  const { state: codex, outputs } = initAdapter(seed);
  return { state: { codex, turns: 0, todos: "" }, outputs };
}

export function step(before: ExecState, input: Input<ExecLine>): Step<ExecState> {
  const exec = cloneJson(before);
  const outputs: Output[] = [];
  const { codex } = exec;
  const draft = { exec, state: codex, thread: codex.main, transcript: codex.main.transcript, at: input.at, outputs };
  if (input.kind === "frame") onLine(draft, input.frame);
  if (input.kind === "exit") onExit(draft, input);
  return { state: exec, outputs };
}

function onLine(draft: ExecDraft, line: ExecLine): void {
  switch (line.type) {
    case "thread.started":
      adoptMain(draft, line.thread_id);
      return updateNative(draft, { sessionID: line.thread_id });
    case "turn.started":
      draft.exec.turns += 1;
      if (joinTurn(draft, turnID(draft))) ensureTurn(draft);
      return;
    case "turn.completed":
      return onCompleted(draft, line.usage);
    case "turn.failed":
      return finishTurn(draft, { ...outcomeOf("failed", line.error), toolError: NO_RESULT, decidedBy: "agent" });
    case "error":
      return onError(draft, line.message);
    default:
      return onItem(draft, line.type, line.item);
  }
}

function turnID({ exec }: ExecDraft): string {
  return `turn-${exec.turns}`;
}

/** A failure that is not tried again is told once more by the turn's end. */
function onError(draft: ExecDraft, message: string): void {
  if (!RECONNECTING.test(message) || draft.thread.turnID === null) return;
  endEarlierResponse(draft);
  abandonResponse(draft, "error", { ...turnError({ message }), retryable: true });
  setStatus(draft, { type: "retry", ...retryOf({ message }, 0), next: draft.at });
}

function onItem(draft: ExecDraft, moment: string, item: ExecItem): void {
  if (item.type === "error") return updateNative(draft, { warning: item.message });
  if (draft.thread.turnID === null) return;
  if (item.type === "todo_list") return onTodos(draft, item);
  const told = itemOf(item);
  if (!told || moment === "item.updated") return;
  if (BY_THE_MODEL.has(item.type)) endEarlierResponse(draft);
  const params = { threadId: "", turnId: turnID(draft), item: told };
  if (moment === "item.started") onItemStarted(draft, params);
  else onItemCompleted(draft, params);
}

/** Nothing tells responses apart but that the model speaks again when its tools are done. */
function endEarlierResponse(draft: ExecDraft): void {
  const { messageID, callsTools } = draft.thread;
  if (messageID !== null && callsTools && Object.keys(draft.transcript.tools).length === 0)
    closeResponse(draft, NO_TOKENS);
}

function onTodos(draft: ExecDraft, { items }: ExecItemOf<"todo_list">): void {
  const told = JSON.stringify(items);
  if (told === draft.exec.todos) return;
  draft.exec.todos = told;
  const plan = items.map(({ text, completed }) => ({ step: text, status: completed ? "completed" : "pending" }));
  onPlan(draft, { threadId: "", turnId: turnID(draft), plan });
}

/** The count is the thread's over its whole life and comes once a turn: it stands on the turn's last message. */
function onCompleted(draft: ExecDraft, usage: ExecUsage | null | undefined): void {
  const { thread } = draft;
  const before = thread.usage;
  if (usage) thread.usage = totalsOf(usage);
  const grown = grownBy(thread.usage, before);
  if (Object.values(grown).some((count) => count > 0)) closeResponse(draft, tokensOf(grown));
  finishTurn(draft, { toolError: NO_RESULT, decidedBy: "agent" });
}

function totalsOf(usage: ExecUsage): Totals {
  return {
    input: usage.input_tokens,
    cached: usage.cached_input_tokens,
    cacheWrite: usage.cache_write_input_tokens ?? 0,
    output: usage.output_tokens,
    reasoning: usage.reasoning_output_tokens ?? 0,
  };
}
