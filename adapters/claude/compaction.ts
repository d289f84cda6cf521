import { closeMessage, openMessage } from "../shared/assistant-message.js";
import { closeText, openText } from "../shared/open-text.js";
import { addMarker } from "../shared/prompts.js";
import { updateSession } from "../shared/session-record.js";
import { emit } from "../shared/transcript.js";
import { closeApiMessages } from "./api-message.js";
import type { SystemFrame, UserFrame } from "./frame.js";
import { currentModel, ensureTurn, promptTarget } from "./model.js";
import type { ClaudeDraft } from "./state.js";

/** `status` lines tell when the conversation is being compacted; the request that does it streams nothing. */
export function onCompacting(draft: ClaudeDraft, frame: SystemFrame): void {
  const { session } = draft.transcript;
  const { compacting, ...time } = session.time;
  if (frame.status === "compacting") updateSession(draft, { time: { ...time, compacting: draft.at } });
  else if (compacting !== undefined) updateSession(draft, { time });
}

/**
 * The conversation was compacted here: a user message marks the place, with the compaction part, and its answer is the
 * summary, which comes as the next harness text.
 */
export function onCompactBoundary(draft: ClaudeDraft, frame: SystemFrame): void {
  ensureTurn(draft);
  closeApiMessages(draft);
  const auto = frame.compact_metadata?.trigger !== "manual";
  draft.state.compaction = addMarker(draft, promptTarget(draft), { type: "compaction", auto }).id;
  emit(draft, { type: "session.compacted", properties: { sessionID: draft.transcript.session.id } });
}

/** A turn that has ended compacts no more. */
export function forgetCompaction(draft: ClaudeDraft): void {
  draft.state.compaction = null;
  const { compacting, ...time } = draft.transcript.session.time;
  if (compacting !== undefined) updateSession(draft, { time });
}

/** True when the harness text was the summary that a compaction left. */
export function onHarnessText(draft: ClaudeDraft, frame: UserFrame): boolean {
  const parentID = draft.state.compaction;
  if (parentID === null || !frame.isSynthetic || draft.thread !== draft.main) return false;
  draft.state.compaction = null;
  const message = openMessage(draft, currentModel(draft), undefined, { parentID, summary: true });
  closeText(draft, openText(draft, message, "text"), { text: textOf(frame), synthetic: true });
  closeMessage(draft, message.id, { finish: "stop" });
  return true;
}

function textOf({ message }: UserFrame): string {
  if (typeof message.content === "string") return message.content;
  return message.content.map((block) => (block.type === "text" ? String(block.text ?? "") : "")).join("\n");
}
