import { addTokens } from "../../schemas/index.js";
import { closeMessage, openMessage } from "../shared/assistant-message.js";
import { closeText } from "../shared/open-text.js";
import { failTool } from "../shared/tool-call.js";
import { finishOf } from "./errors.js";
import { promptTarget } from "./model.js";
import type { OpencodeDraft, OpenMessage } from "./state.js";

/** Whether the server has not told the end of a message. */
export function hasUnfinished({ thread }: OpencodeDraft): boolean {
  return Object.values(thread.open).some(({ end }) => end === null);
}

/** Closes the messages whose end was told. */
export function closeMessages(draft: OpencodeDraft): void {
  const { thread } = draft;
  for (const [nativeID, message] of Object.entries(thread.open)) {
    if (!message.end) continue;
    closeNative(draft, message, message.end);
    delete thread.open[nativeID];
  }
}

/** The steps tell what was used; an answer that was cut has none, and only its own numbers. */
function closeNative(draft: OpencodeDraft, message: OpenMessage, end: NonNullable<OpenMessage["end"]>): void {
  const { thread, transcript } = draft;
  for (const part of Object.values(message.parts)) if (part.kind === "text") closeText(draft, part.partID);
  const counted = message.steps > 0;
  const open = transcript.messages[message.id];
  if (open) open.cost = counted ? message.cost : end.cost;
  const tokens = counted ? message.tokens : end.tokens;
  // An abort is a finish, and no error of the message.
  const error = end.error?.name === "aborted" ? null : end.error;
  closeMessage(draft, message.id, { finish: finishOf(end.finish, end.error), tokens, ...(error && { error }) });
  if (!open?.summary) thread.told = addTokens(thread.told, end.tokens);
  if (end.error) thread.error = end.error;
}

/** A response that failed before it was shown has a message of its own: the one before it went well. */
export function openFailedMessage(draft: OpencodeDraft): void {
  const { turn, messages } = draft.transcript;
  const last = messages[turn?.lastMessageID ?? ""];
  if (last?.time.completed === undefined || last.error || last.finish !== "tool-calls") return;
  openMessage(draft, { ...promptTarget(draft.state) });
}

/** The response is asked for again: what was not whole is no part of the conversation, and comes once more. */
export function abandonOpen(draft: OpencodeDraft): void {
  for (const message of Object.values(draft.thread.open)) {
    for (const [nativeID, part] of Object.entries(message.parts)) {
      if (part.kind === "text") closeText(draft, part.partID, { abandoned: true });
      else if (part.kind !== "tool" || draft.transcript.tools[part.callID]?.state.status !== "pending") continue;
      else failTool(draft, part.callID, { error: "The response was cut off before this call was whole" });
      message.parts[nativeID] = { kind: "done" };
    }
  }
}
