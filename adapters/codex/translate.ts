import {
  type Command,
  type Input,
  type Output,
  type SessionSeed,
  STALLED_TIMER,
  type Step,
  tokenOf,
} from "../contract.js";
import { cloneJson } from "../shared/clone-json.js";
import {
  applyUpdate,
  isStalled,
  markStalled,
  setSessionError,
  setStatus,
  updateNative,
  updateSession,
} from "../shared/session-record.js";
import { createTranscript } from "../shared/transcript.js";
import { onResponse } from "./answers.js";
import { onRequest } from "./approvals.js";
import { withdrawAsk } from "./asks.js";
import { deliver } from "./delivery.js";
import type { CodexFrame, NotificationFrame } from "./frame.js";
import { onHibernate } from "./hibernate.js";
import { onItemCompleted, onItemStarted } from "./items.js";
import { onPlan, onTurnDiff } from "./plan.js";
import { sendRefusal } from "./rpc.js";
import { onSettings } from "./settings.js";
import { type CodexDraft, type CodexState, inThread, newState } from "./state.js";
import { stepDelta, type TextDelta, textDeltaOf } from "./stream.js";
import { adoptMain, knownThread, threadNamed } from "./subagents.js";
import { onTask } from "./tasks.js";
import { appendSection } from "./texts.js";
import { onOutputDelta, onPatchUpdated, onProgress, onReviewed } from "./tool-parts.js";
import {
  onAbort,
  onDecision,
  onError,
  onExit,
  onPrompt,
  onTurnCompleted,
  onTurnStarted,
  onWake,
  start,
} from "./turn.js";
import { isRunning, joinTurn } from "./turn-state.js";
import { onRateLimits, onTokenUsage } from "./usage.js";

export function init(seed: SessionSeed): Step<CodexState> {
  const { transcript, created } = createTranscript(seed);
  return { state: newState(transcript, seed), outputs: [created] };
}

export function step(state: CodexState, input: Input<CodexFrame>): Step<CodexState> {
  const outputs: Output[] = [];
  const delta = input.kind === "frame" ? textDeltaOf(input.frame) : undefined;
  const next = delta && stepDelta(state, delta, { at: input.at, outputs });
  if (next) return { state: next, outputs };
  const copy = cloneJson(state);
  const draft = { state: copy, thread: copy.main, transcript: copy.main.transcript, at: input.at, outputs };
  onInput(draft, input, delta);
  return { state: copy, outputs };
}

function onInput(draft: CodexDraft, input: Input<CodexFrame>, delta: TextDelta | undefined): void {
  switch (input.kind) {
    case "command":
      return onCommand(draft, input.command);
    case "frame":
      // What a dying process still says belongs to a turn that has ended.
      if (draft.state.process === "ending") return;
      if (isStalled(draft.transcript.session)) setStatus(draft, { type: "busy" });
      return delta ? onTextDelta(draft, delta) : onFrame(draft, input.frame);
    case "fault":
      return setSessionError(draft, { name: "protocol", message: input.detail, retryable: false });
    case "exit":
      return onExit(draft, input);
    case "wake":
      return input.timer === STALLED_TIMER ? markStalled(draft) : onWake(draft, input.timer);
    case "file":
      return;
  }
}

function onCommand(draft: CodexDraft, command: Command): void {
  switch (command.type) {
    case "prompt":
      return onPrompt(draft, command);
    case "compact":
    case "review":
      return onTask(draft, command);
    case "reply":
      return onDecision(draft, command);
    case "abort":
      return onAbort(draft, command);
    case "reattached":
      // What it did meanwhile is told by its own events.
      return;
    case "start":
      return start(draft);
    case "hibernate":
      return onHibernate(draft);
    // Mode and model are said with every turn: the next one has them.
    case "setMode":
      return updateSession(draft, { mode: command.mode });
    case "setModel":
      return updateSession(draft, { model: command.model });
    case "setOption":
      return updateNative(draft, { [command.option]: command.value });
    case "update":
      applyUpdate(draft, command);
      return command.archived === undefined ? undefined : deliver(draft);
  }
}

function onFrame(draft: CodexDraft, frame: CodexFrame): void {
  switch (frame.kind) {
    case "unread":
      return;
    case "refused":
      return sendRefusal(draft, frame.token, frame.code, frame.message);
    case "response":
      return onResponse(draft, frame);
    case "request":
      return onRequest(inThread(draft, threadNamed(draft, frame.params.threadId)), frame);
    case "notification":
      return onNotification(draft, frame);
  }
}

function onTextDelta(step: CodexDraft, delta: TextDelta): void {
  const draft = inThread(step, threadNamed(step, delta.threadId));
  if (joinTurn(draft, delta.turnId)) appendSection(draft, delta.itemId, delta.section, delta.type, delta.delta);
}

function onNotification(draft: CodexDraft, frame: NotificationFrame): void {
  switch (frame.method) {
    case "thread/started":
      if (draft.state.main.threadID === null) adoptMain(draft, frame.params.thread.id);
      return;
    case "serverRequest/resolved":
      return withdrawAsk(draft, tokenOf(frame.params.requestId));
    case "account/rateLimits/updated":
      return onRateLimits(draft, frame.params);
    case "thread/name/updated":
    case "thread/settings/updated":
    case "thread/tokenUsage/updated":
    case "error": {
      const thread = knownThread(draft, frame.params.threadId);
      return thread && onThreadNews(inThread(draft, thread), frame);
    }
    default:
      return onTurnNews(inThread(draft, threadNamed(draft, frame.params.threadId)), frame);
  }
}

type NewsOf<M extends NotificationFrame["method"]> = Extract<NotificationFrame, { method: M }>;

/** What comes also before a thread has spoken, and alone makes no thread known. */
function onThreadNews(
  draft: CodexDraft,
  frame: NewsOf<"thread/name/updated" | "thread/settings/updated" | "thread/tokenUsage/updated" | "error">,
): void {
  switch (frame.method) {
    case "thread/name/updated":
      if (frame.params.threadName) updateSession(draft, { title: frame.params.threadName });
      return;
    case "thread/settings/updated":
      return onSettings(draft, frame.params);
    case "thread/tokenUsage/updated":
      return onTokenUsage(draft, frame.params);
    case "error":
      return onError(draft, frame.params);
  }
}

function onTurnNews(draft: CodexDraft, frame: NotificationFrame): void {
  switch (frame.method) {
    case "turn/started":
      return onTurnStarted(draft, frame.params);
    case "turn/completed":
      return onTurnCompleted(draft, frame.params);
    case "item/started":
      return onItemStarted(draft, frame.params);
    case "item/completed":
      return onItemCompleted(draft, frame.params);
    case "turn/plan/updated":
      return joinTurn(draft, frame.params.turnId) ? onPlan(draft, frame.params) : undefined;
    default:
      return onRunningNews(draft, frame);
  }
}

/** What has a meaning only for an item of the running turn. */
function onRunningNews(draft: CodexDraft, frame: NotificationFrame): void {
  if (!("turnId" in frame.params) || !isRunning(draft, String(frame.params.turnId))) return;
  switch (frame.method) {
    case "turn/diff/updated":
      return onTurnDiff(draft, frame.params);
    case "item/commandExecution/outputDelta":
      return onOutputDelta(draft, frame.params);
    case "item/fileChange/patchUpdated":
      return onPatchUpdated(draft, frame.params);
    case "item/mcpToolCall/progress":
      return onProgress(draft, frame.params);
    case "item/autoApprovalReview/completed":
      return onReviewed(draft, frame.params);
    case "model/rerouted":
      if (draft.state.model) draft.state.model = { ...draft.state.model, id: frame.params.toModel };
      return;
    default:
      return;
  }
}
