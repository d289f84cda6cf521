import type { MessageError } from "../../../schemas/index.js";
import { closeMessage, openMessage } from "../../shared/assistant-message.js";
import { isRecord } from "../../shared/is-record.js";
import { closeText, openText } from "../../shared/open-text.js";
import { updateNative } from "../../shared/session-record.js";
import { openTool, runTool } from "../../shared/tool-call.js";
import { apiError } from "../errors.js";
import type { ContentBlock } from "../frame.js";
import { currentModel, modelNamed } from "../model.js";
import { canonicalTool, titleOf } from "../tools.js";
import { mergeUsage } from "../usage.js";
import { type AssistantEntry, textOfContent } from "./entry.js";
import { inAnswer, type OpenAnswer, type ReaderDraft } from "./state.js";
import { closeAnswer, closeTurn, ensureTurn } from "./turn.js";

/** The model of what the CLI itself says in the model's place. */
export const SYNTHETIC = "<synthetic>";

/** One content block of a response. Usage and stop reason are final, and repeated on every line. */
export function onAnswer(draft: ReaderDraft, line: number, entry: AssistantEntry): void {
  ensureTurn(draft);
  if (entry.isApiErrorMessage || entry.error) return onApiError(draft, entry);
  const answer = answerOf(draft, line, entry);
  const { stop_reason, usage } = entry.message;
  answer.stopReason = stop_reason ?? answer.stopReason;
  answer.usage = mergeUsage(answer.usage, usage);
  answer.aborted ||= entry.isAbortedMidStream === true;
  noteLine(draft, answer, entry);
  const synthetic = entry.message.model === SYNTHETIC;
  inAnswer(draft.thread, answer, () => {
    for (const block of entry.message.content) addBlock(draft, answer, block, synthetic);
  });
}

/** The CLI's id of the last line of a response: a fork can begin after it. */
function noteLine(draft: ReaderDraft, answer: OpenAnswer, { uuid }: AssistantEntry): void {
  const message = draft.transcript.messages[answer.messageID];
  if (!message || uuid == null) return;
  const native = isRecord(message.metadata?.native) ? message.metadata.native : {};
  message.metadata = { ...message.metadata, native: { ...native, uuid } };
}

/** A model may use an id again after a resume, so only the open response goes on. */
function answerOf(draft: ReaderDraft, line: number, entry: AssistantEntry): OpenAnswer {
  const { id, model } = entry.message;
  if (draft.thread.answer?.apiID === id) return draft.thread.answer;
  closeAnswer(draft);
  if (model != null && model !== SYNTHETIC) updateNative(draft, { model });
  const answer: OpenAnswer = {
    apiID: id,
    messageID: "",
    line,
    nextId: 1,
    usage: {},
    stopReason: null,
    hasTools: false,
    aborted: false,
  };
  inAnswer(draft.thread, answer, () => {
    answer.messageID = openNative(draft, modelNamed(draft, model ?? "unknown"), id);
  });
  draft.thread.answer = answer;
  return answer;
}

/** Opens a message; one that is no longer part of the conversation says so once it is closed. */
export function openNative(draft: ReaderDraft, model: ReturnType<typeof currentModel>, apiID: string): string {
  const message = openMessage(draft, model, { messageID: apiID });
  if (draft.abandoned) message.metadata = { ...message.metadata, abandoned: true };
  return message.id;
}

function addBlock(draft: ReaderDraft, answer: OpenAnswer, block: ContentBlock, synthetic: boolean): void {
  const message = { id: answer.messageID, sessionID: draft.transcript.session.id };
  const { abandoned } = draft;
  switch (block.type) {
    case "text": {
      const text = String(block.text ?? "");
      const metadata = synthetic ? { metadata: { native: { synthetic } } } : {};
      return closeText(draft, openText(draft, message, "text"), { text, abandoned, ...metadata });
    }
    case "thinking": {
      const text = String(block.thinking ?? "");
      return closeText(draft, openText(draft, message, "reasoning"), { text, abandoned });
    }
    case "redacted_thinking":
      return closeText(draft, openText(draft, message, "reasoning", { redacted: true }), { abandoned });
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return addCall(draft, answer, message, block);
    default:
      return;
  }
}

function addCall(
  draft: ReaderDraft,
  answer: OpenAnswer,
  message: { id: string; sessionID: string },
  block: ContentBlock,
): void {
  answer.hasTools = true;
  const callID = String(block.id);
  const name = String(block.name);
  const input = isRecord(block.input) ? block.input : {};
  const { tool, metadata } = canonicalTool(name);
  openTool(draft, message, { callID, tool, metadata });
  runTool(draft, callID, input, titleOf(name, input, draft.transcript.session.directory));
}

/** The CLI writes an API failure down as an answer of a made-up model. Nothing of the turn comes after it. */
function onApiError(draft: ReaderDraft, entry: AssistantEntry): void {
  closeAnswer(draft);
  const refused = entry.message.stop_reason === "refusal";
  const finish = refused ? "refusal" : "error";
  const error = errorOf(entry, refused);
  const messageID = openNative(draft, currentModel(draft), entry.message.id);
  closeMessage(draft, messageID, { finish, error });
  closeTurn(draft, { finish, error });
}

function errorOf(entry: AssistantEntry, refused: boolean): MessageError {
  // The type of this one is that of any invalid request.
  const tooLong = entry.errorDetails?.includes("prompt is too long");
  const native = {
    error: entry.error,
    api_error: tooLong ? "prompt_too_long" : entry.apiError,
    api_error_status: entry.apiErrorStatus,
    api_error_type: entry.apiErrorType,
  };
  return apiError(native, textOfContent(entry.message.content), refused);
}
