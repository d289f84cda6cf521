import type { Todo } from "../../schemas/index.js";
import { updateSession } from "../shared/session-record.js";
import { completeTool, openTool, runTool } from "../shared/tool-call.js";
import { emit } from "../shared/transcript.js";
import { diffsOfTurn } from "./file-changes.js";
import type { NotificationParams } from "./frame.js";
import { currentMessage } from "./responses.js";
import type { CodexDraft } from "./state.js";

const STATUSES: Record<string, Todo["status"]> = {
  pending: "pending",
  inProgress: "in_progress",
  completed: "completed",
};

/** The model's list of steps comes whole, without an item: the call is made up here, and over at once. */
export function onPlan(draft: CodexDraft, params: NotificationParams<"turn/plan/updated">): void {
  const todos = params.plan.map(
    ({ step, status }): Todo => ({ content: step, status: STATUSES[status] ?? "pending", priority: "medium" }),
  );
  const { thread, transcript } = draft;
  const count = (thread.opened.plan ?? 0) + 1;
  thread.opened.plan = count;
  const callID = `${thread.turns}.plan${count > 1 ? `#${count}` : ""}`;
  openTool(draft, currentMessage(draft), { callID, tool: "todowrite", metadata: { native: { tool: "update_plan" } } });
  thread.callsTools = true;
  const done = todos.filter(({ status }) => status === "completed").length;
  runTool(draft, callID, { todos }, `todowrite ${done}/${todos.length}`);
  completeTool(draft, callID, { output: "" });
  emit(draft, { type: "todo.updated", properties: { sessionID: transcript.session.id, todos } });
}

/** What the turn has changed so far, told again with each patch. */
export function onTurnDiff(draft: CodexDraft, params: NotificationParams<"turn/diff/updated">): void {
  const diffs = diffsOfTurn(params.diff, draft.transcript.session.directory);
  const sum = (key: "additions" | "deletions") => diffs.reduce((total, diff) => total + diff[key], 0);
  updateSession(draft, {
    summary: { additions: sum("additions"), deletions: sum("deletions"), files: diffs.length, diffs },
  });
}
