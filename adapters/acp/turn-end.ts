import type { Tokens } from "../../schemas/index.js";
import { type Ending, endTurn } from "../shared/end-turn.js";
import { completeTool } from "../shared/tool-call.js";
import { cancelAsks } from "./asks.js";
import { forgetCall } from "./calls.js";
import { endCompaction } from "./compaction.js";
import { currentModel } from "./model.js";
import { closeResponse, messageFor } from "./responses.js";
import { type AcpDraft, isMain } from "./state.js";

export interface AcpEnding extends Ending {
  /** What the agent says the turn used; `isPart` where that is only its last response. */
  readonly used?: { readonly tokens: Tokens; readonly isPart: boolean };
}

/** Ends the conversation's turn: agents leave calls open that were cancelled, rejected or forgotten. */
export function finishTurn(draft: AcpDraft, end: AcpEnding): void {
  const { conversation, transcript } = draft;
  cancelAsks(draft);
  if (!transcript.turn) return;
  endCompaction(draft);
  if (end.finish === "stop" || end.finish === "length") completeSilent(draft);
  const totals = closeLast(draft, end);
  const cost = costOf(draft);
  const model = currentModel(draft);
  endTurn(draft, { ...end, ...(totals && { totals }), ...(cost !== undefined && { cost }), model });
  for (const id of Object.keys(conversation.calls)) forgetCall(conversation, id);
  Object.assign(conversation, { response: null, chunks: null });
}

/** Calls of which an agent tells nothing but that it asks for them, and subagents, which outlive the turn. */
function completeSilent(draft: AcpDraft): void {
  const { conversation, transcript, state } = draft;
  const asked = Object.values(conversation.calls).flatMap(({ asked, callID }) => (asked ? [callID] : []));
  for (const callID of asked)
    if (transcript.tools[callID]?.state.status === "running") completeTool(draft, callID, { output: "" });
  for (const child of Object.values(state.children)) {
    if (child.callID === null || transcript.tools[child.callID]?.state.status !== "running") continue;
    completeTool(draft, child.callID, { output: child.lastText, metadata: { background: true } });
  }
}

/**
 * The last response takes what was used and not counted with another. A turn that has none, or failed behind an answered
 * one, gets a message that says so.
 */
function closeLast(draft: AcpDraft, { finish, error, used }: AcpEnding): { tokens: Tokens } | undefined {
  const { conversation } = draft;
  if (error || (used && conversation.response === null)) messageFor(draft, "call");
  const rest = used && (used.isPart ? used.tokens : minus(used.tokens, conversation.counted));
  closeResponse(draft, { ...(finish && { finish }), ...(rest && { tokens: rest }) });
  if (!used || used.isPart) return undefined;
  return JSON.stringify(conversation.counted) === JSON.stringify(used.tokens) ? { tokens: used.tokens } : undefined;
}

function minus(a: Tokens, b: Tokens): Tokens {
  const left = (total: number, part: number) => Math.max(0, total - part);
  return {
    input: left(a.input, b.input),
    output: left(a.output, b.output),
    reasoning: left(a.reasoning, b.reasoning),
    cache: { read: left(a.cache.read, b.cache.read), write: left(a.cache.write, b.cache.write) },
  };
}

/** What the session cost grew by; undefined where the agent tells none. */
function costOf(draft: AcpDraft): number | undefined {
  const { state } = draft;
  if (!isMain(draft)) return undefined;
  const grown = Math.max(0, state.cost - state.costBefore);
  state.costBefore = state.cost;
  return grown > 0 ? grown : undefined;
}
