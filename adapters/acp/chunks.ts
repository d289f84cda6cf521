import { emitPart, partOf } from "../shared/assistant-message.js";
import { appendText, closeText, openText } from "../shared/open-text.js";
import { updateNative } from "../shared/session-record.js";
import { at, fileOf, textOf } from "./content.js";
import type { Chunk } from "./frame.js";
import type { NoticeRule, Profile } from "./profile.js";
import { closeChunks, closeResponse, ensureTurn, messageFor } from "./responses.js";
import { toNativeMode } from "./settings.js";
import type { AcpDraft } from "./state.js";
import { usageOf } from "./usage.js";

/** A piece of what the model says or thinks. */
export function onChunk(draft: AcpDraft, type: "text" | "reasoning", chunk: Chunk): void {
  const text = textOf(chunk.content);
  if (text === undefined) onFile(draft, chunk);
  else if (text !== "") onText(draft, type, text, chunk);
  const tokens = usageOf(chunk._meta?.usage);
  if (tokens) closeResponse(draft, { tokens });
}

function onText(draft: AcpDraft, type: "text" | "reasoning", text: string, chunk: Chunk): void {
  const { profile } = draft;
  const mode = profile.modeText?.exec(text)?.[1];
  if (mode !== undefined) return toNativeMode(draft, mode);
  const nativeID = chunk.messageId ?? null;
  if (isNote(profile, chunk)) return onNote(draft, text, chunk);
  const notice = nativeID === null ? profile.notices.find(({ pattern }) => pattern.test(text)) : undefined;
  if (notice) return onNoticeText(draft, text, notice);
  const discrete = isDiscrete(profile, type, chunk);
  if (discrete) closeChunks(draft);
  const partID = openChunks(draft, type, nativeID);
  draft.conversation.spoke = true;
  appendText(draft, partID, text);
  if (type === "text") draft.conversation.lastText = draft.transcript.texts[partID]?.text ?? text;
  if (discrete) closeChunks(draft);
}

function isNote({ noteSource }: Profile, chunk: Chunk): boolean {
  const source = noteSource && at(chunk, noteSource.field);
  return typeof source === "string" && noteSource?.values.includes(source) === true;
}

/** A note of the agent's program is a word of the conversation: what the model says next is about it. */
function onNote(draft: AcpDraft, text: string, chunk: Chunk): void {
  ensureTurn(draft);
  tellNotice(draft, text, { source: draft.profile.noteSource && at(chunk, draft.profile.noteSource.field) });
}

/** Whether a chunk is a text of its own, and no piece of one. */
function isDiscrete({ discrete, wholeThoughts }: Profile, type: "text" | "reasoning", chunk: Chunk): boolean {
  if (type === "reasoning" && wholeThoughts === true) return true;
  return discrete !== undefined && at(chunk, discrete) !== undefined;
}

function openChunks(draft: AcpDraft, type: "text" | "reasoning", nativeID: string | null): string {
  const { conversation } = draft;
  const message = messageFor(draft, { nativeID });
  const { chunks } = conversation;
  if (chunks && chunks.type === type && chunks.nativeID === nativeID) return chunks.partID;
  closeChunks(draft);
  const partID = openText(draft, message, type, nativeID === null ? undefined : { native: { messageID: nativeID } });
  conversation.chunks = { partID, type, nativeID };
  return partID;
}

/** Not the model's words: a warning, a note of a retry, or an error that the agent tells in no other way. */
function onNoticeText(draft: AcpDraft, text: string, { failure }: NoticeRule): void {
  if (failure) draft.conversation.failure = { ...failure, message: text.trim(), data: { native: { text } } };
  tellNotice(draft, text, { text });
}

/** A notice is shown in the turn that runs. One that comes while none does is kept with the session. */
export function tellNotice(draft: AcpDraft, text: string, native: Record<string, unknown>): void {
  if (!draft.transcript.turn) return updateNative(draft, { notice: native });
  closeChunks(draft);
  const message = messageFor(draft, { nativeID: draft.conversation.response?.nativeID ?? null });
  closeText(draft, openText(draft, message, "text", { native: { notice: native } }), { text, synthetic: true });
}

function onFile(draft: AcpDraft, chunk: Chunk): void {
  const file = fileOf(chunk.content);
  if (!file) return;
  const message = messageFor(draft, { nativeID: chunk.messageId ?? null });
  closeChunks(draft);
  draft.conversation.spoke = true;
  emitPart(draft, { ...partOf(draft, message), ...file });
}
