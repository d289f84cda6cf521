import type { PromptPart } from "../../schemas/index.js";
import { stableUuid } from "../shared/stable-uuid.js";
import type { QueuedPrompt } from "../shared/transcript.js";
import type { ClaudeDraft } from "./state.js";

/** A request of ours. The CLI may echo our own answers, so its responses are matched by these ids alone. */
export function sendRequest(
  draft: ClaudeDraft,
  request: { readonly subtype: string } & Record<string, unknown>,
): string {
  draft.state.requests += 1;
  const requestID = `aw_${draft.state.requests}`;
  send(draft, { type: "control_request", request_id: requestID, request });
  return requestID;
}

export function sendAnswer(draft: ClaudeDraft, requestID: string, response: Record<string, unknown>): void {
  send(draft, { type: "control_response", response: { subtype: "success", request_id: requestID, response } });
}

/** An error answer: the CLI counts it as a denial and goes on. Silence would leave it waiting for ever. */
export function sendRefusal(draft: ClaudeDraft, requestID: string, error: string): void {
  send(draft, { type: "control_response", response: { subtype: "error", request_id: requestID, error } });
}

/** The uuid ties the turn's result to this prompt; it follows from the message id, so a replay sends the same. */
export function sendPrompt(draft: ClaudeDraft, prompt: QueuedPrompt, urgent = false): string {
  const uuid = prompt.nativeID ?? stableUuid(prompt.info.id);
  const content = prompt.parts.flatMap(contentOf);
  const [only] = content;
  const message = { role: "user", content: content.length === 1 && only?.type === "text" ? only.text : content };
  send(draft, {
    type: "user",
    message,
    parent_tool_use_id: null,
    session_id: "",
    uuid,
    ...(urgent && { priority: "now" }),
  });
  return uuid;
}

export const DATA_URL = /^data:([^;,]+);base64,(.*)$/s;

/** Images and documents go inline; any other file is named, and the CLI reads it. */
function contentOf(part: PromptPart): Record<string, unknown>[] {
  if (part.type === "text") return [{ type: "text", text: part.text }];
  if (part.type !== "file") return [];
  const [, mime, data] = DATA_URL.exec(part.url) ?? [];
  if (mime === undefined) return [{ type: "text", text: `@${part.url.replace(/^file:\/\//, "")}` }];
  const source = { type: "base64", media_type: mime, data };
  return [{ type: mime.startsWith("image/") ? "image" : "document", source }];
}

function send(draft: ClaudeDraft, frame: unknown): void {
  draft.outputs.push({ kind: "send", frame });
}
