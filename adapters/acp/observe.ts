import type { PromptPart } from "../../schemas/index.js";
import type { Command } from "../contract.js";
import { isRecord } from "../shared/is-record.js";
import { observeReply, type Reply, rpcTokenOf } from "../shared/json-rpc.js";
import { at, fileOf, textOf } from "./content.js";
import { readAnswers } from "./elicitation-form.js";
import type { AcpState, Ask } from "./state.js";

/** What a recording shows was written to the agent, as the command it came from. */
export function observe(state: AcpState, sent: unknown): Command | undefined {
  if (!isRecord(sent)) return undefined;
  const { method } = sent;
  if (typeof method !== "string") return observeReply(state.asks, sent, verdictOf);
  const params = isRecord(sent.params) ? sent.params : {};
  if (state.main.nativeID !== null && params.sessionId !== state.main.nativeID) return undefined;
  switch (method) {
    case "session/prompt":
      return promptOf(params, sent.id);
    case "session/cancel":
      return { type: "abort", keepQueue: true };
    default:
      return undefined;
  }
}

/** The id of the request names the prompt: its answer carries it. */
function promptOf(params: Record<string, unknown>, id: unknown): Command {
  const blocks = Array.isArray(params.prompt) ? params.prompt : [];
  const parts = blocks.flatMap(promptPart);
  const nativeID = rpcTokenOf({ id });
  return { type: "prompt", parts, ...(nativeID !== undefined && { nativeID }) };
}

function promptPart(block: unknown): PromptPart[] {
  const text = textOf(block);
  if (text !== undefined) return text === "" ? [] : [{ type: "text", text }];
  const file = fileOf(block);
  return file
    ? [{ type: "file", mime: file.mime, url: file.url, ...(file.filename && { filename: file.filename }) }]
    : [];
}

function verdictOf(ask: Ask, result: Record<string, unknown>): Partial<Reply> {
  switch (ask.kind) {
    case "permission":
      return chosen(result) === undefined ? { decision: "reject" } : { optionID: String(chosen(result)) };
    case "questions":
      return answersBeside(ask.options.find(({ id }) => id === chosen(result))?.kind, result);
    case "form":
      if (result.action !== "accept") return { decision: "reject" };
      return { answers: readAnswers(ask.fields, isRecord(result.content) ? result.content : {}) };
    case "url":
      return result.action === "accept" ? { answers: [["Done"]] } : { decision: "reject" };
  }
}

function chosen(result: Record<string, unknown>): unknown {
  return at(result, "outcome.optionId");
}

function answersBeside(kind: string | undefined, { answers }: Record<string, unknown>): Partial<Reply> {
  if (kind === undefined || kind.startsWith("reject")) return { decision: "reject" };
  const given = isRecord(answers) ? Object.values(answers) : [];
  return { answers: given.map((answer) => (Array.isArray(answer) ? answer.map(String) : [String(answer)])) };
}
