import { z } from "zod";
import { isRecord } from "../shared/is-record.js";
import { askOf, inThreadOf, onPermissionAsked, onQuestionAsked, settle } from "./asks.js";
import { NativeInfo, NativePart, NativeStatus, PermissionRequest, QuestionRequest } from "./frame.js";
import { onAssistantMessage } from "./messages.js";
import { onPart } from "./parts.js";
import { sendRequest, sessionPath } from "./requests.js";
import { inThread, knownThread, type OpencodeDraft, threadsOf } from "./state.js";
import { onStatus } from "./turn.js";
import { onUserMessage } from "./user-messages.js";

/** How many messages are read again: more do not pass in a break of the stream. */
const LATEST = 20;

const Messages = z.array(z.looseObject({ info: NativeInfo, parts: z.array(z.unknown()) }));

/** Events may have been lost: what they told is read from the state. What is known already changes nothing. */
export function readAgain(draft: OpencodeDraft): void {
  const running = threadsOf(draft).filter(({ nativeID, transcript }) => nativeID !== null && transcript.turn);
  for (const { nativeID } of running) {
    const path = sessionPath(nativeID, `/message?limit=${LATEST}`);
    sendRequest(draft, "GET", path, undefined, { kind: "messages", threadID: nativeID ?? "" });
  }
  sendRequest(draft, "GET", "/permission", undefined, { kind: "permissions" });
  sendRequest(draft, "GET", "/question", undefined, { kind: "questions" });
  sendRequest(draft, "GET", "/session/status", undefined, { kind: "statuses" });
}

export function onMessages(step: OpencodeDraft, threadID: string, body: unknown): void {
  const thread = knownThread(step, threadID);
  const messages = Messages.safeParse(body).data;
  if (!thread || !messages) return;
  const draft = inThread(step, thread);
  for (const { info, parts } of messages) {
    if (info.role === "user") onUserMessage(draft, info);
    else onAssistantMessage(draft, info);
    for (const raw of parts) {
      const part = NativePart.safeParse(raw);
      if (part.success) onPart(draft, part.data);
    }
  }
}

export function onPermissions(draft: OpencodeDraft, body: unknown): void {
  const requests = z.array(PermissionRequest).safeParse(body).data;
  if (!requests) return;
  for (const request of requests) {
    const thread = knownThread(draft, request.sessionID);
    if (thread) onPermissionAsked(inThread(draft, thread), request);
  }
  withdrawOthers(draft, "permission", new Set(requests.map(({ id }) => id)));
}

export function onQuestions(draft: OpencodeDraft, body: unknown): void {
  const requests = z.array(QuestionRequest).safeParse(body).data;
  if (!requests) return;
  for (const request of requests) {
    const thread = knownThread(draft, request.sessionID);
    if (thread) onQuestionAsked(inThread(draft, thread), request);
  }
  withdrawOthers(draft, "question", new Set(requests.map(({ id }) => id)));
}

/** Asks that are not open any more were decided in the break. */
function withdrawOthers(draft: OpencodeDraft, kind: "permission" | "question", open: ReadonlySet<string>): void {
  for (const { kind: known, nativeID } of Object.values(draft.state.asks)) {
    const ask = askOf(draft, nativeID);
    if (known !== kind || open.has(nativeID) || !ask) continue;
    settle(inThreadOf(draft, ask), ask, { decision: "once", decidedBy: "agent" });
  }
}

/** Only busy sessions are listed. */
export function onStatuses(draft: OpencodeDraft, body: unknown): void {
  if (!isRecord(body)) return;
  for (const thread of threadsOf(draft)) {
    if (thread.nativeID === null || !thread.transcript.turn) continue;
    const status = NativeStatus.safeParse(body[thread.nativeID]);
    onStatus(inThread(draft, thread), status.success ? status.data : { type: "idle" });
  }
}
