import type { ClaudeDraft } from "./state.js";
import { someSubagentWorks } from "./subagents.js";

/** Ends the CLI where nothing is under way there or would be lost with it; a prompt that comes meanwhile waits for its end. */
export function onHibernate(draft: ClaudeDraft): void {
  if (!isAtRest(draft)) return;
  draft.outputs.push({ kind: "stop", how: "end" });
  draft.state.process = "ending";
}

/** What is asked for with a request of ours, such as a change of the mode, is answered by the process that has it. */
function isAtRest(draft: ClaudeDraft): boolean {
  const { state, transcript } = draft;
  const isWaiting = transcript.turn !== null || transcript.queue.length > 0 || Object.keys(state.asks).length > 0;
  const isBusy = someSubagentWorks(draft) || Object.values(state.tasks).some(({ status }) => status === "running");
  const isAsked = Object.keys(state.changes).length > 0 || Object.keys(state.taskReads).length > 0;
  return state.process === "running" && !isWaiting && !isBusy && !isAsked && !state.hasTimers && canComeBack(draft);
}

/** A conversation is on disk only when a turn of it has ended; one without a name has not begun. */
function canComeBack({ state }: ClaudeDraft): boolean {
  return state.nativeID === null || state.hasHistory;
}
