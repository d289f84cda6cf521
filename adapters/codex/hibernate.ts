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
  const hasLeft = (state.outliving ?? []).length > 0;
  return state.process === "running" && !isBusy && !isWaiting && !isAsked && !hasLeft && canComeBack;
}

/** A turn ends: commands that still run go on in the background, but for those that ended with an abort or the program. */
export function noteOutliving({ state, thread, transcript }: CodexDraft): void {
  if (state.process !== "running") return;
  const running = Object.entries(thread.items).filter(([, item]) => {
    const tool = item.kind === "tool" ? transcript.tools[item.callID] : undefined;
    return tool?.tool === "bash" && tool.state.status === "running";
  });
  if (running.length === 0) return;
  state.outliving = [...(state.outliving ?? []), ...running.map(([id]) => nameOf(thread.turnID, id))];
}

/** Their end is told as that of an item of the old turn. */
export function forgetOutliving({ state }: CodexDraft, turnID: string, itemID: string): void {
  const name = nameOf(turnID, itemID);
  if (state.outliving?.includes(name)) state.outliving = state.outliving.filter((one) => one !== name);
}

function nameOf(turnID: string | null, itemID: string): string {
  return `${turnID} ${itemID}`;
}
