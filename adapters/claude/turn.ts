import type { MessageError } from "../../schemas/index.js";
import type { AgentExit, Command } from "../contract.js";
import { endTurn, failBlockedTools } from "../shared/end-turn.js";
import { acceptPrompt, acceptSteered, beginTurn, cancelQueued, cancelSteered, takeQueued } from "../shared/prompts.js";
import { setSessionError } from "../shared/session-record.js";
import type { QueuedPrompt } from "../shared/transcript.js";
import { closeApiMessages } from "./api-message.js";
import { forgetEndedTasks, loseTasks, onTasksTimer, TASKS_TIMER } from "./background-tasks.js";
import { clientServers } from "./client-tools.js";
import { forgetCompaction } from "./compaction.js";
import { sendPrompt, sendRequest } from "./control.js";
import { exitError, type Outcome, outcomeOf } from "./errors.js";
import type { ResultFrame } from "./frame.js";
import { currentModel, promptTarget } from "./model.js";
import { settleHeld } from "./results.js";
import { applyWaiting, sendOptions } from "./settings.js";
import type { ClaudeDraft, SentPrompt } from "./state.js";
import { type Ending, endSubagents, forgetAsks, stopSubagent } from "./subagents.js";
import { tokensOf, turnCost } from "./usage.js";

/** How long the CLI has to end a turn after an interrupt before it is killed, in milliseconds. */
const ABORT_BOUND_MS = 5000;
const ABORT_TIMER = "abort";
const REMEMBERED_ANSWERED = 16;

export function onPrompt(draft: ClaudeDraft, command: Extract<Command, { type: "prompt" }>): void {
  if (command.steer && canSteer(draft)) return steer(draft, command);
  const waits = draft.transcript.turn !== null || draft.state.process === "ending";
  const prompt = acceptPrompt(draft, command, promptTarget(draft), waits);
  if (prompt) startPrompt(draft, prompt);
}

function canSteer(draft: ClaudeDraft): boolean {
  return draft.transcript.turn !== null && draft.state.process !== "ending" && !draft.state.aborting;
}

/**
 * The CLI cuts a text short for an urgent prompt and answers it next. While tools run a prompt that is not urgent joins the
 * turn with their results; an urgent one would wait for them all the same, and an interrupt after it is never answered.
 */
function steer(draft: ClaudeDraft, command: Extract<Command, { type: "prompt" }>): void {
  const urgent = Object.keys(draft.transcript.tools).length === 0;
  const prompt = acceptSteered(draft, command, promptTarget(draft));
  draft.state.sent.push({ prompt, uuid: sendPrompt(draft, prompt, urgent), again: false });
}

function startPrompt(draft: ClaudeDraft, prompt: QueuedPrompt): void {
  beginTurn(draft, prompt.info.id);
  forgetEndedTasks(draft);
  deliver(draft, prompt);
}

function deliver(draft: ClaudeDraft, prompt: QueuedPrompt): void {
  if (draft.state.process === "none") spawn(draft);
  draft.state.sent = [{ prompt, uuid: sendPrompt(draft, prompt), again: false }];
}

/** To a new process: the turn's prompt, and what was sent into the turn. */
function deliverAgain(draft: ClaudeDraft, [first, ...steered]: readonly SentPrompt[]): void {
  if (first) deliver(draft, first.prompt);
  for (const { prompt } of steered)
    draft.state.sent.push({ prompt, uuid: sendPrompt(draft, prompt, false), again: false });
}

/** Starts the CLI. Two affordances are declared: an interrupt leaves background subagents alone, and their text is sent. */
export function spawn(draft: ClaudeDraft): void {
  const { nativeID, fork, mcpServers } = draft.state;
  draft.outputs.push({
    kind: "spawn",
    ...(nativeID !== null && { resume: nativeID, ...(fork && { fork }) }),
    ...(mcpServers && { mcpServers }),
  });
  draft.state.process = "running";
  sendRequest(draft, {
    subtype: "initialize",
    hooks: {},
    perTaskStopAffordance: true,
    forwardSubagentText: true,
    ...clientServers(draft),
  });
  sendOptions(draft);
}

/** Interrupts the turn. What is blocked is rejected here and now; the CLI voids its own asks. Subagents in the background
 * go on: each is a session of its own that can be aborted. */
export function onAbort(draft: ClaudeDraft, command: Extract<Command, { type: "abort" }>): void {
  if (command.sessionID !== undefined) return stopSubagent(draft, command.sessionID);
  if (!command.keepQueue) cancelQueued(draft);
  if (!draft.transcript.turn) return;
  failBlockedTools(draft, "The turn was aborted while this waited for a decision", "user");
  forgetAsks(draft, null);
  const drop = draft.state.sent.length > 1 && !command.keepQueue;
  if (drop) dropSteered(draft);
  if (draft.state.process === "running")
    sendRequest(draft, { subtype: "interrupt", ...(drop && { cancel_queued: true }) });
  expectEnd(draft);
}

/** What was sent into the turn goes with it. */
function dropSteered(draft: ClaudeDraft): void {
  for (const { prompt } of draft.state.sent.slice(1)) cancelSteered(draft, prompt);
  draft.state.sent = draft.state.sent.slice(0, 1);
}

/** The turn must end soon, or the CLI is killed for it. Who asks again does not put that off. */
export function expectEnd(draft: ClaudeDraft): void {
  if (draft.state.aborting) return;
  draft.state.aborting = true;
  draft.outputs.push({ kind: "wake", timer: ABORT_TIMER, afterMs: ABORT_BOUND_MS });
}

export function onWake(draft: ClaudeDraft, timer: string): void {
  if (timer === TASKS_TIMER) return onTasksTimer(draft);
  if (timer !== ABORT_TIMER || !draft.state.aborting) return;
  draft.outputs.push({ kind: "stop", how: "kill" });
  draft.state.process = "ending";
  dropSteered(draft);
  endSubagents(draft, { finish: "aborted", toolError: "The turn was aborted", decidedBy: "user" });
  finishTurn(draft, { finish: "aborted", toolError: "The turn was aborted", decidedBy: "user" });
}

export function onResult(draft: ClaudeDraft, frame: ResultFrame): void {
  closeApiMessages(draft);
  if (isNothingToResume(frame)) {
    draft.state.nativeID = null;
    if (sendAgain(draft)) return;
    // The CLI exits after this: what waits goes to the next process.
    draft.state.process = "ending";
  }
  if (isOfAnotherTurn(draft, frame)) return;
  const outcome = outcomeOf(frame, lastError(draft));
  if (!draft.transcript.turn) {
    // A start-up failure comes before any turn.
    if (outcome.error) setSessionError(draft, outcome.error);
    return;
  }
  draft.state.hasHistory ||= draft.state.nativeID !== null;
  const sent = stillSent(draft, frame);
  draft.state.answered = [...draft.state.answered, ...namedPrompts(frame)].slice(-REMEMBERED_ANSWERED);
  finishTurn(draft, {
    ...outcome,
    cost: turnCost(frame),
    totals: turnTotals(frame, outcome),
    toolError: outcome.finish === "aborted" ? "The turn was aborted" : "The turn ended before this tool had a result",
    decidedBy: "agent",
  });
  goOnWith(draft, sent);
}

function lastError({ transcript }: ClaudeDraft): MessageError | undefined {
  return transcript.messages[transcript.turn?.lastMessageID ?? ""]?.error;
}

/** The agent goes on with what it has; only then is it the turn of what waits here. */
function goOnWith(draft: ClaudeDraft, sent: SentPrompt[]): void {
  draft.state.sent = sent;
  if (sent[0]) beginTurn(draft, sent[0].prompt.info.id);
  else startNext(draft);
}

function isNothingToResume(frame: ResultFrame): boolean {
  return (frame.errors ?? []).some((error) => error.startsWith("No conversation found"));
}

/**
 * A process that died in its first turn left nothing on disk, and its conversation held nothing but that turn: the
 * prompt goes to a new process. Where there was a history, losing it is an error that the user must see.
 */
function sendAgain(draft: ClaudeDraft): boolean {
  const { sent, hasHistory } = draft.state;
  if (!sent[0] || hasHistory) return false;
  sent[0].again = true;
  return true;
}

/**
 * Background work that ended makes the CLI run a turn of its own, also while our prompt waits in its queue, and a turn
 * may report twice. A result that names prompts is theirs; one that names none is ours unless it says where it is from.
 */
function isOfAnotherTurn(draft: ClaudeDraft, frame: ResultFrame): boolean {
  const { sent } = draft.state;
  if (sent.length === 0) return false;
  const named = namedPrompts(frame);
  if (named.length > 0) return !sent.some(({ uuid }) => named.includes(uuid));
  return Boolean(frame.origin?.kind || frame.resume_reason);
}

function namedPrompts(frame: ResultFrame): string[] {
  return [frame.user_message_uuid, ...(frame.user_message_uuids ?? [])].filter((uuid) => uuid != null);
}

/** Prompts that were sent into the turn and not answered by it: the CLI answers them next, all in one turn. */
function stillSent(draft: ClaudeDraft, frame: ResultFrame): SentPrompt[] {
  const named = namedPrompts(frame);
  return named.length > 0 ? draft.state.sent.filter(({ uuid }) => !named.includes(uuid)) : draft.state.sent.slice(1);
}

/** `usage` sums this turn's responses in the main thread; a turn that was cut short reports nothing or a part of it. */
function turnTotals(frame: ResultFrame, outcome: Outcome): Record<string, unknown> {
  const cutShort = outcome.finish === "aborted" || frame.terminal_reason === "budget_exhausted";
  return { cost: turnCost(frame), ...(frame.usage && !cutShort && { tokens: tokensOf(frame.usage) }) };
}

export function onExit(draft: ClaudeDraft, exit: AgentExit): void {
  const { sent, aborting, process } = draft.state;
  draft.state.process = "none";
  applyWaiting(draft);
  loseTasks(draft);
  if (sent[0]?.again && !exit.lost && !aborting) return deliverAgain(draft, sent);
  dropSteered(draft);
  if (exit.lost) cancelQueued(draft);
  const error = aborting ? undefined : exitError(exit);
  if (error && process === "none" && isFailedLaunch(draft, exit)) setSessionError(draft, error);
  const end: Ending = {
    finish: error ? "error" : "aborted",
    ...(error && { error }),
    toolError: error?.message ?? "The turn was aborted",
    decidedBy: exit.lost ? "shutdown" : error ? "agent" : "user",
  };
  endSubagents(draft, end);
  finishTurn(draft, end);
  startNext(draft);
}

/** A stream that was made elsewhere may hold nothing but a launch that failed: no prompt, and not a word of the CLI. */
function isFailedLaunch(draft: ClaudeDraft, exit: AgentExit): boolean {
  return !exit.lost && exit.code !== 0 && !draft.transcript.turn && draft.state.nativeID === null;
}

function finishTurn(draft: ClaudeDraft, end: Ending): void {
  closeApiMessages(draft);
  settleHeld(draft);
  endTurn(draft, { ...end, model: currentModel(draft) });
  if (draft.state.aborting) draft.outputs.push({ kind: "wake", timer: ABORT_TIMER, afterMs: null });
  forgetAsks(draft, null);
  forgetCompaction(draft);
  Object.assign(draft.state, { aborting: false, sent: [] });
}

/** The CLI says that it gave up a prompt which waited in its own queue. */
export function onPromptCancelled(draft: ClaudeDraft, uuid: string): void {
  const waiting = draft.state.sent.slice(1).find((sent) => sent.uuid === uuid);
  if (!waiting) return;
  cancelSteered(draft, waiting.prompt);
  draft.state.sent = draft.state.sent.filter((sent) => sent !== waiting);
}

/** The next waiting prompt. A process that is ending must be gone first: two may not write one conversation. */
function startNext(draft: ClaudeDraft): void {
  if (draft.transcript.turn || draft.state.process === "ending") return;
  const prompt = takeQueued(draft);
  if (prompt) startPrompt(draft, prompt);
}
