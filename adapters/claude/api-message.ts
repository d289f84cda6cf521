import type { MessageError } from "../../schemas/index.js";
import { closeMessage, noteNative, openMessage } from "../shared/assistant-message.js";
import { isRecord } from "../shared/is-record.js";
import { closeText, closeTexts, openText } from "../shared/open-text.js";
import { failTool, openTool, runTool } from "../shared/tool-call.js";
import type { AssistantFrame, ContentBlock, Usage } from "./frame.js";
import { currentModel, modelNamed } from "./model.js";
import type { ApiMessage, ClaudeDraft, OpenBlock } from "./state.js";
import { canonicalTool, setsTimer, titleOf } from "./tools.js";
import { finishOf, mergeUsage, tokensOf } from "./usage.js";

const REMEMBERED_CLOSED = 16;

/** Opens the message of a model response. Whole-line messages before it have no end of their own: they are over now. */
export function openApiMessage(
  draft: ClaudeDraft,
  apiID: string,
  model: string,
  streamed: boolean,
  usage: Usage,
): ApiMessage {
  closeApiMessages(draft);
  const message = openMessage(draft, modelNamed(draft, model), { messageID: apiID });
  const entry: ApiMessage = { messageID: message.id, blocks: {}, lines: 0, streamed, usage };
  draft.thread.api[apiID] = entry;
  if (streamed) draft.thread.streaming = apiID;
  return entry;
}

export function isClosed(draft: ClaudeDraft, apiID: string): boolean {
  return draft.thread.closedApi.includes(apiID);
}

export function rememberClosed({ thread }: ClaudeDraft, apiID: string): void {
  thread.closedApi = [...thread.closedApi, apiID].slice(-REMEMBERED_CLOSED);
}

/** Opens the part of a content block whose kind and name are known, whatever its content is yet. */
export function openBlock(draft: ClaudeDraft, entry: ApiMessage, index: number, block: ContentBlock): OpenBlock {
  const known = entry.blocks[index];
  if (known) return known;
  const opened = openPart(draft, entry, block);
  entry.blocks[index] = opened;
  return opened;
}

function openPart(draft: ClaudeDraft, entry: ApiMessage, block: ContentBlock): OpenBlock {
  const message = { id: entry.messageID, sessionID: draft.transcript.session.id };
  switch (block.type) {
    case "text":
      return { kind: "text", ref: openText(draft, message, "text") };
    case "thinking":
      return { kind: "reasoning", ref: openText(draft, message, "reasoning") };
    case "redacted_thinking":
      return { kind: "reasoning", ref: openText(draft, message, "reasoning", { redacted: true }) };
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use": {
      const callID = String(block.id);
      const name = String(block.name);
      const { tool, metadata } = canonicalTool(name);
      // Whether it comes to that, and when it has gone off, is not told for sure.
      draft.state.hasTimers ||= setsTimer(name);
      openTool(draft, message, { callID, tool, metadata });
      return { kind: "tool", ref: callID };
    }
    default:
      return { kind: "other", ref: block.type };
  }
}

/** Opens the part of a call whose block was never seen, such as a subagent's: something about it has come first. */
export function openUnseenTool(draft: ClaudeDraft, callID: string, name: string): void {
  if (draft.transcript.tools[callID]) return;
  const streaming = draft.thread.api[draft.thread.streaming ?? ""]?.messageID;
  const messageID = streaming ?? draft.transcript.turn?.lastMessageID ?? openMessage(draft, currentModel(draft)).id;
  const { tool, metadata } = canonicalTool(name);
  openTool(draft, { id: messageID, sessionID: draft.transcript.session.id }, { callID, tool, metadata });
}

/**
 * One `assistant` line holds one content block, whole. It is the block after those that came before for this message,
 * and it may be all there is: a response that did not stream has no events.
 */
export function onAssistantBlocks(draft: ClaudeDraft, frame: AssistantFrame): void {
  const { id, content, model } = frame.message;
  const known = draft.thread.api[id];
  const entry = known ?? openApiMessage(draft, id, model ?? "unknown", false, frame.message.usage ?? {});
  if (frame.message.stop_reason) {
    entry.stopReason = frame.message.stop_reason;
    entry.usage = mergeUsage(entry.usage, frame.message.usage);
  }
  if (frame.uuid) noteNative(draft, entry.messageID, { uuid: frame.uuid });
  if (frame.aborted) entry.aborted = true;
  for (const block of content) {
    const index = entry.lines++;
    settleBlock(draft, openBlock(draft, entry, index, block), block, frame);
  }
}

function settleBlock(draft: ClaudeDraft, open: OpenBlock, block: ContentBlock, frame: AssistantFrame): void {
  if (open.kind === "text") {
    const text = String(block.text ?? "");
    // Only a subagent reports, and what a thread remembers is stored again and again.
    if (draft.thread !== draft.main) draft.thread.lastText = text;
    // Local commands answer as a model that does not exist.
    closeText(draft, open.ref, { text, synthetic: frame.message.model === "<synthetic>" });
  } else if (open.kind === "reasoning") {
    closeText(draft, open.ref, { text: String(block.thinking ?? "") });
  } else if (open.kind === "tool") {
    const input = isRecord(block.input) ? block.input : {};
    const name = String(block.name);
    draft.thread.lastText = null;
    runTool(draft, open.ref, input, titleOf(name, input, draft.transcript.session.directory));
  }
}

/** The blocks from an index on are void: the connection was cut or the user interrupted. */
export function abandonBlocks(draft: ClaudeDraft, entry: ApiMessage, from: number): void {
  for (const [index, block] of Object.entries(entry.blocks)) {
    if (Number(index) < from) continue;
    if (block.kind === "tool") failTool(draft, block.ref, { error: "The call was cut off before it was complete" });
    else closeText(draft, block.ref, { abandoned: true });
  }
}

export function closeApiMessage(draft: ClaudeDraft, apiID: string, error?: MessageError): void {
  const entry = draft.thread.api[apiID];
  if (!entry) return;
  delete draft.thread.api[apiID];
  if (draft.thread.streaming === apiID) draft.thread.streaming = null;
  rememberClosed(draft, apiID);
  closeTexts(draft, entry.messageID);
  const hasTools = Object.values(entry.blocks).some((block) => block.kind === "tool");
  const finish = error ? "error" : finishOf(entry.stopReason, hasTools);
  closeMessage(draft, entry.messageID, {
    finish: isInterrupted(draft, entry) ? "aborted" : finish,
    tokens: tokensOf(entry.usage),
    ...(error && { error }),
  });
}

/** Only the main thread is interrupted; a subagent's responses never tell how they ended. */
function isInterrupted(draft: ClaudeDraft, entry: ApiMessage): boolean {
  if (entry.aborted) return true;
  return draft.state.aborting && draft.thread === draft.main && entry.stopReason === undefined;
}

export function closeApiMessages(draft: ClaudeDraft): void {
  for (const apiID of Object.keys(draft.thread.api)) closeApiMessage(draft, apiID);
}
