import type { MessageError } from "../../schemas/index.js";
import type { AgentExit, Command } from "../contract.js";
import { endingOfExit } from "../shared/agent-exit.js";
import { ABORTED, endTurn, failBlockedTools, NO_RESULT, type Outcome, toolErrorOf } from "../shared/end-turn.js";
import { acceptPrompt, acceptSteered, beginTurn, cancelQueued, cancelSteered, takeQueued } from "../shared/prompts.js";
import { setSessionError } from "../shared/session-record.js";
import type { QueuedPrompt } from "../shared/transcript.js";
import { closeApiMessages } from "./api-message.js";
import { forgetEndedTasks, loseTasks, onTasksTimer, TASKS_TIMER } from "./background-tasks.js";
import { clientServers } from "./client-tools.js";
import { forgetCompaction } from "./compaction.js";
import { sendAnswer, sendPrompt, sendRequest } from "./control.js";
import { deferCall, deferredCall, failUnasked, stopsDeferred, withSpent } from "./deferral.js";
import { exitError, outcomeOf } from "./errors.js";
import type { ResultFrame } from "./frame.js";
import { currentModel, isFormTurn, promptTarget } from "./model.js";
import { settleHeld } from "./results.js";
import { applyWaiting, sendOptions, takesToolsAway } from "./settings.js";
import type { ClaudeDraft, SentPrompt } from "./state.js";
import { type ClaudeEnding, endSubagents, forgetAsks, stopSubagent } from "./subagents.js";
import { tokensOf, turnCost } from "./usage.js";

/** How long the CLI has to end a turn after an interrupt before it is killed, in milliseconds. */
const ABORT_BOUND_MS = 5000;
const ABORT_TIMER = "abort";
const REMEMBERED_ANSWERED = 16;

export function onPrompt(draft: ClaudeDraft, command: Extract<Command, { type: "prompt" }>): void {
  if (draft.state.process === "restarting" && command.nativeID !== undefined) goOnInProcess(draft);
  if (command.steer && canSteer(draft)) return steer(draft, command);
  const waits = draft.transcript.turn !== null || draft.state.process === "ending";
  const prompt = acceptPrompt(draft, command, promptTarget(draft), waits);
  if (prompt) startPrompt(draft, prompt);
}

function canSteer(draft: ClaudeDraft): boolean {
  const { process, aborting } = draft.state;
  const hears = process !== "ending" && process !== "restarting" && !aborting;
  return draft.transcript.turn !== null && hears && !isFormTurn(draft);
}

/**
 * The CLI cuts a text short for an urgent prompt and answers it next. While tools run a prompt that is not urgent joins the
 * turn with their results; an urgent one would wait for them all the same, and an interrupt after it is never answered.
 */
function steer(draft: ClaudeDraft, command: Extract<Command, { type: "prompt" }>): void {
  const urgent = Object.keys(draft.transcript.tools).length === 0;
  const prompt = acceptSteered(draft, command, promptTarget(draft));
  draft.state.sent.push({ prompt, uuid: sendPrompt(draft, prompt, urgent), steered: true, again: false });
}

/** A recording shows a prompt to a process that we would have ended: there nobody took up the deferred call. */
function goOnInProcess(draft: ClaudeDraft): void {
  failUnasked(draft, "the agent went on with another prompt");
  finishTurn(draft, { toolError: NO_RESULT, decidedBy: "agent" });
}

function startPrompt(draft: ClaudeDraft, prompt: QueuedPrompt): void {
  beginTurn(draft, prompt.info.id);
  forgetEndedTasks(draft);
  deliver(draft, prompt);
}

function deliver(draft: ClaudeDraft, prompt: QueuedPrompt): void {
  if (draft.state.process === "none") spawn(draft);
  draft.state.sent = [{ prompt, uuid: sendPrompt(draft, prompt), steered: false, again: false }];
}

/** To a new process: the turn's prompt, and what was sent into the turn. */
function deliverAgain(draft: ClaudeDraft, [first, ...steered]: readonly SentPrompt[]): void {
  if (first) deliver(draft, first.prompt);
  for (const { prompt } of steered)
    draft.state.sent.push({ prompt, uuid: sendPrompt(draft, prompt, false), steered: true, again: false });
}

/** Brings the CLI up where none runs; one that is being ended must be gone first. */
export function start(draft: ClaudeDraft): void {
  if (draft.state.process === "none") spawn(draft);
  else if (draft.state.process === "ending") draft.state.wanted = true;
}

/** Starts the CLI. Two affordances are declared: an interrupt leaves background subagents alone, and their text is sent. */
function spawn(draft: ClaudeDraft): void {
  const { nativeID, fork, mcpServers } = draft.state;
  draft.outputs.push({
    kind: "spawn",
    ...(nativeID !== null && { resume: nativeID, ...(fork && { fork }) }),
    ...(mcpServers && { mcpServers }),
  });
  const lacksTools = takesToolsAway(draft.transcript.session.mode);
  Object.assign(draft.state, { process: "running", lacksTools, hasTimers: false, wanted: false });
  sendRequest(draft, initializeRequest(draft));
  if (stopsDeferred(draft)) sendRequest(draft, { subtype: "interrupt" });
  sendOptions(draft);
}

export function initializeRequest(draft: ClaudeDraft) {
  const affordances = { perTaskStopAffordance: true, forwardSubagentText: true };
  return { subtype: "initialize", hooks: {}, ...affordances, ...clientServers(draft) };
}

/** Interrupts the turn. What is blocked is rejected here and now; the CLI voids its own asks. Subagents in the background
 * go on: each is a session of its own that can be aborted. */
export function onAbort(draft: ClaudeDraft, command: Extract<Command, { type: "abort" }>): void {
  if (command.sessionID !== undefined) return stopSubagent(draft, command.sessionID);
  if (!command.keepQueue) cancelQueued(draft);
  if (!draft.transcript.turn) return;
  if (isFormTurn(draft)) return endOwnTurn(draft, ABORTED);
  failBlockedTools(draft, "The turn was aborted while this waited for a decision", "user");
  cancelForms(draft);
  forgetAsks(draft, null);
  const drop = steeredOf(draft).length > 0 && !command.keepQueue;
  if (drop) dropSteered(draft);
  if (draft.state.process === "running")
    sendRequest(draft, { subtype: "interrupt", ...(drop && { cancel_queued: true }) });
  expectEnd(draft);
}

/** What was sent into the turn goes with it. */
function dropSteered(draft: ClaudeDraft): void {
  for (const { prompt } of steeredOf(draft)) cancelSteered(draft, prompt);
  draft.state.sent = draft.state.sent.filter(({ steered }) => !steered);
}

/** The turn may be the agent's own: then all that was sent was sent into it. */
function steeredOf({ state }: ClaudeDraft): SentPrompt[] {
  return state.sent.filter(({ steered }) => steered);
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
  endSubagents(draft, ABORTED);
  finishTurn(draft, ABORTED);
}

export function onResult(draft: ClaudeDraft, frame: ResultFrame): void {
  closeApiMessages(draft);
  if (isNothingToResume(frame)) {
    draft.state.nativeID = null;
    if (sendAgain(draft)) return;
    // The CLI exits after this: what waits goes to the next process.
    draft.state.process = "ending";
  }
  const left = draft.state.leftDeferred;
  draft.state.leftDeferred = null;
  if (isOfAnotherTurn(draft, frame, left?.stopped === true)) return;
  const outcome = outcomeOf(frame, lastError(draft));
  if (!draft.transcript.turn) {
    // A start-up failure comes before any turn.
    if (outcome.error) setSessionError(draft, outcome.error);
    return;
  }
  draft.state.hasHistory ||= draft.state.nativeID !== null;
  const sent = stillSent(draft, frame);
  draft.state.answered = [...draft.state.answered, ...namedPrompts(frame)].slice(-REMEMBERED_ANSWERED);
  const deferred = deferredCall(draft, frame);
  if (deferred !== undefined && deferCall(draft, frame, deferred, sent.length > 0)) {
    draft.state.sent = [];
    return;
  }
  if (outcome.finish !== "aborted") failUnasked(draft, "Claude Code did not take it up again");
  finishTurn(draft, {
    ...outcome,
    cost: turnCost(frame),
    totals: turnTotals(frame, outcome),
    toolError: toolErrorOf(outcome),
    decidedBy: "agent",
  });
  goOnWith(draft, sent);
}

function lastError({ transcript }: ClaudeDraft): MessageError | undefined {
  return transcript.messages[transcript.turn?.lastMessageID ?? ""]?.error;
}

/** The agent goes on with what it has; only then is it the turn of what waits here. */
function goOnWith(draft: ClaudeDraft, sent: SentPrompt[]): void {
  const [first, ...others] = sent;
  if (!first) return startNext(draft);
  draft.state.sent = [{ ...first, steered: false }, ...others];
  beginTurn(draft, first.prompt.info.id);
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
 * may report twice. A result that names prompts is theirs; one that names none is ours unless it says where it is from, or
 * it is the first of a process that was told to leave a deferred call: that call's turn ends before ours begins.
 */
function isOfAnotherTurn({ state: { sent } }: ClaudeDraft, frame: ResultFrame, leftACall: boolean): boolean {
  const named = namedPrompts(frame);
  if (sent.length > 0 && named.length > 0) return !sent.some(({ uuid }) => named.includes(uuid));
  // What was only steered into the running turn does not make it ours.
  if (sent.every(({ steered }) => steered)) return false;
  return leftACall || Boolean(frame.origin?.kind || frame.resume_reason);
}

function namedPrompts(frame: ResultFrame): string[] {
  return [frame.user_message_uuid, ...(frame.user_message_uuids ?? [])].filter((uuid) => uuid != null);
}

/** Prompts that were sent into the turn and not answered by it: the CLI answers them next, all in one turn. */
function stillSent(draft: ClaudeDraft, frame: ResultFrame): SentPrompt[] {
  const named = namedPrompts(frame);
  return named.length > 0 ? draft.state.sent.filter(({ uuid }) => !named.includes(uuid)) : steeredOf(draft);
}

/** `usage` sums this turn's responses in the main thread; a turn that was cut short reports nothing or a part of it. */
function turnTotals(frame: ResultFrame, outcome: Outcome): Record<string, unknown> {
  const cutShort = outcome.finish === "aborted" || frame.terminal_reason === "budget_exhausted";
  return { cost: turnCost(frame), ...(frame.usage && !cutShort && { tokens: tokensOf(frame.usage) }) };
}

export function onExit(draft: ClaudeDraft, exit: AgentExit): void {
  const { sent, aborting, process, wanted } = draft.state;
  Object.assign(draft.state, { process: "none", wanted: false });
  applyWaiting(draft);
  loseTasks(draft);
  if (process === "restarting" && !exit.lost && !aborting) return spawn(draft);
  if (sent[0]?.again && !exit.lost && !aborting) return deliverAgain(draft, sent);
  dropSteered(draft);
  if (exit.lost) cancelQueued(draft);
  const error = aborting ? undefined : exitError(exit);
  if (error && process === "none" && isFailedLaunch(draft, exit)) setSessionError(draft, error);
  const end = endingOfExit(exit, error);
  endSubagents(draft, end);
  if (error && !exit.lost) failUnasked(draft, `it was not taken up again: ${error.message}`);
  finishTurn(draft, end);
  startNext(draft);
  if (wanted && !exit.lost) start(draft);
}

/** A stream that was made elsewhere may hold nothing but a launch that failed: no prompt, and not a word of the CLI. */
function isFailedLaunch(draft: ClaudeDraft, exit: AgentExit): boolean {
  return !exit.lost && exit.code !== 0 && !draft.transcript.turn && draft.state.nativeID === null;
}

/** Ends a turn that no result of the CLI will end. */
export function endOwnTurn(draft: ClaudeDraft, end: ClaudeEnding): void {
  finishTurn(draft, end);
  startNext(draft);
}

function finishTurn(draft: ClaudeDraft, end: ClaudeEnding): void {
  closeApiMessages(draft);
  settleHeld(draft);
  cancelForms(draft);
  const { deferral, process } = draft.state;
  endTurn(draft, { ...withSpent(end, deferral), model: currentModel(draft) });
  if (process === "restarting") draft.state.process = "running";
  if (draft.state.aborting) draft.outputs.push({ kind: "wake", timer: ABORT_TIMER, afterMs: null });
  forgetAsks(draft, null);
  forgetCompaction(draft);
  Object.assign(draft.state, { aborting: false, deferral: null, sent: [] });
}

/** A form that stands on no tool waits for its answer also when the turn is over: nobody will give it any more. */
function cancelForms(draft: ClaudeDraft): void {
  for (const { requestID, callID } of Object.values(draft.state.asks))
    if (requestID === callID && draft.state.process === "running") sendAnswer(draft, requestID, { action: "cancel" });
}

/** The CLI says that it gave up a prompt which waited in its own queue. */
export function onPromptCancelled(draft: ClaudeDraft, uuid: string): void {
  const waiting = steeredOf(draft).find((sent) => sent.uuid === uuid);
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
