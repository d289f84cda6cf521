import { beginOwnTurn } from "../shared/prompts.js";
import { currentModel } from "./model.js";
import { type CodexDraft, isMain } from "./state.js";

/** Whether something belongs to the thread's running turn. */
export function isRunning(draft: CodexDraft, turnID: string): boolean {
  return draft.thread.turnID === turnID;
}

/**
 * Whether something belongs to the running turn, which it may be the first to name: in a review items come before
 * `turn/started`. What belongs to a turn that is over comes too late.
 */
export function joinTurn(draft: CodexDraft, turnID: string): boolean {
  const { thread } = draft;
  if (thread.turnID === turnID) return true;
  if (thread.turnID !== null || thread.closedTurns.includes(turnID)) return false;
  bindTurn(draft, turnID);
  return true;
}

export function bindTurn(draft: CodexDraft, turnID: string): void {
  const { thread, state } = draft;
  if (thread.turnID === turnID) return;
  Object.assign(thread, { turnID, startedID: null, turns: thread.turns + 1, items: {}, opened: {}, steered: false });
  thread.usageBefore = thread.usage;
  // A recording that was made elsewhere does not answer our own requests: there this is the first sign of the prompt.
  if (isMain(draft) && state.prompt) state.prompt.sent = true;
}

/** Something of a turn came while none runs on the wire: the agent began one by itself. */
export function ensureTurn(draft: CodexDraft): void {
  if (!draft.transcript.turn) beginOwnTurn(draft, currentModel(draft), "agent");
}
