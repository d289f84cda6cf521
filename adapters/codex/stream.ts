import { emitDelta } from "../shared/open-text.js";
import { type Draft, withOpen } from "../shared/transcript.js";
import type { CodexFrame } from "./frame.js";
import type { Child, CodexState, Thread } from "./state.js";

export interface TextDelta {
  readonly threadId: string;
  readonly turnId: string;
  readonly itemId: string;
  readonly section: string;
  readonly type: "text" | "reasoning";
  readonly delta: string;
}

/** A piece of a text as it streams, and where it goes; undefined for any other frame. */
export function textDeltaOf(frame: CodexFrame): TextDelta | undefined {
  if (frame.kind !== "notification") return undefined;
  switch (frame.method) {
    case "item/agentMessage/delta":
    case "item/plan/delta":
      return { ...frame.params, section: "text", type: "text" };
    case "item/reasoning/summaryTextDelta":
      return { ...frame.params, section: `summary.${frame.params.summaryIndex}`, type: "reasoning" };
    case "item/reasoning/textDelta":
      return { ...frame.params, section: `raw.${frame.params.contentIndex}`, type: "reasoning" };
    default:
      return undefined;
  }
}

/**
 * The hot path: a delta of a text that is open, nine tenths of all lines. Only the objects on the way to the text are
 * copied. Undefined when the general path must take the frame.
 */
export function stepDelta(
  state: CodexState,
  delta: TextDelta,
  draft: Pick<Draft, "at" | "outputs">,
): CodexState | undefined {
  if (state.process === "ending") return undefined;
  if (state.main.threadID === delta.threadId) {
    const main = growText(state.main, delta, draft);
    return main && { ...state, main };
  }
  const child = state.children[delta.threadId];
  const grown = child && growText(child, delta, draft);
  return grown && { ...state, children: { ...state.children, [delta.threadId]: grown } };
}

function growText<T extends Thread | Child>(
  thread: T,
  delta: TextDelta,
  draft: Pick<Draft, "at" | "outputs">,
): T | undefined {
  const item = thread.turnID === delta.turnId ? thread.items[delta.itemId] : undefined;
  const { transcript } = thread;
  const open = transcript.texts[(item?.kind === "text" && item.parts[delta.section]) || ""];
  const { status } = transcript.session;
  if (!open || delta.delta === "" || status.type !== "busy" || status.stalled) return undefined;
  const { part, text } = open;
  emitDelta({ ...draft, transcript }, part, "text", text.length, delta.delta);
  const texts = { ...transcript.texts, [part.id]: { part, text: text + delta.delta } };
  return { ...thread, transcript: withOpen(transcript, { texts }) };
}
