import type { CodexDraft } from "./state.js";

/** Ends the app-server where nothing is under way; a prompt that comes meanwhile waits for its end. */
export function onHibernate(draft: CodexDraft): void {
  if (!isAtRest(draft)) return;
  draft.outputs.push({ kind: "stop", how: "end" });
  Object.assign(draft.state, { process: "ending", wanted: false });
}

/** A thread is on disk only when a turn of it has ended; one without a name has not begun. */
function isAtRest({ state }: CodexDraft): boolean {
  const threads = [state.main, ...Object.values(state.children)];
  const isBusy = threads.some(({ transcript, turnID }) => transcript.turn !== null || turnID !== null);
  const isWaiting = state.main.transcript.queue.length > 0 || Object.keys(state.asks).length > 0;
  const isAsked = Object.values(state.pending).some(({ kind }) => kind !== "models");
  const canComeBack = state.nativeID === null || state.hasHistory;
  return state.process === "running" && !isBusy && !isWaiting && !isAsked && canComeBack;
}
