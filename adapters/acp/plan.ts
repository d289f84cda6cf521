import type { Todo } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import { emit } from "../shared/transcript.js";
import type { AcpDraft } from "./state.js";

const STATUSES = new Set<string>(["pending", "in_progress", "completed", "cancelled"]);
const PRIORITIES = new Set<string>(["high", "medium", "low"]);
/** The plan of agents that have only one. */
const ONLY = "";

/** The whole list of a plan; the session's list is that of all plans. */
export function takePlan(draft: AcpDraft, entries: unknown, planID: string = ONLY): void {
  draft.state.plans[planID] = Array.isArray(entries) ? entries : [];
  tellTodos(draft);
}

export function dropPlan(draft: AcpDraft, planID: string): void {
  delete draft.state.plans[planID];
  tellTodos(draft);
}

function tellTodos(draft: AcpDraft): void {
  const todos = Object.values(draft.state.plans).flat().filter(isRecord).map(todoOf);
  emit(draft, { type: "todo.updated", properties: { sessionID: draft.transcript.session.id, todos } });
}

/** A word that is not known is no reason to lose a step. */
function todoOf({ content, status, priority }: Record<string, unknown>): Todo {
  const known = (words: ReadonlySet<string>, word: unknown) => typeof word === "string" && words.has(word);
  return {
    content: String(content ?? ""),
    status: known(STATUSES, status) ? (status as Todo["status"]) : "pending",
    priority: known(PRIORITIES, priority) ? (priority as Todo["priority"]) : "medium",
  };
}
