import type { MessageError, Session, SessionStatus } from "../../schemas/index.js";
import { cloneJson } from "./clone-json.js";
import { type Draft, emit } from "./transcript.js";

/** Changes fields of the session's record and tells it; a value of undefined removes an optional field. */
export function updateSession(draft: Draft, changes: { [K in keyof Session]?: Session[K] | undefined }): void {
  const session = draft.transcript.session as unknown as Record<string, unknown>;
  const before = JSON.stringify(session);
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) delete session[key];
    else session[key] = value;
  }
  if (JSON.stringify(session) === before) return;
  draft.transcript.session.time.updated = draft.at;
  emitSession(draft);
}

/** Merges what the agent says about itself into `metadata.native`. */
export function updateNative(draft: Draft, native: Record<string, unknown>): void {
  const { metadata } = draft.transcript.session;
  const known = (metadata?.native ?? {}) as Record<string, unknown>;
  updateSession(draft, { metadata: { ...metadata, native: { ...known, ...native } } });
}

export function setStatus(draft: Draft, status: SessionStatus): void {
  const { session } = draft.transcript;
  if (JSON.stringify(session.status) === JSON.stringify(status)) return;
  session.status = status;
  emit(draft, { type: "session.status", properties: { sessionID: session.id, status } });
}

/** Marks a turn that is silent although no tool runs, waits or is retried; a frame of any kind takes the mark away. */
export function markStalled(draft: Draft): void {
  const { session, tools } = draft.transcript;
  if (session.status.type === "busy" && Object.keys(tools).length === 0)
    setStatus(draft, { type: "busy", stalled: true });
}

export function isStalled(session: Session): boolean {
  return session.status.type === "busy" && session.status.stalled === true;
}

export function setSessionError(draft: Draft, error: MessageError): void {
  const { session } = draft.transcript;
  session.error = error;
  emit(draft, { type: "session.error", properties: { sessionID: session.id, error } });
}

/** What a client asked to change in the record. */
export function applyUpdate(
  draft: Draft,
  update: {
    readonly title?: string;
    readonly permission?: readonly NonNullable<Session["permission"]>[number][];
    readonly metadata?: Readonly<Record<string, unknown>>;
    readonly archived?: boolean;
  },
): void {
  const { session } = draft.transcript;
  const { archived = draft.at, ...time } = session.time;
  updateSession(draft, {
    ...(update.title !== undefined && { title: update.title }),
    ...(update.permission && { permission: [...update.permission] }),
    ...(update.metadata && { metadata: { ...session.metadata, ...update.metadata } }),
    ...(update.archived !== undefined && { time: update.archived ? { ...time, archived } : time }),
  });
}

function emitSession(draft: Draft): void {
  const info = cloneJson(draft.transcript.session);
  emit(draft, { type: "session.updated", properties: { sessionID: info.id, info } });
}
