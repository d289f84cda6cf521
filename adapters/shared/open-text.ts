import type { DeltaField, ReasoningPart, TextPart } from "../../schemas/index.js";
import { emitPart, partOf } from "./assistant-message.js";
import { type Draft, emit } from "./transcript.js";

/** Opens a text or reasoning part that grows by deltas. Returns its id. */
export function openText(
  draft: Draft,
  message: { id: string; sessionID: string },
  type: "text" | "reasoning",
  metadata?: Record<string, unknown>,
): string {
  const part = { ...partOf(draft, message), type, text: "", time: { start: draft.at }, ...(metadata && { metadata }) };
  draft.transcript.texts[part.id] = { part, text: "" };
  emitPart(draft, part);
  return part.id;
}

/** Appends to an open text and tells the delta; an unknown or closed part stays as it is. */
export function appendText(draft: Draft, partID: string, delta: string): void {
  const open = draft.transcript.texts[partID];
  if (!open || delta === "") return;
  emitDelta(draft, open.part, "text", open.text.length, delta);
  open.text += delta;
}

export interface TextEnd {
  /** The whole text, where the agent says it; without it what was streamed stands. */
  readonly text?: string;
  /** What the agent took back: it stays readable, but is not part of the conversation. */
  readonly abandoned?: boolean;
  readonly metadata?: Record<string, unknown>;
  /** Not the model's own words. */
  readonly synthetic?: boolean;
}

export function closeText(draft: Draft, partID: string, end: TextEnd = {}): void {
  const open = draft.transcript.texts[partID];
  if (!open) return;
  delete draft.transcript.texts[partID];
  const { part } = open;
  const metadata = { ...part.metadata, ...end.metadata, ...(end.abandoned && { abandoned: true }) };
  const closed: TextPart | ReasoningPart = {
    ...part,
    text: end.text ?? open.text,
    time: { start: part.time?.start ?? draft.at, end: draft.at },
    ...(end.abandoned && part.type === "text" && { ignored: true }),
    ...(end.synthetic && part.type === "text" && { synthetic: true }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
  emitPart(draft, closed);
}

/** Closes every open text of a message, or of all messages. */
export function closeTexts(draft: Draft, messageID?: string): void {
  for (const { part } of Object.values(draft.transcript.texts)) {
    if (messageID === undefined || part.messageID === messageID) closeText(draft, part.id);
  }
}

export function emitDelta(
  draft: Draft,
  part: { id: string; messageID: string; sessionID: string },
  field: DeltaField,
  offset: number,
  delta: string,
): void {
  const { id: partID, messageID, sessionID } = part;
  emit(draft, { type: "message.part.delta", properties: { sessionID, messageID, partID, field, offset, delta } });
}
