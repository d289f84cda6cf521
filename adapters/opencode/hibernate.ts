import { type OpencodeDraft, threadsOf } from "./state.js";

/** Ends the server where nothing is under way; a prompt that comes meanwhile waits for its end. */
export function onHibernate(draft: OpencodeDraft): void {
  if (!isAtRest(draft)) return;
  draft.outputs.push({ kind: "stop", how: "end" });
  Object.assign(draft.state, { process: "ending", wanted: false });
}

/** All that it knows of a conversation is on disk. */
function isAtRest(draft: OpencodeDraft): boolean {
  const { state } = draft;
  const isBusy = threadsOf(draft).some(({ transcript }) => transcript.turn !== null);
  const isWaiting = state.main.transcript.queue.length > 0 || Object.keys(state.asks).length > 0;
  return state.process === "running" && !isBusy && !isWaiting && Object.keys(state.pending).length === 0;
}
