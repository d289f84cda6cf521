import type { AgentExit, Command } from "../contract.js";
import { endTurn, failBlockedTools, type TurnEnd } from "../shared/end-turn.js";
import { acceptPrompt, beginOwnTurn, beginTurn, cancelQueued, takeQueued } from "../shared/prompts.js";
import { setSessionError } from "../shared/session-record.js";
import type { QueuedPrompt } from "../shared/transcript.js";
import { closeApiMessages } from "./api-message.js";
import { sendPrompt, sendRequest } from "./control.js";
import { exitError, type Outcome, outcomeOf } from "./errors.js";
import type { ResultFrame } from "./frame.js";
import { currentModel, promptTarget } from "./model.js";
import type { ClaudeDraft } from "./state.js";
import { tokensOf, turnCost } from "./usage.js";

/** How long the CLI has to end a turn after an interrupt before it is killed, in milliseconds. */
const ABORT_BOUND_MS = 5000;
const ABORT_TIMER = "abort";

export function onPrompt(draft: ClaudeDraft, command: Extract<Command, { type: "prompt" }>): void {
  const waits = draft.transcript.turn !== null || draft.state.process === "ending";
  const prompt = acceptPrompt(draft, command, promptTarget(draft), waits);
  if (prompt) startPrompt(draft, prompt);
}

function startPrompt(draft: ClaudeDraft, prompt: QueuedPrompt): void {
  beginTurn(draft, prompt.info.id);
  deliver(draft, prompt);
}

function deliver(draft: ClaudeDraft, prompt: QueuedPrompt): void {
  if (draft.state.process === "none") spawn(draft);
  draft.state.prompt = { prompt, uuid: sendPrompt(draft, prompt), again: false };
}

function spawn(draft: ClaudeDraft): void {
  const { nativeID } = draft.state;
  draft.outputs.push({ kind: "spawn", ...(nativeID !== null && { resume: nativeID }) });
  draft.state.process = "running";
  // Without the affordance an interrupt kills background subagents too.
  sendRequest(draft, { subtype: "initialize", hooks: {}, perTaskStopAffordance: true });
}

/** Something of a turn came while none runs: the agent began one by itself. */
export function ensureTurn(draft: ClaudeDraft): void {
  if (!draft.transcript.turn) beginOwnTurn(draft, promptTarget(draft), "agent");
}

/** Interrupts the turn. What is blocked is rejected here and now; the CLI voids its own asks. */
export function onAbort(draft: ClaudeDraft, command: { readonly keepQueue?: boolean }): void {
  if (!command.keepQueue) cancelQueued(draft);
  if (!draft.transcript.turn) return;
  failBlockedTools(draft, "The turn was aborted while this waited for a decision", "user");
  Object.assign(draft.state, { asks: {}, reads: {} });
  if (draft.state.process === "running") sendRequest(draft, { subtype: "interrupt" });
  expectEnd(draft);
}

/** The turn must end soon, or the CLI is killed for it. Who asks again does not put that off. */
export function expectEnd(draft: ClaudeDraft): void {
  if (draft.state.aborting) return;
  draft.state.aborting = true;
  draft.outputs.push({ kind: "wake", timer: ABORT_TIMER, afterMs: ABORT_BOUND_MS });
}

export function onWake(draft: ClaudeDraft, timer: string): void {
  if (timer !== ABORT_TIMER || !draft.state.aborting) return;
  draft.outputs.push({ kind: "stop", how: "kill" });
  draft.state.process = "ending";
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
  const outcome = outcomeOf(frame);
  if (!draft.transcript.turn) {
    // A start-up failure comes before any turn.
    if (outcome.error) setSessionError(draft, outcome.error);
    return;
  }
  draft.state.hasHistory ||= draft.state.nativeID !== null;
  finishTurn(draft, {
    ...outcome,
    cost: turnCost(frame),
    totals: turnTotals(frame, outcome),
    toolError: outcome.finish === "aborted" ? "The turn was aborted" : "The turn ended before this tool had a result",
    decidedBy: "agent",
  });
  startNext(draft);
}

function isNothingToResume(frame: ResultFrame): boolean {
  return (frame.errors ?? []).some((error) => error.startsWith("No conversation found"));
}

/**
 * A process that died in its first turn left nothing on disk, and its conversation held nothing but that turn: the
 * prompt goes to a new process. Where there was a history, losing it is an error that the user must see.
 */
function sendAgain(draft: ClaudeDraft): boolean {
  const { prompt, hasHistory } = draft.state;
  if (!prompt || hasHistory) return false;
  prompt.again = true;
  return true;
}

/**
 * Background work that ended makes the CLI run a turn of its own, also while our prompt waits in its queue, and a turn
 * may report twice. A result that names prompts is theirs; one that names none is ours unless it says where it is from.
 */
function isOfAnotherTurn(draft: ClaudeDraft, frame: ResultFrame): boolean {
  const { prompt } = draft.state;
  if (!prompt) return false;
  const named = [frame.user_message_uuid, ...(frame.user_message_uuids ?? [])].filter((uuid) => uuid != null);
  if (named.length > 0) return !named.includes(prompt.uuid);
  return Boolean(frame.origin?.kind || frame.resume_reason);
}

/** `usage` sums this turn's responses in the main thread; a turn that was cut short reports nothing or a part of it. */
function turnTotals(frame: ResultFrame, outcome: Outcome): Record<string, unknown> {
  const cutShort = outcome.finish === "aborted" || frame.terminal_reason === "budget_exhausted";
  return { cost: turnCost(frame), ...(frame.usage && !cutShort && { tokens: tokensOf(frame.usage) }) };
}

export function onExit(draft: ClaudeDraft, exit: AgentExit): void {
  const { prompt, aborting, process } = draft.state;
  draft.state.process = "none";
  if (prompt?.again && !exit.lost && !aborting) return deliver(draft, prompt.prompt);
  if (exit.lost) cancelQueued(draft);
  const error = aborting ? undefined : exitError(exit);
  if (error && process === "none" && isFailedLaunch(draft, exit)) setSessionError(draft, error);
  finishTurn(draft, {
    finish: error ? "error" : "aborted",
    ...(error && { error }),
    toolError: error?.message ?? "The turn was aborted",
    decidedBy: exit.lost ? "shutdown" : error ? "agent" : "user",
  });
  startNext(draft);
}

/** A stream that was made elsewhere may hold nothing but a launch that failed: no prompt, and not a word of the CLI. */
function isFailedLaunch(draft: ClaudeDraft, exit: AgentExit): boolean {
  return !exit.lost && exit.code !== 0 && !draft.transcript.turn && draft.state.nativeID === null;
}

function finishTurn(draft: ClaudeDraft, end: Omit<TurnEnd, "model">): void {
  closeApiMessages(draft);
  endTurn(draft, { ...end, model: currentModel(draft) });
  if (draft.state.aborting) draft.outputs.push({ kind: "wake", timer: ABORT_TIMER, afterMs: null });
  Object.assign(draft.state, { aborting: false, prompt: null, asks: {}, reads: {}, withdrawn: {} });
}

/** The next waiting prompt. A process that is ending must be gone first: two may not write one conversation. */
function startNext(draft: ClaudeDraft): void {
  if (draft.transcript.turn || draft.state.process === "ending") return;
  const prompt = takeQueued(draft);
  if (prompt) startPrompt(draft, prompt);
}
