import {
  type AssistantMessage,
  type Finish,
  type MessageError,
  NO_TOKENS,
  type Part,
  type Tokens,
} from "../../schemas/index.js";
import { cloneJson } from "./clone-json.js";
import { type Draft, emit, nextCreated, nextId } from "./transcript.js";

export interface ModelOfMessage {
  readonly providerID: string;
  readonly modelID: string;
  readonly agent: string;
}

export interface MessagePlace {
  /** The user message it answers, where that is not the turn's. */
  readonly parentID?: string;
  /** Why the agent said it unasked. */
  readonly origin?: string;
  /** It is the summary that a compaction left. */
  readonly summary?: boolean;
}

/** Opens the assistant message of one model response, with its step-start. A turn must be running. */
export function openMessage(
  draft: Draft,
  model: ModelOfMessage,
  native?: Record<string, unknown>,
  place: MessagePlace = {},
): AssistantMessage {
  const { session, turn, messages } = draft.transcript;
  if (!turn) throw new Error("an assistant message needs a running turn");
  const origin = place.origin ?? turn.origin;
  const metadata = { ...(native && { native }), ...(origin !== undefined && { origin }) };
  const message: AssistantMessage = {
    id: nextId(draft, "msg"),
    sessionID: session.id,
    role: "assistant",
    time: { created: nextCreated(draft) },
    parentID: place.parentID ?? turn.userMessageID,
    modelID: model.modelID,
    providerID: model.providerID,
    agent: model.agent,
    path: { cwd: session.directory, root: session.directory },
    cost: 0,
    tokens: NO_TOKENS,
    ...(place.summary && { summary: true }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
  forgetClosed(draft);
  messages[message.id] = message;
  if (!place.summary) turn.lastMessageID = message.id;
  emitMessage(draft, message);
  emitPart(draft, { ...partOf(draft, message), type: "step-start" });
  return message;
}

/** Adds to what is known of a message natively; told with its next change. */
export function noteNative(draft: Draft, messageID: string, native: Record<string, unknown>): void {
  const message = draft.transcript.messages[messageID];
  if (!message) return;
  const known = (message.metadata?.native ?? {}) as Record<string, unknown>;
  message.metadata = { ...message.metadata, native: { ...known, ...native } };
}

export interface MessageEnd {
  readonly finish: Finish;
  readonly tokens?: Tokens;
  readonly error?: MessageError;
}

/** Closes a message with its step-finish. Parts that are still open stay so: a tool may run on after its message. */
export function closeMessage(draft: Draft, messageID: string, end: MessageEnd): void {
  const message = draft.transcript.messages[messageID];
  if (!message || message.time.completed !== undefined) return;
  message.tokens = end.tokens ?? NO_TOKENS;
  message.finish = end.finish;
  message.time = { ...message.time, completed: Math.max(draft.at, message.time.created) };
  if (end.error) message.error = end.error;
  const stepFinishID = nextId(draft, "prt");
  const { turn } = draft.transcript;
  if (turn?.lastMessageID === messageID) turn.lastStepFinishID = stepFinishID;
  emitStepFinish(draft, message, stepFinishID);
  emitMessage(draft, message);
}

/** Changes the turn's last message after it was closed: its finish, error, cost or the turn's totals. */
export function amendLastMessage(
  draft: Draft,
  change: { finish?: Finish; error?: MessageError; cost?: number; turn?: Record<string, unknown> },
): void {
  const { turn, messages } = draft.transcript;
  const message = messages[turn?.lastMessageID ?? ""];
  if (!message) return;
  const before = JSON.stringify(message);
  const { turn: totals, ...fields } = change;
  Object.assign(message, fields);
  if (totals) message.metadata = { ...message.metadata, turn: totals };
  if (JSON.stringify(message) === before) return;
  if (turn?.lastStepFinishID && (change.cost !== undefined || change.finish !== undefined)) {
    emitStepFinish(draft, message, turn.lastStepFinishID);
  }
  emitMessage(draft, message);
}

function emitStepFinish(draft: Draft, message: AssistantMessage, id: string): void {
  const { sessionID, id: messageID, finish = "stop", cost, tokens } = message;
  emitPart(draft, { id, sessionID, messageID, type: "step-finish", reason: finish, cost, tokens });
}

/** The fields every new part of a message has. */
export function partOf(draft: Draft, message: { id: string; sessionID: string }) {
  return { id: nextId(draft, "prt"), sessionID: message.sessionID, messageID: message.id };
}

export function emitPart(draft: Draft, part: Part): void {
  emit(draft, { type: "message.part.updated", properties: { sessionID: part.sessionID, part: cloneJson(part) } });
}

function emitMessage(draft: Draft, message: AssistantMessage): void {
  const info = cloneJson(message);
  emit(draft, { type: "message.updated", properties: { sessionID: info.sessionID, info } });
}

/** A closed message is kept only while it is the turn's last. */
function forgetClosed(draft: Draft): void {
  const { messages } = draft.transcript;
  for (const id of Object.keys(messages)) if (messages[id]?.time.completed !== undefined) delete messages[id];
}
