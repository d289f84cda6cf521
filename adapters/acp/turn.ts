import type { MessageError } from "../../schemas/index.js";
import type { AgentExit, Command } from "../contract.js";
import { tokenOf } from "../contract.js";
import { endingOfExit, exitError } from "../shared/agent-exit.js";
import { ABORTED, failBlockedTools, NO_RESULT, toolErrorOf } from "../shared/end-turn.js";
import { acceptPrompt, beginTurn, cancelQueued, takeQueued } from "../shared/prompts.js";
import { setSessionError } from "../shared/session-record.js";
import type { QueuedPrompt } from "../shared/transcript.js";
import { cancelAsks, dropAsks } from "./asks.js";
import { deliver } from "./delivery.js";
import { errorOutcome, outcomeOf, requestError } from "./errors.js";
import type { ResponseFrame, RpcError } from "./frame.js";
import { currentModel } from "./model.js";
import { onReply } from "./replies.js";
import { awaitQuiet, isOwnTurn, isQuietTimer, startTurn } from "./responses.js";
import { sendNotification } from "./rpc.js";
import { applyWaiting } from "./settings.js";
import { type AcpDraft, type Child, conversations, inConversation, isMain } from "./state.js";
import { type AcpEnding, finishTurn } from "./turn-end.js";
import { promptTokens } from "./usage.js";

const ABORT_TIMER = "abort";

export const OVER: AcpEnding = { finish: "stop", toolError: NO_RESULT, decidedBy: "agent" };

export function onPrompt(draft: AcpDraft, command: Extract<Command, { type: "prompt" }>): void {
  endQuietTurn(draft);
  const waits = draft.transcript.turn !== null || draft.state.process === "ending";
  const prompt = acceptPrompt(draft, command, currentModel(draft), waits);
  if (prompt) startPrompt(draft, prompt);
}

/** A turn that the agent began by itself, and in which nothing is open, is over when a prompt comes. */
function endQuietTurn(draft: AcpDraft): void {
  if (isOwnTurn(draft) && Object.keys(draft.transcript.tools).length === 0) finishMain(draft, OVER);
}

/** Silence is no end while a tool runs or waits: it is listened for again. */
function onQuiet(draft: AcpDraft): void {
  endQuietTurn(draft);
  awaitQuiet(draft);
}

function startPrompt(draft: AcpDraft, prompt: QueuedPrompt): void {
  const { state } = draft;
  startTurn(draft);
  beginTurn(draft, prompt.info.id);
  state.prompt = { prompt, sent: false };
  start(draft);
  const early = prompt.nativeID === undefined ? undefined : state.early[prompt.nativeID];
  if (!early) return;
  delete state.early[prompt.nativeID ?? ""];
  onPromptAnswered(draft, early);
}

/** Brings the process up, with the session and whatever waits to be sent. */
export function start(draft: AcpDraft): void {
  draft.state.wanted = true;
  goOn(draft);
}

/** Does what is next; a step that cannot be done ends the turn. */
export function goOn(draft: AcpDraft): void {
  const error = deliver(draft);
  if (error) fail(draft, error);
}

export function onPromptAnswered(
  draft: AcpDraft,
  answer: { readonly result?: unknown; readonly error?: RpcError | undefined },
): void {
  const { state, conversation, profile } = draft;
  state.hasHistory = true;
  if (answer.error) return finishMain(draft, endOfError(draft, requestError(answer.error, state.login)));
  const stopReason = (answer.result as { stopReason?: unknown } | null | undefined)?.stopReason;
  const tokens = promptTokens(answer.result);
  const used = tokens && { used: { tokens, isPart: profile.promptUsage === "last-response" } };
  const silent = silentFailure(draft, stopReason);
  if (silent) return finishMain(draft, { ...endOfError(draft, silent), ...used });
  const outcome = state.aborting ? { finish: "aborted" as const } : outcomeOf(stopReason);
  const toolError = toolErrorOf(outcome);
  conversation.failure = null;
  finishMain(draft, { ...outcome, ...used, toolError, decidedBy: outcome.finish === "aborted" ? "user" : "agent" });
}

/** An error that comes after a cancel is the cancel. */
function endOfError({ state }: AcpDraft, error: MessageError): AcpEnding {
  if (state.aborting) return ABORTED;
  return { ...errorOutcome(error), toolError: error.message, decidedBy: "agent" };
}

/** Agents may say that a turn came to its end when it failed: with a text as the only sign, or with none. */
function silentFailure({ state, conversation, profile }: AcpDraft, stopReason: unknown): MessageError | undefined {
  if (stopReason !== "end_turn" || state.aborting) return undefined;
  if (conversation.failure) return conversation.failure;
  if (conversation.spoke || !profile.emptyTurnFails) return undefined;
  const message = `${profile.name} ended the turn without an answer and without a reason`;
  return { name: "unknown", message, retryable: true };
}

/** The answer to a prompt that a recording shows, also one that waits here and was refused there. */
export function onForeignPromptAnswer(draft: AcpDraft, { id, result, error }: ResponseFrame): boolean {
  const { state, transcript } = draft;
  const token = tokenOf(id);
  if (state.prompt?.prompt.nativeID === token) {
    onPromptAnswered(draft, { result, error });
    return true;
  }
  if (!transcript.queue.some(({ nativeID }) => nativeID === token)) return false;
  state.early[token] = { result, ...(error && { error }) };
  return true;
}

export function onDecision(draft: AcpDraft, command: Extract<Command, { type: "reply" }>): void {
  const ending = onReply(draft, command);
  if (!ending) return;
  cancelTurn(ending);
  if (isMain(ending)) expectEnd(draft);
}

/** Ends the turn, and the subagents': those run on otherwise. */
export function onAbort(step: AcpDraft, command: Extract<Command, { type: "abort" }>): void {
  const { state } = step;
  if (command.sessionID !== undefined && command.sessionID !== step.transcript.session.id) {
    return abortChild(step, command.sessionID);
  }
  if (!command.keepQueue) cancelQueued(step);
  for (const conversation of conversations(step)) abortIn(inConversation(step, conversation));
  if (state.prompt && !state.prompt.sent) return finishMain(step, ABORTED);
  if (isOwnTurn(step)) return finishMain(step, ABORTED);
  if (step.transcript.turn) expectEnd(step);
}

function abortChild(step: AcpDraft, sessionID: string): void {
  const child = Object.values(step.state.children).find(({ transcript }) => transcript.session.id === sessionID);
  if (!child) return;
  abortIn(inConversation(step, child));
  finishTurn(inConversation(step, child), ABORTED);
}

function abortIn(draft: AcpDraft): void {
  if (!draft.transcript.turn) return;
  failBlockedTools(draft, "The turn was aborted while this waited for a decision", "user");
  cancelTurn(draft);
  cancelAsks(draft);
}

/** A prompt that is not sent has nothing to cancel; a subagent may not be cancelled by itself. */
function cancelTurn(draft: AcpDraft): void {
  const { conversation, state } = draft;
  const runs = state.session === "open" && state.prompt?.sent !== false;
  const canCancel = isMain(draft) ? runs : (conversation as Child).canCancel;
  if (canCancel) sendNotification(draft, "session/cancel", { sessionId: conversation.nativeID });
}

/** The turn must end soon, or the agent is killed for it. Who asks again does not put that off. */
function expectEnd(draft: AcpDraft): void {
  if (draft.state.aborting) return;
  draft.state.aborting = true;
  draft.outputs.push({ kind: "wake", timer: ABORT_TIMER, afterMs: draft.profile.cancelMs });
}

export function onWake(draft: AcpDraft, timer: string): void {
  if (isQuietTimer(timer)) return onQuiet(draft);
  if (timer !== ABORT_TIMER || !draft.state.aborting) return;
  draft.outputs.push({ kind: "stop", how: "kill" });
  Object.assign(draft.state, { process: "ending", wanted: false });
  finishAll(draft, ABORTED);
}

export function onExit(draft: AcpDraft, exit: AgentExit): void {
  const { state, profile } = draft;
  const { aborting, process, wanted } = state;
  Object.assign(state, { process: "none", session: "none", wanted: false, pending: {} });
  dropAsks(draft);
  applyWaiting(draft);
  if (exit.lost) cancelQueued(draft);
  const error = aborting ? undefined : exitError(exit, profile.name);
  if (error && isFailedLaunch(draft, exit, process)) setSessionError(draft, error);
  finishAll(draft, endingOfExit(exit, error));
  // It was asked for while it was being ended.
  if (process === "ending" && wanted && !exit.lost) start(draft);
}

/** It did not come to a first turn, in which the failure would be told. */
function isFailedLaunch({ transcript, state }: AcpDraft, exit: AgentExit, process: string): boolean {
  const failed = !exit.lost && exit.code !== 0 && exit.signal === null;
  return failed && process !== "ending" && !transcript.turn && state.main.nativeID === null;
}

function finishAll(draft: AcpDraft, end: AcpEnding): void {
  for (const child of Object.values(draft.state.children)) finishTurn(inConversation(draft, child), end);
  finishMain(draft, end);
}

export function fail(draft: AcpDraft, error: MessageError): void {
  if (!draft.transcript.turn) setSessionError(draft, error);
  finishMain(draft, { ...errorOutcome(error), toolError: error.message, decidedBy: "agent" });
}

/** Ends the main conversation's turn, and goes on with the next waiting prompt. */
export function finishMain(draft: AcpDraft, end: AcpEnding): void {
  const { state } = draft;
  const main = inConversation(draft, state.main);
  finishTurn(main, end);
  if (state.aborting) draft.outputs.push({ kind: "wake", timer: ABORT_TIMER, afterMs: null });
  Object.assign(state, { aborting: false, prompt: null });
  finishChildren(main, end);
  // Two processes may not write one conversation.
  if (state.process === "ending") return;
  const prompt = takeQueued(main);
  if (prompt) startPrompt(main, prompt);
}

/** Subagents end with a turn that was aborted. Else only those without sessions do: they speak only within it. */
function finishChildren(draft: AcpDraft, end: AcpEnding): void {
  for (const child of Object.values(draft.state.children)) {
    if (end.finish === "aborted") finishTurn(inConversation(draft, child), ABORTED);
    else if (!child.hasSession) finishTurn(inConversation(draft, child), OVER);
  }
}
