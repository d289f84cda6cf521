import { appendText, closeText, emitDelta } from "../shared/open-text.js";
import { setStatus } from "../shared/session-record.js";
import { appendToolInput } from "../shared/tool-call.js";
import { type Draft, type Transcript, withOpen } from "../shared/transcript.js";
import { abandonBlocks, closeApiMessage, isClosed, openApiMessage, openBlock } from "./api-message.js";
import type { StreamEvent, StreamFrame } from "./frame.js";
import { ensureTurn } from "./model.js";
import { type ApiMessage, type ClaudeDraft, type ClaudeState, withTranscript } from "./state.js";
import { mergeUsage } from "./usage.js";

type EventOf<T extends StreamEvent["type"]> = Extract<StreamEvent, { type: T }>;

/** One event of a model response as it streams. Only the main thread has such events. */
export function onStream(draft: ClaudeDraft, frame: StreamFrame): void {
  const { event } = frame;
  if (event.type === "message_start") return onMessageStart(draft, event);
  const apiID = frame.api_message_id ?? draft.thread.streaming;
  const entry = apiID == null ? undefined : draft.thread.api[apiID];
  if (apiID == null || !entry) return;
  switch (event.type) {
    case "content_block_start":
      openBlock(draft, entry, event.index, event.content_block);
      return;
    case "content_block_delta":
      return onDelta(draft, entry, event);
    case "content_block_stop":
      return onBlockStop(draft, entry, event.index);
    case "message_delta":
      entry.usage = mergeUsage(entry.usage, event.usage);
      if (event.delta.stop_reason) entry.stopReason = event.delta.stop_reason;
      return;
    case "message_stop":
      return onMessageStop(draft, apiID, entry, frame);
    case "ping":
      return;
  }
}

function onMessageStart(draft: ClaudeDraft, event: EventOf<"message_start">): void {
  const { id, model, usage } = event.message;
  if (draft.thread.api[id] || isClosed(draft, id)) return;
  ensureTurn(draft);
  setStatus(draft, { type: "busy" });
  openApiMessage(draft, id, model, true, usage ?? {});
}

function onDelta(draft: ClaudeDraft, entry: ApiMessage, event: EventOf<"content_block_delta">): void {
  const block = entry.blocks[event.index];
  const { delta } = event;
  if (!block) return;
  if (block.kind === "tool") appendToolInput(draft, block.ref, delta.partial_json ?? "");
  else appendText(draft, block.ref, delta.text ?? delta.thinking ?? "");
}

/** The `assistant` line has closed the block already, unless it never came. */
function onBlockStop(draft: ClaudeDraft, entry: ApiMessage, index: number): void {
  const block = entry.blocks[index];
  if (block && block.kind !== "tool") closeText(draft, block.ref);
}

function onMessageStop(draft: ClaudeDraft, apiID: string, entry: ApiMessage, frame: StreamFrame): void {
  const abandoned = frame.abandoned_blocks;
  if (!abandoned) return closeApiMessage(draft, apiID);
  abandonBlocks(draft, entry, abandoned.from_block_index);
  if (draft.state.aborting || entry.aborted) return closeApiMessage(draft, apiID);
  const message = "The connection to the model was cut; Claude Code goes on with a new request";
  closeApiMessage(draft, apiID, { name: "network", message, retryable: true });
}

/**
 * The hot path: a text or input delta, nine tenths of all lines. Only the objects on the way to the changed text are
 * copied, so the cost does not depend on what else is open. Undefined when the general path must take the frame.
 */
export function stepDelta(
  state: ClaudeState,
  event: EventOf<"content_block_delta">,
  apiID: string | null | undefined,
  draft: Draft,
): ClaudeState | undefined {
  const block = state.main.api[apiID ?? state.main.streaming ?? ""]?.blocks[event.index];
  if (!block) return undefined;
  const { delta } = event;
  const transcript =
    block.kind === "tool"
      ? withInputDelta(state.main.transcript, block.ref, delta.partial_json, draft)
      : withTextDelta(state.main.transcript, block.ref, delta.text ?? delta.thinking, draft);
  return transcript && { main: withTranscript(state.main, transcript), side: state.side };
}

type MaybeTranscript = Transcript | undefined;

function withTextDelta(
  transcript: Transcript,
  partID: string,
  delta: string | undefined,
  draft: Draft,
): MaybeTranscript {
  const open = transcript.texts[partID];
  if (!open || !delta) return undefined;
  const { part, text } = open;
  emitDelta(draft, part, "text", text.length, delta);
  return withOpen(transcript, { texts: { ...transcript.texts, [partID]: { part, text: text + delta } } });
}

function withInputDelta(
  transcript: Transcript,
  callID: string,
  delta: string | undefined,
  draft: Draft,
): MaybeTranscript {
  const part = transcript.tools[callID];
  if (part?.state.status !== "pending" || !delta) return undefined;
  emitDelta(draft, part, "state.raw", part.state.raw.length, delta);
  const grown = { ...part, state: { ...part.state, raw: part.state.raw + delta } };
  return withOpen(transcript, { tools: { ...transcript.tools, [callID]: grown } });
}
