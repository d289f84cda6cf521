import type { Block, Decision, ResolvedBlock } from "../../schemas/index.js";
import type { Command } from "../contract.js";
import { fillForm } from "../shared/elicitation-form.js";
import { rememberAlways, resolveBlock } from "../shared/resolve-block.js";
import { completeTool, failTool, unblockTool } from "../shared/tool-call.js";
import { inThreadOf } from "./asks.js";
import { answerCall } from "./client-tools.js";
import { sendAnswer, sendRequest } from "./rpc.js";
import type { Ask, CodexDraft } from "./state.js";

type ReplyCommand = Extract<Command, { type: "reply" }>;
type AskOf<K extends Ask["kind"]> = Extract<Ask, { kind: K }>;
type Answers = readonly (readonly string[])[];

const REJECTED = "The user rejected this tool call";
export const SECRET = "•••";

/** Decides an ask; returns the step in the thread that asked when its turn is to end with it. */
export function onReply(step: CodexDraft, command: ReplyCommand): CodexDraft | undefined {
  const ask = step.state.asks[command.blockID];
  if (!ask) return undefined;
  const draft = inThreadOf(step, ask);
  const state = draft.transcript.tools[ask.callID]?.state;
  if (state?.status !== "blocked") return undefined;
  delete draft.state.asks[command.blockID];
  if (ask.kind === "call") {
    answerCall(draft, ask, state.block, command);
    return undefined;
  }
  const decision = decisionOf(command, state.block);
  const answers = command.answers ?? [];
  const resolved = resolveBlock(draft, state.block, { ...command, answers: kept(ask, answers), decision });
  const interrupt = decision === "reject" && command.interrupt === true;
  if (decision === "reject" && command.decidedBy === "user" && !interrupt) tellReason(draft, command.message);
  if (decision === "reject") failTool(draft, ask.callID, { error: command.message || REJECTED, block: resolved });
  else goOn(draft, ask, resolved);
  const native = ask.kind === "command" ? ask.options[command.optionID ?? ""] : undefined;
  sendAnswer(
    draft,
    ask.token,
    native === undefined ? answerTo(ask, decision, answers, interrupt) : { decision: native },
  );
  return interrupt ? draft : undefined;
}

/** `always` where nothing is offered would promise what the agent does not keep. */
function decisionOf(command: ReplyCommand, asked: Block): Decision {
  if (asked.type !== "permission") return command.answers ? "once" : "reject";
  const option = asked.options?.find(({ optionID }) => optionID === command.optionID);
  if (option) return option.decision;
  if (command.decision === "always" && asked.always.length === 0) return "once";
  return command.decision ?? "reject";
}

/** A secret goes to the agent and is kept nowhere. */
function kept(ask: Ask, answers: Answers): Answers {
  if (ask.kind !== "questions") return answers;
  return answers.map((labels, i) => (ask.secret[i] ? labels.map(() => SECRET) : labels));
}

/** A part that is there only for the ask has its result with the answer; any other tool runs now. */
function goOn(draft: CodexDraft, ask: Ask, resolved: ResolvedBlock): void {
  if (resolved.type === "permission" && resolved.decision === "always") rememberAlways(draft, resolved);
  if (!ask.synthetic) return unblockTool(draft, ask.callID, resolved);
  const output = resolved.type === "question" ? resolved.answers.map((labels) => labels.join(", ")).join("\n") : "";
  completeTool(draft, ask.callID, { output, block: resolved });
}

function answerTo(
  ask: Exclude<Ask, { kind: "call" }>,
  decision: Decision,
  answers: Answers,
  interrupt: boolean,
): unknown {
  switch (ask.kind) {
    case "command":
    case "fileChange":
      return { decision: nativeDecision(decision, interrupt) };
    case "permissions":
      return permissionsAnswer(ask, decision);
    case "mcpTool":
      return mcpAnswer(ask, decision);
    case "questions":
      return { answers: Object.fromEntries(ask.ids.map((id, i) => [id, { answers: answers[i] ?? [] }])) };
    case "form":
      if (decision === "reject") return { action: "decline", content: null, _meta: null };
      return { action: "accept", content: fillForm(ask.fields, answers), _meta: null };
    case "url":
      return { action: decision === "reject" ? "decline" : "accept", content: null, _meta: null };
  }
}

/** `acceptForSession` and `decline` are honoured although `availableDecisions` never names them; `cancel` ends the turn. */
function nativeDecision(decision: Decision, interrupt: boolean): string {
  if (decision === "reject") return interrupt ? "cancel" : "decline";
  return decision === "always" ? "acceptForSession" : "accept";
}

/** To grant nothing is to deny. */
function permissionsAnswer({ permissions }: AskOf<"permissions">, decision: Decision): unknown {
  if (decision === "reject") return { permissions: {}, scope: "turn" };
  const granted = Object.fromEntries(Object.entries(permissions).filter(([, value]) => value != null));
  return { permissions: granted, scope: decision === "always" ? "session" : "turn" };
}

function mcpAnswer({ persist }: AskOf<"mcpTool">, decision: Decision): unknown {
  if (decision === "reject") return { action: "decline", content: null, _meta: null };
  return { action: "accept", content: {}, _meta: decision === "always" && persist !== null ? { persist } : null };
}

/**
 * A person's reason goes to the model as a word of the user in the same turn: the answers have no place for one. It is sent
 * before the answer, behind which it is delivered; a moment later it would cut off the next response.
 */
function tellReason(draft: CodexDraft, reason: string | undefined): void {
  const { threadID, turnID } = draft.thread;
  if (!reason || threadID === null || turnID === null) return;
  draft.thread.unechoed += 1;
  sendRequest(draft, "turn/steer", {
    threadId: threadID,
    expectedTurnId: turnID,
    input: [{ type: "text", text: reason, text_elements: [] }],
  });
}
