import type { Session } from "../../schemas/index.js";
import { openChildSession } from "../shared/child-session.js";
import { isRecord } from "../shared/is-record.js";
import { updateNative, updateSession } from "../shared/session-record.js";
import { nextId } from "../shared/transcript.js";
import { diffsOf } from "./files.js";
import type { NativeDiff, NativeSession } from "./frame.js";
import { type Child, inThread, isMain, knownThread, newThread, type OpencodeDraft, type Thread } from "./state.js";

/** What the server calls a session until it has found a title. */
const NO_TITLE = /^(New|Child) session - \d{4}-/;

export function adoptMain(draft: OpencodeDraft, nativeID: string): void {
  const { state } = draft;
  state.main.nativeID = nativeID;
  state.nativeID = nativeID;
  state.session = "open";
  updateNative(draft, { sessionID: nativeID });
}

/** A session without a parent that was not asked for by us is the main one of a stream that was made elsewhere. */
export function onSessionCreated(draft: OpencodeDraft, info: NativeSession): void {
  if (knownThread(draft, info.id)) return;
  const parent = info.parentID == null ? undefined : knownThread(draft, info.parentID);
  if (parent) return openChild(inThread(draft, parent), info);
  // Our own is told by the answer to the request that made it.
  if (info.parentID == null && draft.state.main.nativeID === null && draft.state.session !== "opening")
    adoptMain(draft, info.id);
}

/** Announces the child session; `draft` is at work in its parent's thread. */
function openChild(draft: OpencodeDraft, info: NativeSession): void {
  const transcript = openChildSession(draft, draft.transcript.session, {
    sessionID: nextId(draft.state.main, "ses"),
    title: info.title ?? "subagent",
    native: { sessionID: info.id, ...(info.agent != null && { agent: info.agent }) },
  });
  const child: Child = { ...newThread(transcript, info.id), nativeID: info.id };
  draft.state.children[info.id] = child;
}

/** The record of a session as the server keeps it. What it has cost in all is the sum of its messages, and comes late. */
export function onSessionUpdated(step: OpencodeDraft, info: NativeSession): void {
  const thread = knownThread(step, info.id);
  if (thread) onSessionInfo(inThread(step, thread), info);
  else onSessionCreated(step, info);
}

export function onSessionInfo(draft: OpencodeDraft, info: NativeSession): void {
  updateNative(draft, {
    ...(info.version !== undefined && { version: info.version }),
    ...(info.share && { share: info.share.url }),
    ...revertOf(draft, info),
  });
  updateSession(draft, { ...titleOf(draft, info), ...summaryOf(draft, info) });
}

/** Told while it lasts, and once that it is over. */
function revertOf(draft: OpencodeDraft, { revert }: NativeSession): Record<string, unknown> {
  const native = draft.transcript.session.metadata?.native;
  return revert || (isRecord(native) && native.reverted) ? { reverted: revert ?? null } : {};
}

function titleOf(draft: OpencodeDraft, { title }: NativeSession): Partial<Session> {
  if (title === undefined || title === "" || NO_TITLE.test(title)) return {};
  if (!isMain(draft)) return { title };
  // A title that a client gave is not taken back by one that was told before.
  if (draft.state.title === title) return {};
  draft.state.title = title;
  return { title };
}

function summaryOf(draft: OpencodeDraft, { summary }: NativeSession): Partial<Session> {
  if (!summary || summary.files === 0) return {};
  const { additions, deletions, files, diffs } = summary;
  const kept = diffs ? diffsOf(diffs, draft.transcript.session.directory) : draft.transcript.session.summary?.diffs;
  return { summary: { additions, deletions, files, ...(kept && kept.length > 0 && { diffs: kept }) } };
}

/** What the session has changed in all; the server counts it only in a repository. */
export function onSessionDiff(draft: OpencodeDraft, native: readonly NativeDiff[]): void {
  const diffs = diffsOf(native, draft.transcript.session.directory);
  if (diffs.length === 0) return;
  const sum = (key: "additions" | "deletions") => diffs.reduce((total, diff) => total + diff[key], 0);
  updateSession(draft, {
    summary: { additions: sum("additions"), deletions: sum("deletions"), files: diffs.length, diffs },
  });
}

/** Our id of a session that the server names. */
export function sessionIDOf(draft: OpencodeDraft, nativeID: unknown): string | undefined {
  const thread: Thread | undefined = typeof nativeID === "string" ? knownThread(draft, nativeID) : undefined;
  return thread?.transcript.session.id;
}
