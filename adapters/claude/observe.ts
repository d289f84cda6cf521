import type { PromptPart } from "../../schemas/index.js";
import type { Command } from "../contract.js";
import { isRecord } from "./api-message.js";
import type { Ask, ClaudeState } from "./state.js";

/** What a recording shows was written to the CLI, as the command it came from. */
export function observe(state: ClaudeState, sent: unknown): Command | undefined {
  if (!isRecord(sent)) return undefined;
  if (sent.type === "user") return promptOf(sent);
  if (sent.type === "control_response") return replyOf(state, sent.response);
  const request = sent.type === "control_request" ? sent.request : undefined;
  return isRecord(request) && request.subtype === "interrupt" ? { type: "abort", keepQueue: true } : undefined;
}

function promptOf(sent: Record<string, unknown>): Command | undefined {
  const content = isRecord(sent.message) && sent.message.role === "user" ? sent.message.content : undefined;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(blocks)) return undefined;
  const parts = blocks.filter(isRecord).flatMap((block) => promptPart(block));
  const nativeID = typeof sent.uuid === "string" ? { nativeID: sent.uuid } : {};
  return parts.length > 0 ? { type: "prompt", parts, ...nativeID } : undefined;
}

function promptPart(block: Record<string, unknown>): PromptPart[] {
  if (block.type === "text" && typeof block.text === "string" && block.text !== "") {
    return [{ type: "text", text: block.text }];
  }
  const source = isRecord(block.source) ? block.source : {};
  if (typeof source.media_type !== "string" || typeof source.data !== "string") return [];
  return [{ type: "file", mime: source.media_type, url: `data:${source.media_type};base64,${source.data}` }];
}

function replyOf(state: ClaudeState, response: unknown): Command | undefined {
  if (!isRecord(response)) return undefined;
  const ask = Object.values(state.asks).find((open) => open.requestID === response.request_id);
  if (!ask) return undefined;
  const answer = isRecord(response.response) ? response.response : {};
  const base = { type: "reply" as const, blockID: ask.blockID, decidedBy: "user" as const };
  if (answer.behavior === "allow") return { ...base, ...allowed(ask, answer) };
  return {
    ...base,
    decision: "reject",
    ...(typeof answer.message === "string" && { message: answer.message }),
    ...(answer.interrupt === true && { interrupt: true }),
  };
}

function allowed(ask: Ask, answer: Record<string, unknown>) {
  const permanent = Array.isArray(answer.updatedPermissions) && answer.updatedPermissions.length > 0;
  if (ask.toolName !== "AskUserQuestion") return { decision: permanent ? ("always" as const) : ("once" as const) };
  const given =
    isRecord(answer.updatedInput) && isRecord(answer.updatedInput.answers) ? answer.updatedInput.answers : {};
  const questions = Array.isArray(ask.input.questions) ? ask.input.questions.filter(isRecord) : [];
  return {
    answers: questions.map(({ question }) =>
      typeof given[String(question)] === "string" ? [String(given[String(question)])] : [],
    ),
  };
}
