import type { MessageError } from "../../schemas/index.js";
import type { AgentExit, Command } from "../contract.js";
import { endingOfExit } from "../shared/agent-exit.js";
import { ABORTED, type Ending, failBlockedTools } from "../shared/end-turn.js";
import { acceptPrompt, beginTurn, cancelQueued, takeQueued } from "../shared/prompts.js";
import { setSessionError, setStatus } from "../shared/session-record.js";
import type { QueuedPrompt } from "../shared/transcript.js";
import { dropAsks, showHeld } from "./asks.js";
import { abandonOpen, closeMessages, hasUnfinished } from "./closing.js";
import { asksToCompact, deliver } from "./delivery.js";
import { errorOf, exitError } from "./errors.js";
import type { NativeError, NativeStatus } from "./frame.js";
import { chosenModel, promptTarget } from "./model.js";
import { sendRequest, sessionPath } from "./requests.js";
import { inThread, isMain, type OpencodeDraft, type Thread, threadsOf } from "./state.js";
import { endingOf, finishTurn } from "./turn-end.js";

/** How long the server has to end a turn after an abort before it is killed, in milliseconds. */
const ABORT_BOUND_MS = 5000;
const ABORT_TIMER = "abort";
/** How long the end of a message may come behind the server's word that it is idle, in milliseconds. */
const SETTLE_MS = 2000;
const SETTLE_TIMER = "settle:";

export function onPrompt(draft: OpencodeDraft, command: Extract<Command, { type: "prompt" }>): void {
  const { main, process } = draft.state;
  const waits = main.transcript.turn !== null || process === "ending";
  const prompt = acceptPrompt(draft, command, promptTarget(draft.state), waits);
  if (prompt) startPrompt(draft, prompt);
}

function startPrompt(draft: OpencodeDraft, prompt: QueuedPrompt): void {
  const { state } = draft;
  beginTurn(draft, prompt.info.id);
  state.prompt = { prompt, sent: "no" };
  // Without a model nothing was ever said, so there is nothing to compact.
  if (asksToCompact(draft) && !state.model && !chosenModel(state)) return finishMain(draft, NOTHING_TO_DO);
  start(draft);
}

const NOTHING_TO_DO: Ending = { finish: "stop", toolError: "", decidedBy: "agent" };

/** Brings the server up in the session's mode, with whatever waits to be sent. */
export function start(draft: OpencodeDraft): void {
  const { state } = draft;
  state.wanted = true;
  if (
    state.process === "running" &&
    state.launchedMode !== null &&
    state.launchedMode !== state.main.transcript.session.mode
  )
    return restart(draft);
  deliver(draft);
}

/** The mode is part of what the server was started with. */
function restart(draft: OpencodeDraft): void {
  draft.state.process = "ending";
  draft.outputs.push({ kind: "stop", how: "end" });
}

/** The server took the prompt. An abort that came before would have been none. */
export function onAccepted(draft: OpencodeDraft): void {
  const { state } = draft;
  if (state.prompt) state.prompt.sent = "accepted";
  if (state.aborting) sendAbort(inThread(draft, state.main));
}

/** The prompt did not get through. Nothing is tried again for it. */
export function failPrompt(draft: OpencodeDraft, error: MessageError): void {
  const { state } = draft;
  state.wanted = false;
  if (!state.main.transcript.turn) return setSessionError(draft, error);
  finishMain(draft, { finish: "error", error, toolError: error.message, decidedBy: "agent" });
}

/** Aborts the turn. The server ends those of the subagents itself, before it: an abort for each would only be in its way. */
export function onAbort(step: OpencodeDraft, command: Extract<Command, { type: "abort" }>): void {
  const threads = threadsOf(step);
  const only = threads.find(({ transcript }) => transcript.session.id === command.sessionID);
  if (only && only !== step.state.main) return abortThread(inThread(step, only));
  if (!command.keepQueue) cancelQueued(step);
  if (step.state.prompt?.sent === "no") {
    step.state.wanted = false;
    return finishMain(step, ABORTED);
  }
  if (!step.transcript.turn) return abortChildren(step);
  expectEnd(step);
  for (const thread of threads) if (thread.transcript.turn) withdrawAsks(inThread(step, thread));
  if (step.state.prompt?.sent !== "yes") sendAbort(inThread(step, step.state.main));
}

function abortThread(draft: OpencodeDraft): void {
  withdrawAsks(draft);
  sendAbort(draft);
}

function withdrawAsks(draft: OpencodeDraft): void {
  failBlockedTools(draft, "The turn was aborted while this waited for a decision", "user");
  dropAsks(draft);
}

function abortChildren(draft: OpencodeDraft): void {
  const children = Object.values(draft.state.children);
  for (const child of children) if (child.transcript.turn) abortThread(inThread(draft, child));
}

function sendAbort(draft: OpencodeDraft): void {
  sendRequest(draft, "POST", sessionPath(draft.thread.nativeID, "/abort"), undefined, { kind: "abort" });
}

/** The turn must end soon, or the server is killed for it. Who asks again does not put that off. */
function expectEnd(draft: OpencodeDraft): void {
  if (draft.state.aborting) return;
  draft.state.aborting = true;
  draft.outputs.push({ kind: "wake", timer: ABORT_TIMER, afterMs: ABORT_BOUND_MS });
}

export function onWake(draft: OpencodeDraft, timer: string): void {
  if (timer === ABORT_TIMER) return onAbortBound(draft);
  if (!timer.startsWith(SETTLE_TIMER)) return showHeld(draft, timer);
  const thread = threadsOf(draft).find(({ nativeID }) => timer === SETTLE_TIMER + nativeID);
  if (thread?.settling) endIdle(inThread(draft, thread));
}

function onAbortBound(draft: OpencodeDraft): void {
  if (!draft.state.aborting) return;
  draft.outputs.push({ kind: "stop", how: "kill" });
  Object.assign(draft.state, { process: "ending", wanted: false });
  for (const child of Object.values(draft.state.children)) finishTurn(inThread(draft, child), ABORTED);
  finishMain(draft, ABORTED);
}

export function onStatus(draft: OpencodeDraft, status: NativeStatus): void {
  switch (status.type) {
    case "idle":
      return onIdle(draft);
    case "retry": {
      if (!draft.transcript.turn) return;
      abandonOpen(draft);
      const { attempt = 1, message = "", next = draft.at } = status;
      return setStatus(draft, { type: "retry", attempt, message, next });
    }
    default:
      return onBusy(draft);
  }
}

function onBusy(draft: OpencodeDraft): void {
  const { state, thread, transcript } = draft;
  if (!transcript.turn) return;
  // An abort that came before the server had begun was none.
  if (isMain(draft) && state.aborting && !thread.started && state.prompt?.sent === "accepted") sendAbort(draft);
  setStatus(draft, { type: "busy" });
}

/**
 * The end of a turn, which is told twice: after an abort and after a failure the first time comes before the ends of the
 * messages. The second time of the turn before may come when the next has begun.
 */
function onIdle(draft: OpencodeDraft): void {
  const { thread, transcript } = draft;
  if (!transcript.turn || (!thread.started && !thread.error)) return;
  if (!hasUnfinished(draft) || thread.settling) return endIdle(draft);
  thread.settling = true;
  draft.outputs.push({ kind: "wake", timer: SETTLE_TIMER + thread.nativeID, afterMs: SETTLE_MS });
}

function endIdle(draft: OpencodeDraft): void {
  if (draft.thread.settling)
    draft.outputs.push({ kind: "wake", timer: SETTLE_TIMER + draft.thread.nativeID, afterMs: null });
  closeMessages(draft);
  const end = endingOf(draft);
  if (isMain(draft)) finishMain(draft, end);
  else finishTurn(draft, end);
}

export function onSessionError(draft: OpencodeDraft, native: NativeError): void {
  if (draft.transcript.turn) draft.thread.error = errorOf(native);
  else if (native.name !== "MessageAbortedError") setSessionError(draft, errorOf(native));
}

export function onExit(draft: OpencodeDraft, exit: AgentExit): void {
  const { state } = draft;
  const { aborting, process } = state;
  // It was asked for while it was being ended, or ended to begin again in another mode.
  const again = process === "ending" && state.wanted && !exit.lost;
  Object.assign(state, { process: "none", session: "none", pending: {} });
  if (again && state.prompt) return deliver(draft);
  state.wanted = false;
  if (exit.lost) cancelQueued(draft);
  const error = aborting ? undefined : exitError(exit);
  if (error && isFailedLaunch(draft, exit)) setSessionError(draft, error);
  const end = endingOfExit(exit, error);
  for (const child of Object.values(state.children)) finishTurn(inThread(draft, child), end);
  finishMain(draft, end);
  if (again) start(draft);
}

/** A server that was only to be started, and could not be. */
function isFailedLaunch({ state, transcript }: OpencodeDraft, exit: AgentExit): boolean {
  return !exit.lost && exit.error !== undefined && !transcript.turn && state.nativeID === null;
}

/** Ends the main thread's turn, and goes on with the next waiting prompt. */
export function finishMain(draft: OpencodeDraft, end: Ending): void {
  const { state } = draft;
  const main: Thread = state.main;
  finishTurn(inThread(draft, main), end);
  if (state.aborting) draft.outputs.push({ kind: "wake", timer: ABORT_TIMER, afterMs: null });
  Object.assign(state, { aborting: false, prompt: null });
  // Two servers may not write one conversation.
  if (state.process === "ending") return;
  const prompt = takeQueued(draft);
  if (prompt) startPrompt(draft, prompt);
}
