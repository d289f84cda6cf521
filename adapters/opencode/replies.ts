import type { Block, Decision } from "../../schemas/index.js";
import type { Command } from "../contract.js";
import { inThreadOf, release, sendAnswers, sendRejection, sendReply, settle } from "./asks.js";
import type { Ask, OpencodeDraft } from "./state.js";

type ReplyCommand = Extract<Command, { type: "reply" }>;

/**
 * Decides an ask. To reject without a word ends the turn, as it does in OpenCode itself; with one the model goes on from it.
 */
export function onReply(step: OpencodeDraft, command: ReplyCommand): void {
  const ask = step.state.asks[command.blockID];
  if (!ask) return;
  const draft = inThreadOf(step, ask);
  release(draft, ask);
  const state = draft.transcript.tools[ask.callID]?.state;
  if (state?.status !== "blocked") return;
  const decision = decisionOf(command, state.block);
  settle(draft, ask, { ...command, decision });
  if (decision === "reject") draft.thread.rejected = true;
  tell(draft, ask, command, decision);
}

/** `always` where nothing is offered would promise what the agent does not keep. */
function decisionOf(command: ReplyCommand, asked: Block): Decision {
  if (asked.type === "question") return command.answers ? "once" : "reject";
  const hasAlways = asked.type === "permission" && asked.always.length > 0;
  if (command.decision === "always" && !hasAlways) return "once";
  return command.decision ?? "reject";
}

function tell(draft: OpencodeDraft, ask: Ask, command: ReplyCommand, decision: Decision): void {
  if (ask.kind === "permission") {
    const { message, interrupt } = command;
    const reason = decision === "reject" && message && !interrupt ? { message } : {};
    return sendReply(draft, ask.nativeID, { reply: decision, ...reason });
  }
  if (decision === "reject") return sendRejection(draft, ask.nativeID);
  sendAnswers(draft, ask.nativeID, command.answers ?? []);
}
