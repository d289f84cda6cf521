import { type AcpDraft, conversations } from "./state.js";

/** Ends the agent where nothing is under way; a prompt that comes meanwhile waits for its end. */
export function onHibernate(draft: AcpDraft): void {
  if (!isAtRest(draft)) return;
  draft.outputs.push({ kind: "stop", how: "end" });
  Object.assign(draft.state, { process: "ending", wanted: false });
}

/** A session that the agent itself does not offer to take up again stays where it is. */
function isAtRest(draft: AcpDraft): boolean {
  const { state, transcript } = draft;
  const isBusy = conversations(draft).some((conversation) => conversation.transcript.turn !== null);
  const isWaiting = transcript.queue.length > 0 || Object.keys(state.asks).length > 0;
  const isAsked = Object.keys(state.pending).length > 0 || state.session === "replaying";
  const canComeBack = state.main.nativeID === null || state.abilities.resume || state.abilities.load;
  return state.process === "running" && !isBusy && !isWaiting && !isAsked && canComeBack;
}
