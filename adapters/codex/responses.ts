import type { AssistantMessage, Finish, MessageError, Tokens } from "../../schemas/index.js";
import { closeMessage, openMessage } from "../shared/assistant-message.js";
import { closeText } from "../shared/open-text.js";
import { setStatus } from "../shared/session-record.js";
import { currentModel } from "./model.js";
import type { CodexDraft } from "./state.js";
import { ensureTurn } from "./turn-state.js";

/** The message of the model response that runs. Items do not name their response: its end is told by the token count. */
export function currentMessage(draft: CodexDraft): AssistantMessage {
  ensureTurn(draft);
  setStatus(draft, { type: "busy" });
  const known = draft.transcript.messages[draft.thread.messageID ?? ""];
  if (known && known.time.completed === undefined) return known;
  const { turnID } = draft.thread;
  const message = openMessage(draft, currentModel(draft), turnID === null ? undefined : { turnID });
  draft.thread.messageID = message.id;
  draft.thread.callsTools = false;
  return message;
}

export function closeResponse(draft: CodexDraft, tokens: Tokens): void {
  const { id } = currentMessage(draft);
  closeMessage(draft, id, { finish: draft.thread.callsTools ? "tool-calls" : "stop", tokens });
  draft.thread.messageID = null;
}

/**
 * The response was cut: by a retry, which says everything again under new ids, by a steer or by the end of the turn. The
 * app-server ends none of its items then, and its history does not hold them.
 */
export function abandonResponse(draft: CodexDraft, finish: Finish, error?: MessageError): void {
  abandonTexts(draft);
  const { messageID } = draft.thread;
  if (messageID === null) return;
  closeMessage(draft, messageID, { finish, ...(error && { error }) });
  draft.thread.messageID = null;
}

export function abandonTexts(draft: CodexDraft): void {
  for (const [itemID, item] of Object.entries(draft.thread.items)) {
    if (item.kind !== "text") continue;
    for (const partID of Object.values(item.parts)) closeText(draft, partID, { abandoned: true });
    draft.thread.items[itemID] = { kind: "done" };
  }
}
