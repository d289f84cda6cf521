import type { Input, Output, SessionSeed, Step } from "../../contract.js";
import { cloneJson } from "../../shared/clone-json.js";
import { isRecord } from "../../shared/is-record.js";
import { setStatus, updateNative, updateSession } from "../../shared/session-record.js";
import { createTranscript } from "../../shared/transcript.js";
import { SETTLED_TIMER } from "../../transcript-reader.js";
import { retryMessage } from "../errors.js";
import { onAnswer } from "./answers.js";
import type { TranscriptFrame } from "./arrange.js";
import type { AttachmentEntry, Entry, QueueEntry, SystemEntry, TitleEntry } from "./entry.js";
import { isToolResult } from "./entry.js";
import { onCompactBoundary, onLocalOutput, onQueuedCommand, onUserLine } from "./prompts.js";
import { onHeldOutput, onResults, releaseHeld } from "./results.js";
import { inThread, newThread, type ReaderDraft, type ReaderState, useLine } from "./state.js";
import { noteAbout, subagentOf } from "./subagents.js";
import { closeTurn, leaveTurn, settleTurn } from "./turn.js";

export function init(seed: SessionSeed): Step<ReaderState> {
  const { transcript, created } = createTranscript(seed);
  const state: ReaderState = {
    main: newThread("", seed.idSeed, transcript),
    subagents: {},
    abouts: {},
    queued: [],
    held: {},
    compaction: null,
    todos: [],
  };
  return { state, outputs: [created] };
}

export function step(before: ReaderState, input: Input<TranscriptFrame>): Step<ReaderState> {
  const state = cloneJson(before);
  const outputs: Output[] = [];
  const { main } = state;
  onInput({ state, thread: main, transcript: main.transcript, at: input.at, outputs, abandoned: false }, input);
  return { state, outputs };
}

function onInput(draft: ReaderDraft, input: Input<TranscriptFrame>): void {
  switch (input.kind) {
    case "frame":
      return onFrame(draft, input.frame);
    case "file":
      return onHeldOutput(draft, input.token, input.text);
    case "exit":
      return onEnd(draft);
    case "wake":
      if (input.timer === SETTLED_TIMER) for (const thread of threadsOf(draft)) settleTurn(inThread(draft, thread));
      return;
    case "command":
    case "fault":
      return;
  }
}

function onFrame(step: ReaderDraft, frame: TranscriptFrame): void {
  const { entry } = frame;
  if (entry.type === "about") return noteAbout(step, frame.thread, entry);
  const thread = frame.thread === "" ? step.state.main : subagentOf(step, frame.thread, entry);
  if (frame.index < thread.taken) return;
  thread.taken = frame.index + 1;
  useLine(thread, frame.line);
  onEntry({ ...inThread(step, thread), abandoned: frame.abandoned }, frame.line, entry);
  thread.at = Math.max(thread.at, step.at);
}

function onEntry(draft: ReaderDraft, line: number, entry: Entry): void {
  switch (entry.type) {
    case "user":
      noteNative(draft, { version: entry.version, permissionMode: entry.permissionMode });
      return isToolResult(entry) ? onResults(draft, line, entry) : onUserLine(draft, entry);
    case "assistant":
      return onAnswer(draft, line, entry);
    case "system":
      return onSystem(draft, entry);
    case "attachment":
      return onAttachment(draft, entry);
    case "queue-operation":
      return onQueue(draft, entry);
    case "custom-title":
    case "ai-title":
    case "summary":
      return onTitle(draft, entry);
    case "cost-state":
      return noteNative(draft, { totalCostUSD: entry.totalCostUSD });
    case "about":
      return;
  }
}

function noteNative(draft: ReaderDraft, native: Record<string, unknown>): void {
  const told = Object.entries(native).filter(([, value]) => value != null);
  if (told.length > 0) updateNative(draft, Object.fromEntries(told));
}

function onSystem(draft: ReaderDraft, entry: SystemEntry): void {
  switch (entry.subtype) {
    case "compact_boundary":
      return onCompactBoundary(draft, entry);
    case "local_command":
      return onLocalOutput(draft, entry.content ?? "");
    case "api_error":
      return onRetry(draft, entry);
    default:
      return;
  }
}

function onRetry(draft: ReaderDraft, entry: SystemEntry): void {
  if (!draft.transcript.turn) return;
  const status = isRecord(entry.error) && typeof entry.error.status === "number" ? entry.error.status : null;
  setStatus(draft, {
    type: "retry",
    attempt: Math.round(entry.retryAttempt ?? 1),
    message: retryMessage(null, status),
    next: draft.at + Math.round(entry.retryInMs ?? 0),
  });
}

function onAttachment(draft: ReaderDraft, entry: AttachmentEntry): void {
  const { type, maxTurns } = entry.attachment;
  if (type === "queued_command") return onQueuedCommand(draft, entry);
  const message = `Claude Code ended the turn: ${maxTurns ?? "the allowed"} model responses were made`;
  const error = { name: "usage_limit" as const, message, retryable: true };
  closeTurn(draft, { finish: "error", error });
}

/** What was typed while a turn ran. Most of it comes as a line of its own when its turn has come. */
function onQueue({ state }: ReaderDraft, { operation, content }: QueueEntry): void {
  if (content == null) return;
  if (operation === "enqueue") state.queued.push(content);
  else if (operation === "remove") state.queued = without(state.queued, content);
}

function without(list: readonly string[], value: string): string[] {
  const index = list.indexOf(value);
  return list.filter((_, i) => i !== index);
}

function onTitle(draft: ReaderDraft, entry: TitleEntry): void {
  const title = entry.customTitle ?? entry.aiTitle ?? entry.summary;
  if (title != null && title !== "") updateSession(draft, { title });
}

/** Nothing more comes: what is open is closed as it stands, and what was never sent is told. */
function onEnd(draft: ReaderDraft): void {
  releaseHeld(draft);
  for (const thread of threadsOf(draft)) leaveTurn(inThread(draft, thread));
  if (draft.state.queued.length > 0) noteNative(draft, { undelivered: draft.state.queued });
}

/** Subagents first: their reports end in the session's own conversation. */
function threadsOf({ state }: ReaderDraft) {
  return [...Object.values(state.subagents), state.main];
}
