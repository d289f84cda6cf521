import type { Todo } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import { type Draft, emit } from "../shared/transcript.js";
import type { ClaudeDraft } from "./state.js";

type Input = Record<string, unknown>;

/** One entry of the list, by the agent's id of it; TodoWrite has no ids, there its place is the id. */
export interface TodoEntry {
  id: string;
  content: string;
  status: Todo["status"];
}

const CREATED = /^Task #(\S+) created/;

/**
 * Keeps the session's list from the results of the todo tools: TodoWrite replaces it, the Task tools change it one by one.
 * Subagents share the list of the main session, and their results have only a text.
 */
export function noteTodos(
  draft: ClaudeDraft,
  toolName: string,
  input: Input,
  structured: unknown,
  output: string,
): void {
  const before = draft.state.todos;
  const after = changeTodos(before, toolName, input, isRecord(structured) ? structured : {}, output);
  if (after === before) return;
  draft.state.todos = after;
  emitTodos({ ...draft, transcript: draft.main.transcript }, after);
}

/** Tells the whole list, as that of the draft's session. */
export function emitTodos(draft: Draft, entries: readonly TodoEntry[]): void {
  const todos = entries.map(({ content, status }): Todo => ({ content, status, priority: "medium" }));
  emit(draft, { type: "todo.updated", properties: { sessionID: draft.transcript.session.id, todos } });
}

/** The list after the result of a todo tool; the same where the result says nothing of it. */
export function changeTodos(
  todos: TodoEntry[],
  toolName: string,
  input: Input,
  structured: Input,
  output: string,
): TodoEntry[] {
  switch (toolName) {
    case "TodoWrite":
      return listOf(structured.newTodos ?? input.todos, todos);
    case "TaskCreate":
      return [...todos, created(input, structured, output, todos.length)];
    case "TaskUpdate":
      return structured.success === false ? todos : updated(todos, input);
    case "TaskList":
      return Array.isArray(structured.tasks) ? listOf(structured.tasks, todos) : todos;
    default:
      return todos;
  }
}

function listOf(value: unknown, fallback: TodoEntry[]): TodoEntry[] {
  if (!Array.isArray(value)) return fallback;
  return value.filter(isRecord).map((todo, i) => ({
    id: String(todo.id ?? i + 1),
    content: String(todo.content ?? todo.subject ?? ""),
    status: statusOf(todo.status),
  }));
}

function created(input: Input, structured: Input, output: string, count: number): TodoEntry {
  const id = isRecord(structured.task) ? structured.task.id : CREATED.exec(output)?.[1];
  return { id: String(id ?? count + 1), content: String(input.subject ?? ""), status: "pending" };
}

function updated(todos: TodoEntry[], { taskId, status, subject }: Input): TodoEntry[] {
  if (status === "deleted") return todos.filter(({ id }) => id !== String(taskId));
  return todos.map((todo) => {
    if (todo.id !== String(taskId)) return todo;
    return {
      ...todo,
      ...(typeof subject === "string" && { content: subject }),
      ...(status !== undefined && { status: statusOf(status) }),
    };
  });
}

function statusOf(value: unknown): Todo["status"] {
  return value === "in_progress" || value === "completed" || value === "cancelled" ? value : "pending";
}
