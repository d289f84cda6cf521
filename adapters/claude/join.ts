import type { ClaudeFrame, StreamFrame } from "./frame.js";

/** Where each kind of delta has its text; a kind that is not here is never joined. */
const TEXT_FIELDS = { text_delta: "text", thinking_delta: "thinking", input_json_delta: "partial_json" } as const;

/** Two deltas of the same content block as one. */
export function joinDeltas(earlier: ClaudeFrame, later: ClaudeFrame): StreamFrame | undefined {
  if (earlier.type !== "stream_event" || later.type !== "stream_event") return undefined;
  const { event: first } = earlier;
  const { event: second } = later;
  if (first.type !== "content_block_delta" || second.type !== "content_block_delta") return undefined;
  if (first.index !== second.index || first.delta.type !== second.delta.type || !ofSameMessage(earlier, later)) {
    return undefined;
  }
  const field = TEXT_FIELDS[second.delta.type as keyof typeof TEXT_FIELDS];
  if (field === undefined) return undefined;
  const text = (first.delta[field] ?? "") + (second.delta[field] ?? "");
  return { ...later, event: { ...second, delta: { ...second.delta, [field]: text } } };
}

function ofSameMessage(a: StreamFrame, b: StreamFrame): boolean {
  return a.api_message_id === b.api_message_id && a.parent_tool_use_id === b.parent_tool_use_id;
}
