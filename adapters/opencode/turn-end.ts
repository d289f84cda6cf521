import { NO_TOKENS } from "../../schemas/index.js";
import { ABORTED, type Ending, endTurn, NO_RESULT } from "../shared/end-turn.js";
import { dropAsks } from "./asks.js";
import { closeMessages, openFailedMessage } from "./closing.js";
import { finishOfError } from "./errors.js";
import { promptTarget } from "./model.js";
import type { OpencodeDraft } from "./state.js";

/** How the turn of a thread ended that the server calls idle. */
export function endingOf({ state, thread }: OpencodeDraft): Ending {
  if (state.aborting || thread.error?.name === "aborted") return { ...ABORTED, decidedBy: "agent" };
  const base = { toolError: NO_RESULT, decidedBy: "agent" } as const;
  return thread.error ? { ...base, finish: finishOfError(thread.error), error: thread.error } : base;
}

/** Ends the thread's turn with everything that is open in it. */
export function finishTurn(draft: OpencodeDraft, end: Ending): void {
  const { thread, transcript, state } = draft;
  dropAsks(draft);
  closeMessages(draft);
  if (transcript.turn) {
    if (end.error) openFailedMessage(draft);
    const counted = thread.started && !thread.compacting && Object.keys(thread.open).length === 0;
    endTurn(draft, { ...end, ...(counted && { totals: { tokens: thread.told } }), model: promptTarget(state) });
  }
  Object.assign(thread, {
    open: {},
    announced: null,
    started: false,
    settling: false,
    error: null,
    told: NO_TOKENS,
    rejected: false,
    compacting: false,
  });
}
