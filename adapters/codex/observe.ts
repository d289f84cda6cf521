import { ReviewTarget } from "../../schemas/index.js";
import type { Command } from "../contract.js";
import { isRecord } from "../shared/is-record.js";
import { observeReply, type Reply } from "../shared/json-rpc.js";
import { observeCall } from "./client-tools.js";
import type { Ask, CodexState } from "./state.js";
import { promptParts } from "./user-items.js";

/** What a recording shows was written to the app-server, as the command it came from. */
export function observe(state: CodexState, sent: unknown): Command | undefined {
  if (!isRecord(sent)) return undefined;
  const { method } = sent;
  if (typeof method !== "string") return observeReply(state.asks, sent, verdictOf);
  const params = isRecord(sent.params) ? sent.params : {};
  const { main } = state;
  // What is sent to another thread comes back as that thread's items.
  if (main.threadID !== null && params.threadId !== main.threadID) return undefined;
  switch (method) {
    case "turn/start":
      return promptOf(params, main.turnID !== null);
    case "thread/queue/add":
      return promptOf(params, false);
    case "turn/steer":
      return params.expectedTurnId === main.turnID ? promptOf(params, true) : undefined;
    case "thread/compact/start":
      return { type: "compact" };
    case "review/start":
      return reviewOf(params.target);
    case "turn/interrupt":
      return main.startedID !== null && params.turnId === main.startedID
        ? { type: "abort", keepQueue: true }
        : undefined;
    default:
      return undefined;
  }
}

/** A `turn/start` in the middle of a turn is a steer. */
function promptOf(params: Record<string, unknown>, steer: boolean): Command {
  const nativeID = params.clientUserMessageId;
  return {
    type: "prompt",
    parts: promptParts(params.input),
    ...(steer && { steer }),
    ...(typeof nativeID === "string" && { nativeID }),
  };
}

function reviewOf(target: unknown): Command | undefined {
  const fields = isRecord(target) ? Object.entries(target).filter(([, value]) => value != null) : [];
  const { data } = ReviewTarget.safeParse(Object.fromEntries(fields));
  return data && { type: "review", target: data };
}

function verdictOf(ask: Ask, result: Record<string, unknown>): Partial<Reply> {
  switch (ask.kind) {
    case "command":
    case "fileChange":
      return decisionVerdict(result.decision);
    case "permissions":
      if (!isRecord(result.permissions) || Object.keys(result.permissions).length === 0) return { decision: "reject" };
      return { decision: result.scope === "session" ? "always" : "once" };
    case "mcpTool": {
      const persists = isRecord(result._meta) && result._meta.persist !== undefined;
      return result.action === "accept" ? { decision: persists ? "always" : "once" } : { decision: "reject" };
    }
    case "questions":
      return { answers: ask.ids.map((id) => labelsOf(isRecord(result.answers) ? result.answers[id] : undefined)) };
    case "form":
      if (result.action !== "accept") return { decision: "reject" };
      return {
        answers: ask.fields.map(({ name }) => textsOf(isRecord(result.content) ? result.content[name] : undefined)),
      };
    case "call":
      return observeCall(result);
    case "url":
      return result.action === "accept" ? { answers: [["Done"]] } : { decision: "reject" };
  }
}

function decisionVerdict(decision: unknown): Partial<Reply> {
  if (decision === "decline" || decision === undefined) return { decision: "reject" };
  if (decision === "cancel") return { decision: "reject", interrupt: true };
  const option = isRecord(decision) ? Object.keys(decision)[0] : undefined;
  if (option !== undefined) return { optionID: option };
  return { decision: decision === "acceptForSession" ? "always" : "once" };
}

function labelsOf(answer: unknown): string[] {
  return isRecord(answer) && Array.isArray(answer.answers) ? answer.answers.map(String) : [];
}

function textsOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}
