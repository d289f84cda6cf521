import type { DecidedBy, Finish, MessageError } from "../../schemas/index.js";
import { NO_TOKENS } from "../../schemas/index.js";
import { endTurn } from "../shared/end-turn.js";
import { dropAsks } from "./asks.js";
import { closeMessages, openFailedMessage } from "./closing.js";
import { finishOfError } from "./errors.js";
import { promptTarget } from "./model.js";
import type { OpencodeDraft } from "./state.js";

export interface Ending {
  readonly finish?: Finish;
  readonly error?: MessageError;
  /** What becomes of tools that never got a result. */
  readonly toolError: string;
  readonly decidedBy: DecidedBy;
}

export const ABORTED: Ending = { finish: "aborted", toolError: "The turn was aborted", decidedBy: "user" };
const ENDED = "The turn ended before this tool had a result";

/** How the turn of a thread ended that the server calls idle. */
export function endingOf({ state, thread }: OpencodeDraft): Ending {
  if (state.aborting || thread.error?.name === "aborted") return { ...ABORTED, decidedBy: "agent" };
  const base = { toolError: ENDED, decidedBy: "agent" } as const;
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
