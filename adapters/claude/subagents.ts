import { closeMessage, emitPart, openMessage, partOf } from "../shared/assistant-message.js";
import { openChildSession } from "../shared/child-session.js";
import { endTurn, failBlockedTools, type TurnEnd } from "../shared/end-turn.js";
import { closeText, openText } from "../shared/open-text.js";
import { acceptPrompt, beginTurn } from "../shared/prompts.js";
import { updateNative, updateSession } from "../shared/session-record.js";
import { annotateTool } from "../shared/tool-call.js";
import { nextId } from "../shared/transcript.js";
import { closeApiMessages } from "./api-message.js";
import { sendRequest } from "./control.js";
import type { SystemFrame } from "./frame.js";
import { currentModel, promptTarget } from "./model.js";
import { settleHeld } from "./results.js";
import { type ClaudeDraft, inThread, newThread, type Subagent, threadOf } from "./state.js";

export type ClaudeEnding = Omit<TurnEnd, "model">;

/** The id of a subagent's line: its own, or on older lines only that of the call that began it. */
export interface SubagentLine {
  readonly agent_id?: string | null | undefined;
  readonly parent_tool_use_id?: string | null | undefined;
}

/**
 * The subagent a line belongs to. A line whose beginning was never told opens a subagent by itself: it may hold the ask
 * that everything waits for.
 */
export function subagentOf(draft: ClaudeDraft, line: SubagentLine): Subagent {
  const callID = line.parent_tool_use_id ?? null;
  const known = line.agent_id ? draft.state.subagents[line.agent_id] : subagentOfCall(draft, callID);
  if (known) return known;
  const place = callID === null ? likelyPlace(draft) : { callID };
  return openSubagent(draft, { taskID: line.agent_id ?? String(callID), ...place });
}

function subagentOfCall(draft: ClaudeDraft, callID: string | null): Subagent | undefined {
  if (callID === null) return undefined;
  return Object.values(draft.state.subagents).findLast((subagent) => subagent.callID === callID);
}

/**
 * An ask names no call. It is a subagent's of an open call that has none yet: of the only one, or at least of the thread
 * that all of them are in; a session's parent is told once and for all.
 */
function likelyPlace(draft: ClaudeDraft): Pick<Opening, "callID" | "parentTaskID"> {
  const threads = [{ taskID: null, ...draft.main }, ...Object.values(draft.state.subagents)];
  const calls = threads.flatMap(({ taskID, transcript }) =>
    Object.values(transcript.tools).flatMap(({ tool, callID }) =>
      tool === "task" && !subagentOfCall(draft, callID) ? [{ callID, parentTaskID: taskID }] : [],
    ),
  );
  const [first, ...others] = calls;
  const callID = first && others.length === 0 ? first.callID : null;
  const sameThread = others.every(({ parentTaskID }) => parentTaskID === first?.parentTaskID);
  return { callID, parentTaskID: (sameThread ? first?.parentTaskID : null) ?? null };
}

interface Opening {
  readonly taskID: string;
  readonly callID: string | null;
  readonly parentTaskID?: string | null;
  readonly title?: string;
  readonly prompt?: string;
  readonly type?: string;
  readonly started?: boolean;
}

/** Announces the child session, tells the parent's tool part about it and begins its first turn. */
function openSubagent(draft: ClaudeDraft, opening: Opening): Subagent {
  const { taskID, callID, title, type, started = false } = opening;
  const parentTaskID = opening.parentTaskID ?? taskWithCall(draft, callID);
  const parent = threadOf(draft, parentTaskID).transcript.session;
  const transcript = openChildSession(draft, parent, {
    sessionID: nextId(draft.main, "ses"),
    title: title ?? "subagent",
    native: { taskID, ...(type !== undefined && { subagentType: type }) },
  });
  const subagent: Subagent = { ...newThread(transcript), taskID, callID, parentTaskID, started };
  draft.state.subagents[taskID] = subagent;
  startRun(draft, subagent, opening.prompt);
  return subagent;
}

/** The task in whose thread a call is open; null for the main thread. */
function taskWithCall(draft: ClaudeDraft, callID: string | null): string | null {
  const owner = Object.values(draft.state.subagents).find(({ transcript }) => transcript.tools[callID ?? ""]);
  return owner?.taskID ?? null;
}

function startRun(step: ClaudeDraft, subagent: Subagent, prompt: string | undefined): void {
  const draft = inThread(step, subagent);
  const parts = prompt ? [{ type: "text" as const, text: prompt }] : [];
  const accepted = acceptPrompt(draft, { parts }, promptTarget(draft), false);
  if (accepted) beginTurn(draft, accepted.info.id);
  tellParent(step, subagent);
}

function tellParent(step: ClaudeDraft, subagent: Subagent): void {
  const parent = inThread(step, threadOf(step, subagent.parentTaskID));
  if (subagent.callID !== null) annotateTool(parent, subagent.callID, { sessionId: subagent.transcript.session.id });
}

/** The beginning of a run whose first lines are here already: what they did not tell. */
function tellLate(step: ClaudeDraft, subagent: Subagent, prompt: string | undefined): void {
  const draft = inThread(step, subagent);
  const { session, turn } = subagent.transcript;
  const message = { id: turn?.userMessageID ?? "", sessionID: session.id };
  if (turn && prompt) emitPart(draft, { ...partOf(draft, message), type: "text", text: prompt });
  tellParent(step, subagent);
}

export function onTask(draft: ClaudeDraft, frame: SystemFrame): void {
  switch (frame.subtype) {
    case "task_started":
      return frame.task_type === "local_agent" ? onStarted(draft, frame) : undefined;
    case "task_notification":
      return onEnded(draft, frame);
    default:
      return;
  }
}

/** A task that is known already runs again: the same session goes on with a new turn. */
function onStarted(draft: ClaudeDraft, frame: SystemFrame): void {
  const taskID = frame.task_id ?? "";
  const callID = frame.tool_use_id ?? null;
  const title = `${frame.description ?? "subagent"} (@${frame.subagent_type ?? "agent"} subagent)`;
  const known = draft.state.subagents[taskID] ?? adoptProvisional(draft, taskID, callID);
  if (!known) {
    openSubagent(draft, {
      taskID,
      callID,
      title,
      started: true,
      ...(frame.parent_task_id != null && { parentTaskID: frame.parent_task_id }),
      ...(frame.prompt != null && { prompt: frame.prompt }),
      ...(frame.subagent_type != null && { type: frame.subagent_type }),
    });
    return;
  }
  const child = inThread(draft, known);
  updateSession(child, { title });
  updateNative(child, { taskID, ...(frame.subagent_type != null && { subagentType: frame.subagent_type }) });
  known.callID = callID;
  if (known.transcript.turn === null) startRun(draft, known, frame.prompt ?? undefined);
  else if (!known.started) tellLate(draft, known, frame.prompt ?? undefined);
  known.started = true;
}

/** A subagent whose lines came before its beginning was known only by its call. */
function adoptProvisional(draft: ClaudeDraft, taskID: string, callID: string | null): Subagent | undefined {
  const { subagents } = draft.state;
  const provisional = callID === null ? undefined : subagents[callID];
  if (!provisional) return undefined;
  delete subagents[provisional.taskID];
  subagents[taskID] = provisional;
  provisional.taskID = taskID;
  return provisional;
}

const ENDINGS: Readonly<Record<string, ClaudeEnding>> = {
  completed: { toolError: "The subagent ended before this tool had a result", decidedBy: "agent" },
  stopped: { finish: "aborted", toolError: "The subagent was stopped", decidedBy: "agent" },
};

function onEnded(draft: ClaudeDraft, frame: SystemFrame): void {
  const subagent = subagentOfTask(draft, frame);
  if (!subagent) return;
  const { status, summary, usage } = frame;
  const totals = usage ? { totals: { totalTokens: usage.total_tokens ?? 0, toolUses: usage.tool_uses ?? 0 } } : {};
  const ending = ENDINGS[status ?? ""] ?? failed(summary ?? "The subagent failed");
  endSubagent(draft, subagent, { ...ending, ...totals }, status === "completed" ? (summary ?? "") : "");
}

/** A subagent whose beginning was never told is known by its call. */
function subagentOfTask(draft: ClaudeDraft, { task_id, tool_use_id }: SystemFrame): Subagent | undefined {
  if (task_id == null) return subagentOfCall(draft, tool_use_id ?? null);
  return draft.state.subagents[task_id] ?? adoptProvisional(draft, task_id, tool_use_id ?? null);
}

function failed(message: string): ClaudeEnding {
  const error = { name: "unknown" as const, message, retryable: false };
  return { finish: "error", error, toolError: "The subagent failed before this tool had a result", decidedBy: "agent" };
}

/** Ends a subagent's turn. Its report is its last text, which the CLI does not always send as a line of its own. */
export function endSubagent(step: ClaudeDraft, subagent: Subagent, ending: ClaudeEnding, report = ""): void {
  if (!subagent.transcript.turn) return;
  const draft = inThread(step, subagent);
  closeApiMessages(draft);
  settleHeld(draft);
  if (report.trim() !== "" && subagent.lastText?.trim() !== report.trim()) addReport(draft, report.trim());
  forgetAsks(draft, subagent.taskID);
  endTurn(draft, { ...ending, model: currentModel(draft) });
}

function addReport(draft: ClaudeDraft, report: string): void {
  const message = openMessage(draft, currentModel(draft));
  closeText(draft, openText(draft, message, "text"), { text: report });
  closeMessage(draft, message.id, { finish: "stop" });
}

export function someSubagentWorks({ state }: ClaudeDraft): boolean {
  return Object.values(state.subagents).some(({ transcript }) => transcript.turn !== null);
}

/** Ends every subagent that still runs: their process is gone, or about to be. */
export function endSubagents(draft: ClaudeDraft, ending: ClaudeEnding): void {
  for (const subagent of Object.values(draft.state.subagents)) endSubagent(draft, subagent, ending);
}

/** Stops one subagent at its user's wish; the agent tells when it has ended. */
export function stopSubagent(step: ClaudeDraft, sessionID: string): void {
  const subagent = Object.values(step.state.subagents).find(({ transcript }) => transcript.session.id === sessionID);
  if (!subagent?.transcript.turn) return;
  failBlockedTools(inThread(step, subagent), "The subagent was stopped while this waited for a decision", "user");
  forgetAsks(step, subagent.taskID);
  sendRequest(step, { subtype: "stop_task", task_id: subagent.taskID });
}

/** Asks of one thread that nobody needs to answer any more. */
export function forgetAsks({ state }: ClaudeDraft, taskID: string | null): void {
  const kept = <T extends { taskID: string | null }>(asks: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(asks).filter(([, ask]) => ask.taskID !== taskID));
  state.asks = kept(state.asks);
  state.reads = kept(state.reads);
  state.withdrawn = kept(state.withdrawn);
}
