import type { PromptPart } from "../../schemas/index.js";
import type { Command } from "../contract.js";
import { base64OfText } from "../shared/file-url.js";
import { isRecord } from "../shared/is-record.js";
import { textOf } from "./results.js";
import type { Ask, ClaudeState } from "./state.js";

/** What a recording shows was written to the CLI, as the command it came from. */
export function observe(state: ClaudeState, sent: unknown): Command | undefined {
  if (!isRecord(sent)) return undefined;
  if (sent.type === "user") return promptOf(state, sent);
  if (sent.type === "control_response") return replyOf(state, sent.response);
  const request = sent.type === "control_request" ? sent.request : undefined;
  return isRecord(request) && request.subtype === "interrupt" ? { type: "abort", keepQueue: true } : undefined;
}

/** What was sent while a turn ran was sent into it: the recording has no queue of ours. A repeated uuid is swallowed. */
function promptOf(state: ClaudeState, sent: Record<string, unknown>): Command | undefined {
  const content = isRecord(sent.message) && sent.message.role === "user" ? sent.message.content : undefined;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(blocks)) return undefined;
  const parts = blocks.filter(isRecord).flatMap((block) => promptPart(block));
  if (state.side.answered.includes(String(sent.uuid))) return undefined;
  const nativeID = typeof sent.uuid === "string" ? { nativeID: sent.uuid } : {};
  const steer = state.main.transcript.turn !== null;
  return parts.length > 0 ? { type: "prompt", parts, steer, ...nativeID } : undefined;
}

/** A content block of a user line as a part of a prompt. */
export function promptPart(block: Record<string, unknown>): PromptPart[] {
  if (block.type === "text" && typeof block.text === "string" && block.text !== "") {
    return [{ type: "text", text: block.text }];
  }
  const { type, media_type: mime, data } = isRecord(block.source) ? block.source : {};
  if (typeof mime !== "string" || typeof data !== "string") return [];
  const filename = typeof block.title === "string" ? { filename: block.title } : {};
  return [
    { type: "file", mime, ...filename, url: `data:${mime};base64,${type === "text" ? base64OfText(data) : data}` },
  ];
}

function replyOf(state: ClaudeState, response: unknown): Command | undefined {
  if (!isRecord(response)) return undefined;
  const ask = Object.values(state.side.asks).find((open) => open.requestID === response.request_id);
  if (!ask) return undefined;
  const answer = isRecord(response.response) ? response.response : {};
  if (ask.rpcID !== undefined)
    return { ...carriedOut(answer.mcp_response), type: "reply", blockID: ask.blockID, decidedBy: "user" };
  const base = { type: "reply" as const, blockID: ask.blockID, decidedBy: "user" as const };
  if (answer.behavior === "allow") return { ...base, ...allowed(ask, answer) };
  return {
    ...base,
    decision: "reject",
    ...(typeof answer.message === "string" && { message: answer.message }),
    ...(answer.interrupt === true && { interrupt: true }),
  };
}

/** What a server of tools outside of the CLI made of a call. */
function carriedOut(response: unknown) {
  const { result, error } = isRecord(response) ? response : {};
  if (isRecord(error)) return { error: String(error.message) };
  const { content, isError } = isRecord(result) ? result : {};
  const output = textOf(content);
  if (isError === true) return { error: output };
  const images = Array.isArray(content) ? content.filter(isRecord).filter(({ type }) => type === "image") : [];
  const attachments = images.map(({ mimeType, data }) => {
    return { type: "file" as const, mime: String(mimeType), url: `data:${mimeType};base64,${data}` };
  });
  return { output, ...(attachments.length > 0 && { attachments }) };
}

function allowed(ask: Ask, answer: Record<string, unknown>) {
  const permanent = Array.isArray(answer.updatedPermissions) && answer.updatedPermissions.length > 0;
  if (ask.toolName !== "AskUserQuestion") return { decision: permanent ? ("always" as const) : ("once" as const) };
  const given =
    isRecord(answer.updatedInput) && isRecord(answer.updatedInput.answers) ? answer.updatedInput.answers : {};
  const questions = Array.isArray(ask.input.questions) ? ask.input.questions.filter(isRecord) : [];
  return {
    answers: questions.map((question) => answersTo(question, given[String(question.question)])),
  };
}

/** One string holds the answer; several labels of a question that takes several are joined by commas. */
function answersTo(question: Record<string, unknown>, given: unknown): string[] {
  if (typeof given !== "string") return [];
  return question.multiSelect === true ? given.split(", ") : [given];
}
