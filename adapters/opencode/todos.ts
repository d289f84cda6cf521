import type { Todo } from "../../schemas/index.js";
import { emit } from "../shared/transcript.js";
import type { NativeTodo } from "./frame.js";
import type { OpencodeDraft } from "./state.js";

const STATUSES: Readonly<Record<string, Todo["status"]>> = {
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed",
  cancelled: "cancelled",
};
const PRIORITIES: Readonly<Record<string, Todo["priority"]>> = { high: "high", medium: "medium", low: "low" };

/** The list is always told whole. Its words are the model's own, so others than these may come. */
export function onTodos(draft: OpencodeDraft, native: readonly NativeTodo[]): void {
  const todos = native.map(({ content, status, priority }) => ({
    content,
    status: STATUSES[status] ?? "pending",
    priority: PRIORITIES[priority] ?? "medium",
  }));
  emit(draft, { type: "todo.updated", properties: { sessionID: draft.transcript.session.id, todos } });
}
