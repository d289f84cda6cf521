import { emitDelta } from "../shared/open-text.js";
import { type Draft, withOpen } from "../shared/transcript.js";
import { textOf } from "./content.js";
import type { AcpFrame } from "./frame.js";
import type { Profile } from "./profile.js";
import type { AcpState, Child, Conversation } from "./state.js";

interface TextChunk {
  readonly sessionID: string;
  readonly type: "text" | "reasoning";
  readonly nativeID: string | null;
  readonly text: string;
}

/** A piece of a text as it streams; undefined for any other frame, and for one that says more than its text. */
function textChunkOf(frame: AcpFrame): TextChunk | undefined {
  if (frame.kind !== "update") return undefined;
  const { kind, fields } = frame.update;
  if (kind !== "agent_message_chunk" && kind !== "agent_thought_chunk") return undefined;
  const text = textOf(fields.content);
  if (text === undefined || text === "" || fields._meta?.usage !== undefined) return undefined;
  const type = kind === "agent_message_chunk" ? "text" : "reasoning";
  return { sessionID: frame.sessionID, type, nativeID: fields.messageId ?? null, text };
}

/** What is no plain piece of a text: a word of the agent's program, or a text of its own. */
function isSpecial(
  { notices, modeText, discrete, wholeThoughts }: Profile,
  frame: AcpFrame,
  chunk: TextChunk,
): boolean {
  if (modeText?.test(chunk.text) || (chunk.type === "reasoning" && wholeThoughts)) return true;
  if (discrete !== undefined && frame.kind === "update" && "_meta" in frame.update.fields) return true;
  return chunk.nativeID === null && notices.some(({ pattern }) => pattern.test(chunk.text));
}

/**
 * The hot path: a piece of a text that is open, nine tenths of all lines. Only the objects on the way to the text are
 * copied. Undefined when the general path must take the frame.
 */
export function stepChunk(
  state: AcpState,
  frame: AcpFrame,
  profile: Profile,
  draft: Pick<Draft, "at" | "outputs">,
): AcpState | undefined {
  const chunk = textChunkOf(frame);
  if (!chunk || state.process === "ending" || state.session === "replaying") return undefined;
  if (isSpecial(profile, frame, chunk)) return undefined;
  if (chunk.sessionID === state.main.nativeID) {
    // A turn of the agent's own ends with silence, which every piece of it puts off.
    const main = state.prompt === null ? undefined : growText(state.main, chunk, draft);
    return main && { ...state, main };
  }
  const child = state.children[chunk.sessionID];
  const grown = child && growText(child, chunk, draft);
  return grown && { ...state, children: { ...state.children, [chunk.sessionID]: grown } };
}

function growText<T extends Conversation | Child>(
  conversation: T,
  chunk: TextChunk,
  draft: Pick<Draft, "at" | "outputs">,
): T | undefined {
  const { transcript, chunks } = conversation;
  const { status } = transcript.session;
  const open = chunks && transcript.texts[chunks.partID];
  if (!open || chunks.type !== chunk.type || chunks.nativeID !== chunk.nativeID) return undefined;
  if (status.type !== "busy" || status.stalled || isAnswered(conversation)) return undefined;
  const { part, text } = open;
  emitDelta({ ...draft, transcript }, part, "text", text.length, chunk.text);
  const grown = text + chunk.text;
  const texts = { ...transcript.texts, [part.id]: { part, text: grown } };
  const lastText = chunk.type === "text" ? grown : conversation.lastText;
  return { ...conversation, lastText, transcript: withOpen(transcript, { texts }) };
}

/** Behind the results of its calls another response begins. */
function isAnswered({ response, transcript }: Conversation): boolean {
  return response !== null && response.calls.length > 0 && response.calls.every((callID) => !transcript.tools[callID]);
}
