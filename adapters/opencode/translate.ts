import { type Command, type Input, type Output, type SessionSeed, STALLED_TIMER, type Step } from "../contract.js";
import { cloneJson } from "../shared/clone-json.js";
import { relativePath } from "../shared/relative-path.js";
import {
  applyUpdate,
  isStalled,
  markStalled,
  setSessionError,
  setStatus,
  updateNative,
  updateSession,
} from "../shared/session-record.js";
import { createTranscript, emit } from "../shared/transcript.js";
import { onAnswer } from "./answers.js";
import { onPermissionAsked, onPermissionReplied, onQuestionAnswered, onQuestionAsked } from "./asks.js";
import { deliver } from "./delivery.js";
import type { EventFrame, NativeInfo, OpencodeFrame } from "./frame.js";
import { onHibernate } from "./hibernate.js";
import { onAssistantMessage, skipMessage } from "./messages.js";
import { onDelta, onPart } from "./parts.js";
import { onReply } from "./replies.js";
import { readAgain } from "./resync.js";
import { onSessionCreated, onSessionDiff, onSessionUpdated } from "./sessions.js";
import { inThread, isMain, knownThread, newState, type OpencodeDraft, type OpencodeState } from "./state.js";
import { onTodos } from "./todos.js";
import { onAbort, onExit, onPrompt, onSessionError, onStatus, onWake, start } from "./turn.js";
import { onUserMessage } from "./user-messages.js";

export function init(seed: SessionSeed): Step<OpencodeState> {
  const { transcript, created } = createTranscript(seed);
  return { state: newState(transcript, seed.mcpServers), outputs: [created] };
}

export function step(state: OpencodeState, input: Input<OpencodeFrame>): Step<OpencodeState> {
  const outputs: Output[] = [];
  const copy = cloneJson(state);
  const draft = { state: copy, thread: copy.main, transcript: copy.main.transcript, at: input.at, outputs };
  onInput(draft, input);
  return { state: copy, outputs };
}

function onInput(draft: OpencodeDraft, input: Input<OpencodeFrame>): void {
  switch (input.kind) {
    case "command":
      return onCommand(draft, input.command);
    case "frame":
      // What a dying server still says belongs to a turn that has ended.
      if (draft.state.process === "ending") return;
      return onFrame(draft, input.frame);
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

function onCommand(draft: OpencodeDraft, command: Command): void {
  switch (command.type) {
    case "prompt":
      return onPrompt(draft, command);
    case "compact":
      return onPrompt(draft, { ...command, type: "prompt", parts: [{ type: "text", text: "/compact" }] });
    case "review":
      // Refused before: the capability is not there.
      return;
    case "reply":
      return onReply(draft, command);
    case "abort":
      return onAbort(draft, command);
    case "reattached":
      // What it did meanwhile is told by its own events.
      return;
    case "start":
      return start(draft);
    case "hibernate":
      return onHibernate(draft);
    // Mode and model are said with the next prompt; for another mode the server is started anew.
    case "setMode":
      return updateSession(draft, { mode: command.mode });
    case "setModel":
      return updateSession(draft, { model: command.model });
    case "setOption":
      return updateNative(draft, { [command.option]: command.value });
    case "update":
      return applyUpdate(draft, command);
  }
}

function onFrame(draft: OpencodeDraft, frame: OpencodeFrame): void {
  switch (frame.kind) {
    // A heartbeat is no sign of work.
    case "unread":
      return;
    case "stream":
      return onStream(draft, frame.again);
    case "answer":
    case "failure":
      return onAnswer(draft, frame);
    case "event":
      if (isStalled(draft.transcript.session)) setStatus(draft, { type: "busy" });
      return onEvent(draft, frame);
  }
}

function onStream(draft: OpencodeDraft, again: boolean): void {
  draft.state.process = "running";
  if (again) readAgain(draft);
  else deliver(draft);
}

function onEvent(draft: OpencodeDraft, frame: EventFrame): void {
  switch (frame.type) {
    case "session.created":
      return onSessionCreated(draft, frame.properties.info);
    case "session.updated":
      return onSessionUpdated(draft, frame.properties.info);
    case "message.updated":
      return inSession(draft, frame.properties.info.sessionID, (thread) => onMessage(thread, frame.properties.info));
    case "message.part.updated":
      return inSession(draft, frame.properties.part.sessionID, (thread) => onPart(thread, frame.properties.part));
    case "session.error":
      return onError(draft, frame.properties);
    case "file.edited":
      return onFileEdited(draft, frame.properties.file);
    case "permission.replied":
      return onPermissionReplied(draft, frame.properties);
    case "question.replied":
      return onQuestionAnswered(draft, frame.properties.requestID, frame.properties.answers);
    case "question.rejected":
      return onQuestionAnswered(draft, frame.properties.requestID, undefined);
    default:
      return inSession(draft, frame.properties.sessionID, (thread) => onNews(thread, frame));
  }
}

/** Other sessions of the server are nobody's here. */
function inSession(draft: OpencodeDraft, nativeID: string, work: (draft: OpencodeDraft) => void): void {
  const thread = knownThread(draft, nativeID);
  if (thread) work(inThread(draft, thread));
}

function onMessage(draft: OpencodeDraft, info: NativeInfo): void {
  if (draft.state.copying && isMain(draft)) return skipMessage(draft, info);
  if (info.role === "user") onUserMessage(draft, info);
  else onAssistantMessage(draft, info);
}

function onNews(draft: OpencodeDraft, frame: EventFrame): void {
  switch (frame.type) {
    case "message.part.delta":
      return onDelta(draft, frame.properties);
    case "session.status":
      return onStatus(draft, frame.properties.status);
    case "session.diff":
      return onSessionDiff(draft, frame.properties.diff);
    case "session.compacted":
      return emit(draft, { type: "session.compacted", properties: { sessionID: draft.transcript.session.id } });
    case "permission.asked":
      return onPermissionAsked(draft, frame.properties);
    case "question.asked":
      return onQuestionAsked(draft, frame.properties);
    case "todo.updated":
      return onTodos(draft, frame.properties.todos);
    default:
      return;
  }
}

/** A failure that names no session is the main one's. */
function onError(
  step: OpencodeDraft,
  {
    sessionID,
    error,
  }: { sessionID?: string | null | undefined; error?: Parameters<typeof onSessionError>[1] | null | undefined },
): void {
  const thread = sessionID == null ? step.state.main : knownThread(step, sessionID);
  if (thread && error) onSessionError(inThread(step, thread), error);
}

function onFileEdited(draft: OpencodeDraft, path: string): void {
  const { id: sessionID, directory } = draft.transcript.session;
  emit(draft, { type: "file.edited", properties: { sessionID, file: relativePath(path, directory) } });
}
