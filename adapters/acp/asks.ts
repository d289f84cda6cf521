import type { Block } from "../../schemas/index.js";
import { blockTool, openTool, unblockTool } from "../shared/tool-call.js";
import { ownCallID } from "./call-ids.js";
import { closeChunks, messageFor } from "./responses.js";
import { sendAnswer } from "./rpc.js";
import { type AcpDraft, type Ask, conversationKey, inConversation } from "./state.js";

/** Where an ask is shown: on the part of its tool, or on a part of its own. */
export interface AskPlace {
  readonly callID: string;
  readonly synthetic: boolean;
}

export const CANCELLED = { outcome: { outcome: "cancelled" } };

/** A part of its own for an ask whose tool has none, or whose tool waits for another ask already. */
export function placeOfItsOwn(draft: AcpDraft, name: string, tool: string): AskPlace {
  const message = messageFor(draft, "call");
  closeChunks(draft);
  const callID = ownCallID(draft.conversation, name);
  openTool(draft, message, { callID, tool, metadata: { native: { tool: name } } });
  draft.conversation.response?.calls.push(callID);
  draft.conversation.spoke = true;
  return { callID, synthetic: true };
}

/** Whether a tool's part can take an ask. */
export function canBlock(draft: AcpDraft, callID: string | undefined): callID is string {
  const status = draft.transcript.tools[callID ?? ""]?.state.status;
  return status === "pending" || status === "running";
}

export function openAsk(
  draft: AcpDraft,
  ask: Ask,
  shown: { input: Record<string, unknown>; title: string },
  block: Block,
): void {
  draft.state.asks[ask.blockID] = ask;
  blockTool(draft, ask.callID, shown.input, shown.title, block);
}

export function askOfToken(draft: AcpDraft, token: string): Ask | undefined {
  return Object.values(draft.state.asks).find((ask) => ask.token === token);
}

/** The step at work in the conversation that asks. */
export function inConversationOf(draft: AcpDraft, ask: Ask): AcpDraft {
  const { main, children } = draft.state;
  return inConversation(draft, ask.nativeID === null ? main : (children[ask.nativeID] ?? main));
}

/** Answers what still waits in this conversation: an agent whose request stays open never ends its turn. */
export function cancelAsks(draft: AcpDraft): void {
  const key = conversationKey(draft);
  for (const ask of Object.values(draft.state.asks)) if (ask.nativeID === key) cancelAsk(draft, ask);
}

function cancelAsk(draft: AcpDraft, ask: Ask): void {
  delete draft.state.asks[ask.blockID];
  const isForm = ask.kind === "form" || ask.kind === "url";
  sendAnswer(draft, ask.token, isForm ? { action: "cancel" } : CANCELLED);
}

/** The call is over, and with it the ask. Its request still wants an answer. */
export function forgetAskOf(draft: AcpDraft, callID: string): void {
  const ask = Object.values(draft.state.asks).find((open) => open.callID === callID);
  if (ask) cancelAsk(draft, ask);
}

/** Asks of a process that is gone. */
export function dropAsks(draft: AcpDraft): void {
  draft.state.asks = {};
}

/** The agent does not wait any more although we said nothing. The tool goes on, and its end tells the verdict. */
export function withdrawAsk(step: AcpDraft, token: string): void {
  const ask = askOfToken(step, token);
  if (!ask) return;
  const draft = inConversationOf(step, ask);
  cancelAsk(draft, ask);
  const state = draft.transcript.tools[ask.callID]?.state;
  if (state?.status !== "blocked") return;
  const call = Object.values(draft.conversation.calls).find(({ callID }) => callID === ask.callID);
  if (call) call.withdrawn = state.block;
  unblockTool(draft, ask.callID, undefined);
}
