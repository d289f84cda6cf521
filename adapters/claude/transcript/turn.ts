import { closeMessage } from "../../shared/assistant-message.js";
import { endTurn, failOpenTools, NO_RESULT, type Outcome, toolErrorOf } from "../../shared/end-turn.js";
import { beginOwnTurn, beginTurn } from "../../shared/prompts.js";
import { setStatus } from "../../shared/session-record.js";
import { currentModel, promptTarget } from "../model.js";
import { finishOf, tokensOf } from "../usage.js";
import { atEndOfAnswer, beforePause, type ReaderDraft } from "./state.js";

/** The blocks of a response have come: another response, a result of all it asked for, or the end of the turn shows it. */
export function closeAnswer(step: ReaderDraft): void {
  const { answer } = step.thread;
  if (!answer) return;
  step.thread.answer = null;
  const { stopReason, hasTools, aborted, usage } = answer;
  atEndOfAnswer(step.thread, answer, () =>
    closeMessage(beforePause(step), answer.messageID, {
      finish: aborted ? "aborted" : finishOf(stopReason, hasTools),
      tokens: tokensOf(usage),
    }),
  );
}

/** A line shows how the turn ended. */
export function closeTurn(draft: ReaderDraft, outcome: Outcome): void {
  closeAnswer(draft);
  endTurn(draft, { ...outcome, toolError: toolErrorOf(outcome), decidedBy: "agent", model: currentModel(draft) });
}

/** No line tells of a turn's end. It was over with its last line, as the next prompt shows. */
export function endBefore(draft: ReaderDraft): void {
  closeTurn(beforePause(draft), {});
}

/** A turn goes on after what looked like its end: a hook or a cut answer made it. */
export function ensureTurn(draft: ReaderDraft): void {
  const { turn, lastUserMessageID, session } = draft.transcript;
  if (turn) {
    if (session.status.type === "retry") setStatus(draft, { type: "busy" });
    return;
  }
  if (lastUserMessageID === null) beginOwnTurn(draft, promptTarget(draft), "agent");
  else beginTurn(draft, lastUserMessageID);
}

/** Nothing more comes for now, so a response that ended its turn has ended it. */
export function settleTurn(draft: ReaderDraft): void {
  const { answer, transcript } = draft.thread;
  const stopped = answer
    ? answer.stopReason !== null && finishOf(answer.stopReason, answer.hasTools) !== "tool-calls"
    : false;
  if (stopped && Object.keys(transcript.tools).length === 0) endBefore(draft);
}

/** The transcript ends here. A prompt without any answer stays so: one may be written later. */
export function leaveTurn(step: ReaderDraft): void {
  const draft = beforePause(step);
  closeAnswer(draft);
  const { transcript } = draft;
  if (transcript.turn?.lastMessageID !== undefined) {
    endTurn(draft, { toolError: NO_RESULT, decidedBy: "agent", model: currentModel(draft) });
    return;
  }
  failOpenTools(draft, NO_RESULT, "agent");
  transcript.turn = null;
  setStatus(draft, { type: "idle" });
}
