import type { PromptPart } from "../../schemas/index.js";
import { filePath, inlineFile, isTextMime, textOfBase64 } from "../shared/file-url.js";
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
  sendResponse(draft, { subtype: "success", request_id: requestID, response });
}

/** An error answer: the CLI counts it as a denial and goes on. Silence would leave it waiting for ever. */
export function sendRefusal(draft: ClaudeDraft, requestID: string, error: string): void {
  sendResponse(draft, { subtype: "error", request_id: requestID, error });
}

function sendResponse(draft: ClaudeDraft, response: { readonly request_id: string } & Record<string, unknown>): void {
  draft.state.recheck?.answered.push(response.request_id);
  send(draft, { type: "control_response", response });
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

/** Images and documents go inline; any other file is named, and the CLI reads it. */
function contentOf(part: PromptPart): Record<string, unknown>[] {
  if (part.type === "text") return [{ type: "text", text: part.text }];
  if (part.type !== "file") return [];
  const file = inlineFile(part.url);
  if (!file) return [{ type: "text", text: `@"${filePath(part.url) ?? part.url}"` }];
  const base64 = { type: "base64", media_type: file.mime, data: file.data };
  if (file.mime.startsWith("image/")) return [{ type: "image", source: base64 }];
  const title = part.filename === undefined ? {} : { title: part.filename };
  if (!isTextMime(file.mime)) return [{ type: "document", source: base64, ...title }];
  const text = { type: "text", media_type: "text/plain", data: textOfBase64(file.data) };
  return [{ type: "document", source: text, ...title }];
}

function send(draft: ClaudeDraft, frame: unknown): void {
  draft.outputs.push({ kind: "send", frame });
}
