import type { Block, Decision, ResolvedBlock } from "../../schemas/index.js";
import type { Command } from "../contract.js";
import { rememberAlways, resolveBlock } from "../shared/resolve-block.js";
import { completeTool, failTool, unblockTool } from "../shared/tool-call.js";
import { CANCELLED, inConversationOf } from "./asks.js";
import { advance, forgetCall } from "./calls.js";
import { fillQuestions } from "./elicitation-form.js";
import { optionFor } from "./permissions.js";
import { sendAnswer } from "./rpc.js";
import type { AcpDraft, Ask, Call } from "./state.js";
import { viewOf } from "./tools.js";

type ReplyCommand = Extract<Command, { type: "reply" }>;

const REJECTED = "The user rejected this tool call";

/** Decides an ask; returns the step in the conversation that asked when its turn is to end with it. */
export function onReply(step: AcpDraft, command: ReplyCommand): AcpDraft | undefined {
  const ask = step.state.asks[command.blockID];
  if (!ask) return undefined;
  const draft = inConversationOf(step, ask);
  const state = draft.transcript.tools[ask.callID]?.state;
  if (state?.status !== "blocked") return undefined;
  delete draft.state.asks[command.blockID];
  const decision = decisionOf(command, state.block);
  const resolved = resolveBlock(draft, state.block, { ...command, decision });
  if (decision === "reject") refuse(draft, ask, command.message || REJECTED, resolved);
  else goOn(draft, ask, resolved);
  sendAnswer(draft, ask.token, answerTo(ask, decision, command));
  return decision === "reject" && command.interrupt === true ? draft : undefined;
}

function decisionOf(command: ReplyCommand, asked: Block): Decision {
  if (asked.type === "question") return command.answers ? "once" : "reject";
  const options = asked.type === "permission" ? asked.options : undefined;
  const option = options?.find(({ optionID }) => optionID === command.optionID);
  return option?.decision ?? command.decision ?? "reject";
}

/** Not every agent tells what became of a rejected call: it is over here, whatever still comes. */
function refuse(draft: AcpDraft, ask: Ask, error: string, block: ResolvedBlock): void {
  const known = callOf(draft, ask);
  failTool(draft, ask.callID, { error, block });
  if (known) forgetCall(draft.conversation, known[0]);
}

/** A part that is there only for the ask has its result with the answer; any other tool runs now. */
function goOn(draft: AcpDraft, ask: Ask, resolved: ResolvedBlock): void {
  if (resolved.type === "permission" && resolved.decision === "always") rememberAlways(draft, resolved);
  const known = callOf(draft, ask);
  if (ask.synthetic || !known) {
    const output = resolved.type === "question" ? resolved.answers.map((labels) => labels.join(", ")).join("\n") : "";
    return completeTool(draft, ask.callID, { output, block: resolved });
  }
  const [id, call] = known;
  const { session, tools } = draft.transcript;
  const { input } = viewOf(call, tools[ask.callID]?.tool ?? "other", session.directory, draft.profile);
  unblockTool(draft, ask.callID, resolved, input);
  advance(draft, id, call);
}

function callOf({ conversation }: AcpDraft, ask: Ask): [string, Call] | undefined {
  return Object.entries(conversation.calls).find(([, { callID }]) => callID === ask.callID);
}

function answerTo(ask: Ask, decision: Decision, command: ReplyCommand): unknown {
  const answers = command.answers ?? [];
  switch (ask.kind) {
    case "permission":
      return selected(command.optionID ?? optionFor(decision, ask.options));
    case "questions": {
      const outcome = selected(optionFor(decision, ask.options));
      const given = Object.fromEntries(answers.map((labels, i) => [String(i), labels.join(", ")]));
      return decision === "reject" ? outcome : { ...outcome, answers: given };
    }
    case "form":
      if (decision === "reject") return { action: "decline" };
      return { action: "accept", content: fillQuestions(ask.fields, answers) };
    case "url":
      return { action: decision === "reject" ? "decline" : "accept" };
  }
}

/** An agent that offers no way to reject is told that nobody chose. */
function selected(optionID: string | undefined): { outcome: unknown } {
  return optionID === undefined ? CANCELLED : { outcome: { outcome: "selected", optionId: optionID } };
}
