import { PromptPart } from "../../schemas/index.js";
import type { Command } from "../contract.js";
import { isRecord } from "../shared/is-record.js";
import type { Ask, OpencodeState } from "./state.js";

type Body = Record<string, unknown>;

/** What a recording shows was asked of the server, as the command it came from. */
export function observe(state: OpencodeState, sent: unknown): Command | undefined {
  if (!isRecord(sent) || sent.method !== "POST" || typeof sent.path !== "string") return undefined;
  const body = isRecord(sent.body) ? sent.body : {};
  const [, family, id = "", verb, rest = ""] = sent.path.split("?")[0]?.split("/") ?? [];
  if (family === "session") return sessionCommand(state, id, verb ?? "", rest, body);
  const ask = Object.values(state.asks).find(({ nativeID }) => nativeID === id);
  if (!ask) return undefined;
  if (family === "permission") return permissionReply(ask, body.reply, body.message);
  return family === "question" ? questionReply(ask, verb === "reply" ? body.answers : undefined) : undefined;
}

function sessionCommand(state: OpencodeState, id: string, verb: string, rest: string, body: Body): Command | undefined {
  const main = state.main.nativeID ?? id;
  switch (verb) {
    case "abort": {
      const child = state.children[id];
      if (child) return { type: "abort", sessionID: child.transcript.session.id };
      return id === main ? { type: "abort" } : undefined;
    }
    case "prompt_async":
    case "message":
      return id === main ? { type: "prompt", parts: partsOf(body.parts) } : undefined;
    case "summarize":
      return id === main ? { type: "prompt", parts: [{ type: "text", text: "/compact" }] } : undefined;
    case "permissions": {
      const ask = Object.values(state.asks).find(({ nativeID }) => nativeID === rest);
      return ask && permissionReply(ask, body.response, undefined);
    }
    default:
      return undefined;
  }
}

function partsOf(parts: unknown): PromptPart[] {
  const read = Array.isArray(parts) ? parts.map((part) => PromptPart.safeParse(part)) : [];
  return read.flatMap((part) => (part.success ? [part.data] : []));
}

function permissionReply({ blockID }: Ask, reply: unknown, message: unknown): Command {
  const decision = reply === "once" || reply === "always" ? reply : "reject";
  return { type: "reply", blockID, decision, decidedBy: "user", ...(typeof message === "string" && { message }) };
}

function questionReply({ blockID }: Ask, answers: unknown): Command {
  const base = { type: "reply", blockID, decidedBy: "user" } as const;
  if (!Array.isArray(answers)) return { ...base, decision: "reject" };
  return { ...base, answers: answers.map((labels) => (Array.isArray(labels) ? labels.map(String) : [])) };
}
