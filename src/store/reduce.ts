import type { Message, MessageWithParts, Part, Session, Todo, WireEvent, WireEventOf } from "../../schemas/index.js";
import { equalJson } from "./equal-json.js";
import { appendDelta } from "./reduce-part.js";

/** Everything the events told so far, as plain JSON that is never changed in place. */
export interface WireState {
  readonly sessions: Readonly<Record<string, SessionState>>;
}

export interface SessionState {
  readonly info: Session;
  readonly messages: Readonly<Record<string, MessageState>>;
  readonly todos: readonly Todo[];
}

export interface MessageState {
  readonly info: Message;
  readonly parts: Readonly<Record<string, Part>>;
}

export const EMPTY_STATE: WireState = { sessions: {} };

/**
 * The state after an event. What an event does not touch keeps its identity, and an event that changes nothing gives
 * back the same state. An event about something unknown is such an event: it came late, or before a refetch.
 */
export function reduce(state: WireState, event: WireEvent): WireState {
  switch (event.type) {
    case "session.created":
    case "session.updated":
      return upsertSession(state, event.properties.info);
    case "session.deleted":
      return deleteSession(state, event.properties.sessionID);
    case "session.status":
      return patchInfo(state, event.properties.sessionID, { status: event.properties.status });
    case "session.error":
      return patchInfo(state, event.properties.sessionID, { error: event.properties.error });
    case "message.updated":
      return upsertMessage(state, event.properties.sessionID, event.properties.info);
    case "message.removed":
      return removeMessage(state, event.properties.sessionID, event.properties.messageID);
    case "message.part.updated":
      return upsertPart(state, event.properties.sessionID, event.properties.part);
    case "message.part.removed":
      return removePart(state, event.properties);
    case "message.part.delta":
      return appendToPart(state, event.properties);
    case "todo.updated":
      return replaceTodos(state, event.properties.sessionID, event.properties.todos);
    case "session.compacted":
    case "file.edited":
    case "file.watcher.updated":
      return state;
  }
  // A newer gateway may say more than this client knows.
  event satisfies never;
  return state;
}

function setSession(state: WireState, sessionID: string, session: SessionState): WireState {
  return { ...state, sessions: { ...state.sessions, [sessionID]: session } };
}

function upsertSession(state: WireState, info: Session): WireState {
  const known = state.sessions[info.id];
  if (known === undefined) return setSession(state, info.id, { info, messages: {}, todos: [] });
  return equalJson(known.info, info) ? state : setSession(state, info.id, { ...known, info });
}

function patchInfo(state: WireState, sessionID: string, patch: Partial<Session>): WireState {
  const known = state.sessions[sessionID];
  return known === undefined ? state : upsertSession(state, { ...known.info, ...patch });
}

function deleteSession(state: WireState, sessionID: string): WireState {
  const doomed = withDescendants(state, sessionID);
  const kept = Object.entries(state.sessions).filter(([id]) => !doomed.has(id));
  if (kept.length === Object.keys(state.sessions).length) return state;
  return { ...state, sessions: Object.fromEntries(kept) };
}

function withDescendants(state: WireState, sessionID: string): Set<string> {
  const found = new Set([sessionID]);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { info } of Object.values(state.sessions)) {
      if (info.parentID !== undefined && found.has(info.parentID)) found.add(info.id);
    }
  }
  return found;
}

function replaceTodos(state: WireState, sessionID: string, todos: readonly Todo[]): WireState {
  const session = state.sessions[sessionID];
  if (session === undefined || equalJson(session.todos, todos)) return state;
  return setSession(state, sessionID, { ...session, todos });
}

function setMessage(state: WireState, sessionID: string, message: MessageState): WireState {
  const session = state.sessions[sessionID];
  if (session === undefined) return state;
  return setSession(state, sessionID, { ...session, messages: { ...session.messages, [message.info.id]: message } });
}

function upsertMessage(state: WireState, sessionID: string, info: Message): WireState {
  const known = state.sessions[sessionID]?.messages[info.id];
  if (known !== undefined && equalJson(known.info, info)) return state;
  return setMessage(state, sessionID, { info, parts: known?.parts ?? {} });
}

function removeMessage(state: WireState, sessionID: string, messageID: string): WireState {
  const session = state.sessions[sessionID];
  if (session?.messages[messageID] === undefined) return state;
  return setSession(state, sessionID, { ...session, messages: without(session.messages, messageID) });
}

function upsertPart(state: WireState, sessionID: string, part: Part): WireState {
  const message = state.sessions[sessionID]?.messages[part.messageID];
  if (message === undefined || equalJson(message.parts[part.id], part)) return state;
  return setMessage(state, sessionID, { ...message, parts: { ...message.parts, [part.id]: part } });
}

function removePart(state: WireState, at: WireEventOf<"message.part.removed">["properties"]): WireState {
  const message = state.sessions[at.sessionID]?.messages[at.messageID];
  if (message?.parts[at.partID] === undefined) return state;
  return setMessage(state, at.sessionID, { ...message, parts: without(message.parts, at.partID) });
}

function appendToPart(state: WireState, delta: WireEventOf<"message.part.delta">["properties"]): WireState {
  const message = state.sessions[delta.sessionID]?.messages[delta.messageID];
  const part = message?.parts[delta.partID];
  if (message === undefined || part === undefined) return state;
  const next = appendDelta(part, delta.field, delta.offset, delta.delta).part;
  if (next === part) return state;
  return setMessage(state, delta.sessionID, { ...message, parts: { ...message.parts, [part.id]: next } });
}

function without<V>(record: Readonly<Record<string, V>>, key: string): Record<string, V> {
  const { [key]: _, ...rest } = record;
  return rest;
}

/** What a conversation came to, in an order that does not depend on how it was told. */
export interface FinalDocument {
  readonly sessions: readonly {
    readonly info: Session;
    readonly messages: readonly MessageWithParts[];
    readonly todos: readonly Todo[];
  }[];
}

export function finalDocument(state: WireState): FinalDocument {
  const sessions = Object.values(state.sessions).sort(byCreation);
  return { sessions: sessions.map(({ info, messages, todos }) => ({ info, messages: listMessages(messages), todos })) };
}

function listMessages(messages: SessionState["messages"]): MessageWithParts[] {
  const sorted = Object.values(messages).sort(byCreation);
  return sorted.map(({ info, parts }) => ({
    info,
    parts: Object.values(parts).sort((a, b) => compare(a.id, b.id)),
  }));
}

type Created = { readonly info: { readonly id: string; readonly time: { readonly created: number } } };

function byCreation(a: Created, b: Created): number {
  return a.info.time.created - b.info.time.created || compare(a.info.id, b.info.id);
}

/** By code unit: a locale would order ids differently from machine to machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
