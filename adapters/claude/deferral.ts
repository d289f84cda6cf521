import { addTokens, NO_TOKENS, type Tokens } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import { failTool } from "../shared/tool-call.js";
import { sendAnswer } from "./control.js";
import type { ResultFrame } from "./frame.js";
import { type ClaudeDraft, type Deferral, inThread } from "./state.js";
import { type ClaudeEnding, someSubagentWorks } from "./subagents.js";
import { tokensOf, turnCost } from "./usage.js";

/**
 * A hook may defer a call: the CLI ends its turn there, and when it is started again with this conversation it takes the
 * call up by itself, before any prompt. So the turn goes on in another process, and the call stays the one part it was.
 */

/** The open call of the main thread that a result says was deferred. */
export function deferredCall({ main }: ClaudeDraft, frame: ResultFrame): string | undefined {
  const call = isRecord(frame.deferred_tool_use) ? frame.deferred_tool_use.id : undefined;
  return typeof call === "string" && main.transcript.tools[call] ? call : undefined;
}

/** Ends this process, so that another one takes the call up. False when it must not be: then the call has failed. */
export function deferCall(draft: ClaudeDraft, frame: ResultFrame, callID: string, promptsWait: boolean): boolean {
  const obstacle = obstacleTo(draft, callID, promptsWait);
  draft.state.leftDeferred = { callID, stopped: false };
  if (obstacle !== undefined) {
    failTool(draft, callID, { error: obstacle });
    return false;
  }
  draft.state.deferral = { callID, asked: false, ...spentWith(draft.state.deferral, frame) };
  failOthers(draft, callID);
  draft.outputs.push({ kind: "stop", how: "end" });
  draft.state.process = "restarting";
  return true;
}

/** What is deferred twice without a word of the user in between would go round for ever. */
function obstacleTo(draft: ClaudeDraft, callID: string, promptsWait: boolean): string | undefined {
  const { deferral } = draft.state;
  if (draft.state.aborting) return "The turn was aborted";
  if (deferral?.callID === callID && !deferral.asked) return "A hook deferred this call again, and nobody was asked";
  if (promptsWait) return "A hook deferred this call, and the agent went on with another prompt";
  if (worksInBackground(draft))
    return "A hook deferred this call, and background work keeps the process that would have to end for it";
  return undefined;
}

function worksInBackground(draft: ClaudeDraft): boolean {
  return Object.values(draft.state.tasks).some(({ status }) => status === "running") || someSubagentWorks(draft);
}

/** Only one call is taken up again: whatever else of the response has no result by now gets none. */
function failOthers(draft: ClaudeDraft, callID: string): void {
  for (const other of Object.keys(draft.transcript.tools)) {
    if (other !== callID) failTool(draft, other, { error: "The turn was deferred before this tool had a result" });
  }
}

function spentWith(earlier: Deferral | null, frame: ResultFrame): Pick<Deferral, "cost" | "tokens"> {
  const tokens = frame.usage ? tokensOf(frame.usage) : NO_TOKENS;
  return { cost: (earlier?.cost ?? 0) + turnCost(frame), tokens: addTokens(earlier?.tokens ?? NO_TOKENS, tokens) };
}

/** A process counts anew: what the turn spent in those before it comes on top. */
export function withSpent(end: ClaudeEnding, deferral: Deferral | null): ClaudeEnding {
  if (!deferral) return end;
  const cost = (end.cost ?? 0) + deferral.cost;
  if (!end.totals) return { ...end, cost };
  const { tokens } = end.totals as { tokens?: Tokens };
  const totals = { ...end.totals, cost, ...(tokens && { tokens: addTokens(deferral.tokens, tokens) }) };
  return { ...end, cost, totals };
}

/** The process that should have taken the call up ended, or ended the turn, without it. */
export function failUnasked(draft: ClaudeDraft, why: string): void {
  const { deferral } = draft.state;
  if (!deferral || deferral.asked) return;
  failTool(inThread(draft, draft.main), deferral.callID, { error: `A hook deferred this call, and ${why}` });
}

/** The turn of a deferred call is over, but the conversation ends with it: a new process would take the call up. */
export function stopsDeferred(draft: ClaudeDraft): boolean {
  const { leftDeferred, deferral } = draft.state;
  if (!leftDeferred || deferral) return false;
  leftDeferred.stopped = true;
  return true;
}

/** Nobody waits for a call that was left deferred: its part is closed. */
export function refusesLeft(draft: ClaudeDraft, requestID: string, callID: string): boolean {
  if (draft.state.leftDeferred?.callID !== callID || draft.main.transcript.tools[callID]) return false;
  const message = "The turn that this call belongs to is over";
  sendAnswer(draft, requestID, { behavior: "deny", message, interrupt: true });
  return true;
}
