import { type Ending, endTurn } from "../shared/end-turn.js";
import { completeTool } from "../shared/tool-call.js";
import { dropAsks } from "./asks.js";
import { noteOutliving } from "./hibernate.js";
import { currentModel } from "./model.js";
import { abandonTexts, currentMessage } from "./responses.js";
import type { CodexDraft } from "./state.js";
import { turnTokens } from "./usage.js";

const REMEMBERED_TURNS = 16;

/** Ends the thread's turn: the app-server ends none of the items that were cut, so they are ended here. */
export function finishTurn(draft: CodexDraft, end: Ending): void {
  const { thread, transcript } = draft;
  dropAsks(draft);
  abandonTexts(draft);
  if (transcript.turn) {
    if (end.finish !== "aborted") noteOutliving(draft);
    if (!end.finish) leaveRunning(draft);
    openFailedResponse(draft, end);
    const tokens = thread.steered || thread.turnID === null ? undefined : turnTokens(draft);
    endTurn(draft, { ...end, ...(tokens && { totals: { tokens } }), model: currentModel(draft) });
  }
  if (thread.turnID !== null) thread.closedTurns = [...thread.closedTurns, thread.turnID].slice(-REMEMBERED_TURNS);
  Object.assign(thread, {
    turnID: null,
    startedID: null,
    unechoed: 0,
    messageID: null,
    items: {},
    reviewCall: null,
  });
}

/** Commands outlive a turn that came to its end, and subagents do: the model has gone on without their results. */
function leaveRunning(draft: CodexDraft): void {
  for (const { callID, state } of Object.values(draft.transcript.tools)) {
    if (state.status !== "running") continue;
    const output = typeof state.metadata?.output === "string" ? state.metadata.output : "";
    completeTool(draft, callID, { output, metadata: { background: true } });
  }
}

/** A response that failed before its first word has a message of its own: the one before it was answered well. */
function openFailedResponse(draft: CodexDraft, { error }: Ending): void {
  const { turn } = draft.transcript;
  if (error && draft.thread.messageID === null && turn?.lastMessageID !== undefined) currentMessage(draft);
}
