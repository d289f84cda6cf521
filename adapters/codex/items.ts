import { addMarker } from "../shared/prompts.js";
import { updateSession } from "../shared/session-record.js";
import { completeTool, runTool } from "../shared/tool-call.js";
import { emit } from "../shared/transcript.js";
import { currentTask } from "./delivery.js";
import type { NotificationParams, ThreadItem } from "./frame.js";
import { forgetOutliving } from "./hibernate.js";
import { currentModel } from "./model.js";
import { type CodexDraft, isMain } from "./state.js";
import { onActivity, onSpawned } from "./subagents.js";
import { endText, startText } from "./texts.js";
import { endTool, openCall, openItem, startTool } from "./tool-parts.js";
import { ensureTurn, joinTurn } from "./turn-state.js";
import { onUserItem } from "./user-items.js";

/** An item begins. One of a turn that is over comes too late: a command may outlive its turn. */
export function onItemStarted(draft: CodexDraft, { item, turnId }: NotificationParams<"item/started">): void {
  if (!joinTurn(draft, turnId)) return;
  switch (item.type) {
    case "agentMessage":
      // Of a reviewer's words only this comes: what it found is told at the review's end.
      return draft.thread.reviewCall === null ? startText(draft, item) : undefined;
    case "plan":
    case "reasoning":
      return startText(draft, item);
    case "contextCompaction":
      return onCompaction(draft, item);
    default:
      if (!onMoment(draft, item)) startTool(draft, item);
  }
}

export function onItemCompleted(draft: CodexDraft, { item, turnId }: NotificationParams<"item/completed">): void {
  forgetOutliving(draft, turnId, item.id);
  if (!joinTurn(draft, turnId)) return;
  switch (item.type) {
    case "agentMessage":
    case "plan":
    case "reasoning":
      return endText(draft, item);
    case "contextCompaction":
      return onCompacted(draft, item);
    case "collabAgentToolCall":
      onSpawned(draft, item, openCall(draft, item.id) ?? startTool(draft, item));
      return endTool(draft, item);
    default:
      if (!onMoment(draft, item)) endTool(draft, item);
  }
}

/** Items that say all at their start; the first of the two lines counts. */
function onMoment(draft: CodexDraft, item: ThreadItem): boolean {
  switch (item.type) {
    case "userMessage":
      onUserItem(draft, item);
      return true;
    case "subAgentActivity":
      onActivity(draft, item);
      return true;
    case "enteredReviewMode":
      beginReview(draft, item);
      return true;
    case "exitedReviewMode":
      endReview(draft, item);
      return true;
    default:
      return false;
  }
}

function onCompaction(draft: CodexDraft, item: ThreadItem): void {
  if (draft.thread.items[item.id]) return;
  draft.thread.items[item.id] = { kind: "done" };
  ensureTurn(draft);
  updateSession(draft, { time: { ...draft.transcript.session.time, compacting: draft.at } });
}

/**
 * A compaction of its own turn was asked for; within a prompt's turn the app-server made room by itself. The summary is
 * not shown.
 */
function onCompacted(draft: CodexDraft, item: ThreadItem): void {
  onCompaction(draft, item);
  const { session, turn } = draft.transcript;
  const auto = turn?.origin === undefined && !(isMain(draft) && currentTask(draft)?.kind === "compact");
  const { compacting: _, ...time } = session.time;
  updateSession(draft, { time });
  addMarker(draft, currentModel(draft), { type: "compaction", auto });
  emit(draft, { type: "session.compacted", properties: { sessionID: session.id } });
}

/** A review is one call: what the reviewer says in between is the thread's, its result comes with the exit. */
function beginReview(draft: CodexDraft, item: ThreadItem): void {
  if (draft.thread.items[item.id]) return;
  const input = { target: String(item.review ?? "") };
  const native = { tool: "review", itemID: item.id };
  const callID = openItem(draft, item.id, { tool: "review", input, title: "review", native });
  draft.thread.items[item.id] = { kind: "done" };
  runTool(draft, callID, input, "review");
  draft.thread.reviewCall = callID;
}

function endReview(draft: CodexDraft, item: ThreadItem): void {
  const { reviewCall } = draft.thread;
  // An aborted one says that the reviewer failed; its call ends with the turn.
  if (reviewCall === null || (isMain(draft) && draft.state.aborting)) return;
  draft.thread.reviewCall = null;
  completeTool(draft, reviewCall, { output: String(item.review ?? "") });
}
