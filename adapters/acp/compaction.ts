import { closeMessage, openMessage } from "../shared/assistant-message.js";
import { closeText, openText } from "../shared/open-text.js";
import { addMarker } from "../shared/prompts.js";
import { updateSession } from "../shared/session-record.js";
import { emit } from "../shared/transcript.js";
import { textOf, textsOf } from "./content.js";
import type { UpdateOf } from "./frame.js";
import { currentModel } from "./model.js";
import { closeResponse, ensureTurn } from "./responses.js";
import type { AcpDraft } from "./state.js";

/** The agent makes the conversation shorter: the place is marked, and the summary it leaves is the mark's answer. */
export function onCompaction(draft: AcpDraft, fields: UpdateOf<"compaction_update">): void {
  if (fields.status === "in_progress") return begin(draft);
  if (fields.status === "completed") complete(draft, textsOf(fields.summary).join("\n"));
  else endCompaction(draft);
}

export function onCompactionSummary(draft: AcpDraft, fields: UpdateOf<"compaction_summary_chunk">): void {
  const { compaction } = draft.conversation;
  if (compaction) compaction.summary += textOf(fields.content) ?? "";
}

function begin(draft: AcpDraft): void {
  const { session } = draft.transcript;
  draft.conversation.compaction = { summary: "" };
  updateSession(draft, { time: { ...session.time, compacting: draft.at } });
}

function complete(draft: AcpDraft, told: string): void {
  const summary = told || (draft.conversation.compaction?.summary ?? "");
  ensureTurn(draft);
  closeResponse(draft);
  const model = currentModel(draft);
  const marker = addMarker(draft, model, { type: "compaction", auto: true });
  const message = openMessage(draft, model, undefined, { parentID: marker.id, summary: true });
  if (summary !== "") closeText(draft, openText(draft, message, "text"), { text: summary, synthetic: true });
  closeMessage(draft, message.id, { finish: "stop" });
  emit(draft, { type: "session.compacted", properties: { sessionID: draft.transcript.session.id } });
  endCompaction(draft);
}

/** A turn that has ended compacts no more. */
export function endCompaction(draft: AcpDraft): void {
  draft.conversation.compaction = null;
  const { compacting, ...time } = draft.transcript.session.time;
  if (compacting !== undefined) updateSession(draft, { time });
}
