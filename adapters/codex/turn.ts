import type { AgentExit, Command } from "../contract.js";
import { endingOfExit } from "../shared/agent-exit.js";
import { ABORTED, type Ending, failBlockedTools, NO_RESULT, toolErrorOf } from "../shared/end-turn.js";
import { acceptPrompt, acceptSteered, beginTurn, cancelQueued, cancelSteered, takeQueued } from "../shared/prompts.js";
import { setSessionError, setStatus } from "../shared/session-record.js";
import type { QueuedPrompt } from "../shared/transcript.js";
import { dropAsks } from "./asks.js";
import { currentTask, deliver, inputOf } from "./delivery.js";
import { exitError, outcomeOf, retryOf, turnError } from "./errors.js";
import type { NotificationParams, TurnError } from "./frame.js";
import { currentModel } from "./model.js";
import { onReply } from "./replies.js";
import { abandonResponse } from "./responses.js";
import { sendRequest } from "./rpc.js";
import { type CodexDraft, inThread, isMain, type Thread } from "./state.js";
import { finishTurn } from "./turn-end.js";
import { isRunning, joinTurn } from "./turn-state.js";
import { joinRunningTurn } from "./user-items.js";

/** How long the app-server has to end a turn after an interrupt before it is killed, in milliseconds. */
const ABORT_BOUND_MS = 5000;
const ABORT_TIMER = "abort";

export function onPrompt(draft: CodexDraft, command: Extract<Command, { type: "prompt" }>): void {
  const { main, process } = draft.state;
  const running = command.steer && main.transcript.turn ? turnToSteer(draft) : undefined;
  if (running) return steer(draft, command, running);
  const waits = main.transcript.turn !== null || main.turnID !== null || process === "ending";
  const prompt = acceptPrompt(draft, command, currentModel(draft), waits);
  if (prompt) startPrompt(draft, prompt);
}

interface RunningTurn {
  readonly threadId: string;
  readonly expectedTurnId: string;
}

/** What is no turn of words takes none. */
function turnToSteer(draft: CodexDraft): RunningTurn | undefined {
  const { main, aborting } = draft.state;
  const { threadID, turnID, startedID } = main;
  if (threadID === null || turnID === null || startedID === null || aborting || currentTask(draft)) return undefined;
  return { threadId: threadID, expectedTurnId: turnID };
}

function startPrompt(draft: CodexDraft, prompt: QueuedPrompt): void {
  beginTurn(draft, prompt.info.id);
  draft.state.prompt = { prompt, sent: false };
  draft.state.main.unechoed = currentTask(draft) ? 0 : 1;
  start(draft);
}

/** Brings the process up, with the thread and whatever waits to be sent. */
export function start(draft: CodexDraft): void {
  draft.state.wanted = true;
  deliver(draft);
}

/** The prompt joins the running turn. The response that runs is cut when the app-server echoes it. */
function steer(draft: CodexDraft, command: Extract<Command, { type: "prompt" }>, running: RunningTurn): void {
  const prompt = acceptSteered(draft, command, currentModel(draft));
  const { main } = draft.state;
  joinRunningTurn(draft, prompt.info.id);
  main.unechoed += 1;
  const params = {
    ...running,
    clientUserMessageId: prompt.nativeID ?? prompt.info.id,
    input: inputOf(prompt.parts),
  };
  draft.state.steered.push(prompt);
  sendRequest(draft, "turn/steer", params, { kind: "steer", prompt });
}

/** The turn had ended when the prompt came to join it: it is the next one, where nothing else has begun. */
export function steerFailed(draft: CodexDraft, prompt: QueuedPrompt): void {
  draft.state.main.unechoed = Math.max(0, draft.state.main.unechoed - 1);
  draft.state.steered = draft.state.steered.filter(({ info }) => info.id !== prompt.info.id);
  if (draft.transcript.turn) cancelSteered(draft, prompt);
  else startPrompt(draft, prompt);
}

export function onDecision(draft: CodexDraft, command: Extract<Command, { type: "reply" }>): void {
  const ending = onReply(draft, command);
  if (!ending) return;
  // An answer of "cancel" ends the turn of a command or a patch; any other ask has no such answer.
  interrupt(ending);
  if (isMain(ending)) expectEnd(draft);
}

/** Interrupts the turn, and the subagents: the app-server lets those run on. */
export function onAbort(step: CodexDraft, command: Extract<Command, { type: "abort" }>): void {
  if (command.sessionID !== undefined && command.sessionID !== step.transcript.session.id) {
    return abortChild(step, command.sessionID);
  }
  if (!command.keepQueue) cancelQueued(step);
  for (const thread of threads(step)) abortThread(inThread(step, thread));
  const { state } = step;
  if (state.prompt && !state.prompt.sent) return finishMain(step, ABORTED);
  if (step.transcript.turn) expectEnd(step);
}

function abortChild(step: CodexDraft, sessionID: string): void {
  const child = Object.values(step.state.children).find(({ transcript }) => transcript.session.id === sessionID);
  if (child) abortThread(inThread(step, child));
}

function abortThread(draft: CodexDraft): void {
  failBlockedTools(draft, "The turn was aborted while this waited for a decision", "user");
  dropAsks(draft);
  if (!isMain(draft) || !draft.state.aborting) interrupt(draft);
}

/** An interrupt that comes before `turn/started` is refused: then it waits for that. */
function interrupt({ thread, ...draft }: CodexDraft): void {
  const { threadID, startedID } = thread;
  if (threadID === null || startedID === null) return;
  sendRequest({ thread, ...draft }, "turn/interrupt", { threadId: threadID, turnId: startedID });
}

/** The turn must end soon, or the app-server is killed for it. Who asks again does not put that off. */
function expectEnd(draft: CodexDraft): void {
  if (draft.state.aborting) return;
  draft.state.aborting = true;
  draft.outputs.push({ kind: "wake", timer: ABORT_TIMER, afterMs: ABORT_BOUND_MS });
}

export function onWake(draft: CodexDraft, timer: string): void {
  if (timer !== ABORT_TIMER || !draft.state.aborting) return;
  draft.outputs.push({ kind: "stop", how: "kill" });
  Object.assign(draft.state, { process: "ending", wanted: false });
  for (const child of Object.values(draft.state.children)) finishTurn(inThread(draft, child), ABORTED);
  finishMain(draft, ABORTED);
}

export function onTurnStarted(draft: CodexDraft, { turn }: NotificationParams<"turn/started">): void {
  const { thread } = draft;
  // Of a review it tells another id than its items do, and where it belongs.
  const isReview = thread.turnID !== null && turn.rootTurnId === thread.turnID;
  if (!isReview && !joinTurn(draft, turn.id)) return;
  thread.startedID = turn.id;
  if (isMain(draft) && draft.state.aborting) interrupt(draft);
}

/** The only end of a turn: `error` also tells what is tried again, and the thread is idle a moment before. */
export function onTurnCompleted(draft: CodexDraft, { turn }: NotificationParams<"turn/completed">): void {
  if (!isRunning(draft, turn.id)) return;
  const outcome = outcomeOf(turn.status, turn.error);
  const end: Ending = {
    ...outcome,
    toolError: toolErrorOf(outcome),
    decidedBy: "agent",
  };
  if (outcome.finish === "aborted") endCommands(draft);
  if (!isMain(draft)) return finishTurn(draft, end);
  draft.state.hasHistory = true;
  finishMain(draft, end);
}

/** An interrupt does not end the command that runs: it would go on as a background terminal. */
function endCommands(draft: CodexDraft): void {
  const { threadID, transcript } = draft.thread;
  const runs = Object.values(transcript.tools).some(({ tool, state }) => tool === "bash" && state.status === "running");
  if (runs && threadID !== null) sendRequest(draft, "thread/backgroundTerminals/clean", { threadId: threadID });
}

/** What was said of a response that is tried again comes once more under other ids. */
export function onError(draft: CodexDraft, params: NotificationParams<"error">): void {
  if (!isRunning(draft, params.turnId)) return;
  if (!params.willRetry) return draft.thread.startedID === null ? onNeverStarted(draft, params.error) : undefined;
  abandonResponse(draft, "error", { ...turnError(params.error), retryable: true });
  const { status } = draft.transcript.session;
  const before = status.type === "retry" ? status.attempt : 0;
  setStatus(draft, { type: "retry", ...retryOf(params.error, before), next: draft.at });
}

/** A turn that fails before it has started, such as a review of what is no repository, gets no end of its own. */
function onNeverStarted(draft: CodexDraft, error: TurnError): void {
  const end: Ending = { ...outcomeOf("failed", error), toolError: NO_RESULT, decidedBy: "agent" };
  if (isMain(draft)) finishMain(draft, end);
  else finishTurn(draft, end);
}

export function onExit(draft: CodexDraft, exit: AgentExit): void {
  const { state } = draft;
  const { aborting, process, wanted } = state;
  Object.assign(state, { process: "none", thread: "none", wanted: false, pending: {}, outliving: [] });
  if (exit.lost) cancelQueued(draft);
  const error = aborting ? undefined : exitError(exit);
  if (error && process === "none" && isFailedLaunch(draft, exit)) setSessionError(draft, error);
  const end = endingOfExit(exit, error);
  for (const child of Object.values(state.children)) finishTurn(inThread(draft, child), end);
  finishMain(draft, end);
  // It was asked for while it was being ended.
  if (process === "ending" && wanted && !exit.lost) start(draft);
}

/** A stream that was made elsewhere may hold nothing but a launch that failed. */
function isFailedLaunch(draft: CodexDraft, exit: AgentExit): boolean {
  return !exit.lost && exit.code !== 0 && !draft.transcript.turn && draft.state.nativeID === null;
}

/** Ends the main thread's turn, and goes on with the next waiting prompt. */
export function finishMain(draft: CodexDraft, end: Ending): void {
  const { state } = draft;
  finishTurn(inThread(draft, state.main), end);
  if (state.aborting) draft.outputs.push({ kind: "wake", timer: ABORT_TIMER, afterMs: null });
  // The model never read them: they end with the turn that they were to join.
  for (const prompt of state.steered) cancelSteered(draft, prompt);
  const waiting = new Set(state.main.transcript.queue.map(({ info }) => info.id));
  const tasks = Object.fromEntries(Object.entries(state.tasks).filter(([id]) => waiting.has(id)));
  Object.assign(state, { aborting: false, prompt: null, steered: [], tasks });
  // Two processes may not write one conversation.
  if (state.process === "ending") return;
  const prompt = takeQueued(draft);
  if (prompt) startPrompt(draft, prompt);
}

function threads({ state }: CodexDraft): Thread[] {
  return [state.main, ...Object.values(state.children)];
}
