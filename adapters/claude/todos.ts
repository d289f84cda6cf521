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
      return added(todos, created(input, structured, output, todos.length));
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
  return value.flatMap((todo, i) => {
    if (!isRecord(todo)) return [];
    return entryOf(idOf(todo.id) ?? String(i + 1), textIn(todo.content, todo.subject), statusOf(todo.status));
  });
}

function added(todos: TodoEntry[], entries: TodoEntry[]): TodoEntry[] {
  return entries.length > 0 ? [...todos, ...entries] : todos;
}

function created(input: Input, structured: Input, output: string, count: number): TodoEntry[] {
  const task = isRecord(structured.task) ? structured.task : {};
  const id = idOf(task.id) ?? CREATED.exec(output)?.[1] ?? String(count + 1);
  return entryOf(id, textIn(input.subject, task.subject), "pending");
}

/** What does not say what is to be done is no entry: nothing is made up for it. */
function entryOf(id: string, content: string | undefined, status: Todo["status"]): TodoEntry[] {
  return content === undefined ? [] : [{ id, content, status }];
}

/** The first of these that a person can read. */
function textIn(...values: unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value.trim() !== "");
}

function idOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function updated(todos: TodoEntry[], { taskId, status, subject }: Input): TodoEntry[] {
  const changed = idOf(taskId);
  if (changed === undefined) return todos;
  if (status === "deleted") return todos.filter(({ id }) => id !== changed);
  const content = textIn(subject);
  return todos.map((todo) => {
    if (todo.id !== changed) return todo;
    return {
      ...todo,
      ...(content !== undefined && { content }),
      ...(status !== undefined && { status: statusOf(status) }),
    };
  });
}

function statusOf(value: unknown): Todo["status"] {
  return value === "in_progress" || value === "completed" || value === "cancelled" ? value : "pending";
}
