import type { ResolvedBlock } from "../../schemas/index.js";
import { resolveBlock } from "../shared/resolve-block.js";
import { annotateTool, appendToolOutput, completeTool, failTool, openTool, runTool } from "../shared/tool-call.js";
import { type AskPlace, canBlock, placeOfItsOwn, withdrawnKey } from "./asks.js";
import { summarizeChanges } from "./file-changes.js";
import type { NotificationParams, ThreadItem } from "./frame.js";
import { currentMessage } from "./responses.js";
import type { CodexDraft } from "./state.js";
import { endOfTool, type ToolEnd } from "./tool-results.js";
import { changesOf, type ToolView, viewTool } from "./tools.js";

/** A search tells what it looks for only at its end. */
const TOLD_AT_THE_END = new Set(["webSearch"]);

/** Opens the part of a tool. The app-server's ids come again in later turns, and some providers' within one. */
export function openItem(draft: CodexDraft, itemID: string, view: ToolView): string {
  const { thread } = draft;
  const count = (thread.opened[itemID] ?? 0) + 1;
  thread.opened[itemID] = count;
  const callID = `${thread.turns}.${itemID}${count > 1 ? `#${count}` : ""}`;
  const message = currentMessage(draft);
  openTool(draft, message, { callID, tool: view.tool, metadata: { native: view.native } });
  thread.items[itemID] = { kind: "tool", callID };
  // What runs at the vendor's needs no answer: the response goes on by itself.
  thread.callsTools ||= view.native.tool !== "webSearch";
  return callID;
}

/** The call of an item that is open; undefined for one that is not known or is over. */
export function openCall(draft: CodexDraft, itemID: string): string | undefined {
  const item = draft.thread.items[itemID];
  return item?.kind === "tool" && draft.transcript.tools[item.callID] ? item.callID : undefined;
}

/** The part of the item that an ask is for, which it may be the first to name. */
export function placeOf(draft: CodexDraft, itemID: string, view: ToolView): AskPlace {
  const callID = openCall(draft, itemID);
  if (canBlock(draft, callID)) return { callID, synthetic: false };
  const place = placeOfItsOwn(draft, itemID, view);
  // The item may still come: it finds its part by its id.
  if (callID === undefined && draft.thread.items[itemID] === undefined) {
    draft.thread.items[itemID] = { kind: "tool", callID: place.callID };
    return { ...place, synthetic: false };
  }
  runTool(draft, place.callID, view.input, view.title);
  return place;
}

export function startTool(draft: CodexDraft, item: ThreadItem): string | undefined {
  const { directory } = draft.transcript.session;
  const view = viewTool(item, directory);
  if (!view) return undefined;
  const callID = openCall(draft, item.id) ?? openItem(draft, item.id, view);
  if (!TOLD_AT_THE_END.has(item.type)) runTool(draft, callID, view.input, view.title);
  if (item.type === "fileChange") annotateTool(draft, callID, { ...summarizeChanges(changesOf(item), directory) });
  return callID;
}

/** A tool that was too fast, or whose start was lost, begins and ends here. */
export function endTool(draft: CodexDraft, item: ThreadItem): void {
  if (draft.thread.items[item.id]?.kind === "done") return;
  const { directory } = draft.transcript.session;
  const view = viewTool(item, directory);
  const known = draft.thread.items[item.id];
  const callID = known?.kind === "tool" ? known.callID : view && openItem(draft, item.id, view);
  if (callID === undefined) return;
  if (view) runTool(draft, callID, view.input, view.title);
  closeTool(draft, callID, endOfTool(item, directory), item.status);
  draft.thread.items[item.id] = { kind: "done" };
}

export function closeTool(draft: CodexDraft, callID: string, end: ToolEnd, status?: unknown): void {
  const block = lateVerdict(draft, callID, status);
  const { error, output, metadata, attachments } = end;
  if (error !== undefined) failTool(draft, callID, { error, metadata, ...(block && { block }) });
  else completeTool(draft, callID, { output, metadata, ...(attachments && { attachments }), ...(block && { block }) });
}

/** A verdict nobody gave here: somebody else did, or the app-server itself, and the item's end says which. */
function lateVerdict(draft: CodexDraft, callID: string, status: unknown): ResolvedBlock | undefined {
  const key = withdrawnKey(draft, callID);
  const state = draft.transcript.tools[callID]?.state;
  const open = draft.state.withdrawn[key] ?? (state?.status === "blocked" ? state.block : undefined);
  delete draft.state.withdrawn[key];
  if (!open) return undefined;
  return resolveBlock(draft, open, { decision: status === "declined" ? "reject" : "once", decidedBy: "agent" });
}

export function onOutputDelta(
  draft: CodexDraft,
  params: NotificationParams<"item/commandExecution/outputDelta">,
): void {
  const callID = openCall(draft, params.itemId);
  if (callID !== undefined) appendToolOutput(draft, callID, params.delta);
}

/** A patch that the model still writes, where the feature is on. The item starts when it is whole. */
export function onPatchUpdated(draft: CodexDraft, params: NotificationParams<"item/fileChange/patchUpdated">): void {
  const { itemId, changes } = params;
  if (draft.thread.items[itemId]?.kind === "done") return;
  const { directory } = draft.transcript.session;
  const view = viewTool({ type: "fileChange", id: itemId, changes }, directory);
  if (!view) return;
  const callID = openCall(draft, itemId) ?? openItem(draft, itemId, view);
  annotateTool(draft, callID, { ...summarizeChanges(changes, directory) });
}

export function onProgress(draft: CodexDraft, params: NotificationParams<"item/mcpToolCall/progress">): void {
  const callID = openCall(draft, params.itemId);
  if (callID !== undefined) annotateTool(draft, callID, { progress: params.message });
}

/** An automatic reviewer decided in the user's place. */
export function onReviewed(draft: CodexDraft, params: NotificationParams<"item/autoApprovalReview/completed">): void {
  const callID = params.targetItemId == null ? undefined : openCall(draft, params.targetItemId);
  if (callID !== undefined) annotateTool(draft, callID, { review: params.review });
}
