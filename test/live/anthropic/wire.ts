import { pieces } from "../model-server/pieces.js";
import type { MessageResponse, ScriptedBlock, Usage } from "./script.js";

/** The native shapes of the Messages API, made from what the script says. */

const USAGE: Usage = { input: 11, output: 5, cacheRead: 20, cacheWrite: 3 };
// The API signs thinking; the CLI hands the signature back unread.
const SIGNATURE = Buffer.from("scripted").toString("base64");

/** A block whose tool call has been given its id. */
export type NamedBlock = ScriptedBlock & { readonly toolID: string };

export function nativeUsage(usage: Partial<Usage> = {}): Record<string, number> {
  const { input, output, cacheRead, cacheWrite } = { ...USAGE, ...usage };
  return {
    input_tokens: input,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
  };
}

export function stopReasonOf(response: MessageResponse): string {
  const callsTool = response.blocks.some((block) => block.type === "tool_use");
  return response.stopReason ?? (callsTool ? "tool_use" : "end_turn");
}

/** The message as a non-streaming request gets it, or as a stream begins (`content` empty, no stop reason). */
export function nativeMessage(id: string, model: unknown, content: readonly unknown[], stop: object): object {
  return { id, type: "message", role: "assistant", model, content, ...stop };
}

export function wholeBlock(block: NamedBlock): object {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return { type: "thinking", thinking: block.thinking, signature: SIGNATURE };
    case "tool_use":
      return { type: "tool_use", id: block.toolID, name: block.name, input: parseOrEmpty(block.json) };
  }
}

/** What `content_block_start` shows of a block. */
export function startedBlock(block: NamedBlock): object {
  switch (block.type) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "tool_use":
      return { type: "tool_use", id: block.toolID, name: block.name, input: {} };
  }
}

export function deltasOf(block: NamedBlock): object[] {
  switch (block.type) {
    case "text":
      return pieces(block.text, block.chunk).map((text) => ({ type: "text_delta", text }));
    case "thinking":
      return [
        ...pieces(block.thinking, block.chunk).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: SIGNATURE },
      ];
    case "tool_use":
      return pieces(block.json, block.chunk).map((json) => ({ type: "input_json_delta", partial_json: json }));
  }
}

function parseOrEmpty(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
