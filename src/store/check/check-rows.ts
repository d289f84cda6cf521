import type { z } from "zod";
import { isOpen, Message, Part, Session, Todo } from "../../../schemas/index.js";
import { parseJson } from "../../parse-json.js";
import type { MessageRow, PartRow, SessionRow, StoredRows } from "../stored-rows.js";
import type { Findings } from "./findings.js";

export interface RowCounts {
  /** Root sessions. */
  sessions: number;
  /** Sessions of subagents. */
  children: number;
  messages: number;
  parts: number;
  todos: number;
  checkpoints: number;
}

const UNREADABLE = "Delete its session (`session.delete`), or restore a backup.";
const CANNOT_GO_ON =
  "The session can be read, and not be gone on with. Restore a backup, or delete it (`session.delete`).";
const LEFT_OPEN = "It is shown as if it went on. A prompt goes on behind it; delete the session to be rid of it.";

/** Reads every row as a gateway would. */
export class RowChecker {
  readonly counts: RowCounts = { sessions: 0, children: 0, messages: 0, parts: 0, todos: 0, checkpoints: 0 };
  readonly #rows: StoredRows;
  readonly #findings: Findings;

  constructor(rows: StoredRows, findings: Findings) {
    this.#rows = rows;
    this.#findings = findings;
  }

  check(): void {
    for (const root of this.#rows.roots()) {
      for (const session of this.#rows.tree(root.id)) this.#checkSession(session);
      this.#checkCheckpoint(root.id);
    }
  }

  #checkSession(row: SessionRow): void {
    if (row.parent_id === null) this.counts.sessions += 1;
    else this.counts.children += 1;
    const info = this.#read(row.id, Session, row.data);
    if (info) {
      const { id, directory, agent, time, status } = info;
      const stored = [row.id, row.directory, row.agent, row.created, row.active];
      this.#compare(row.id, stored, [id, directory, agent, time.created, status.type === "idle" ? 0 : 1]);
    }
    this.#checkTodos(row.id);
    for (const message of this.#rows.messages(row.id)) this.#checkMessage(row, message);
  }

  #checkTodos(sessionID: string): void {
    const data = this.#rows.todos(sessionID);
    if (data === undefined) return;
    this.counts.todos += 1;
    this.#read(`todos of ${sessionID}`, Todo.array(), data);
  }

  #checkMessage(session: SessionRow, row: MessageRow): void {
    this.counts.messages += 1;
    const info = this.#read(row.id, Message, row.data);
    if (info) this.#compare(row.id, [row.id, session.id, row.created], [info.id, info.sessionID, info.time.created]);
    const mustBeClosed = session.active === 0 && info?.role === "assistant";
    if (mustBeClosed && info.time.completed === undefined) {
      this.#findings.add(row.id, "is open although its session is idle", LEFT_OPEN);
    }
    for (const part of this.#rows.parts(row.id)) this.#checkPart(session.id, row.id, part, mustBeClosed);
  }

  #checkPart(sessionID: string, messageID: string, row: PartRow, mustBeClosed: boolean): void {
    this.counts.parts += 1;
    const part = this.#read(row.id, Part, row.data);
    if (!part) return;
    const stored = [row.id, sessionID, messageID, row.blocked];
    this.#compare(row.id, stored, [part.id, part.sessionID, part.messageID, isBlocked(part) ? 1 : 0]);
    if (mustBeClosed && isOpen(part)) {
      this.#findings.add(row.id, "is open although its session is idle", LEFT_OPEN);
    }
    for (const ref of refsOf(part)) {
      if (this.#rows.refersTo(row.id, ref)) continue;
      this.#findings.add(row.id, `does not keep its blob ${ref}`, "Restore a backup before the blob is dropped.");
    }
  }

  #checkCheckpoint(rootID: string): void {
    const row = this.#rows.checkpoint(rootID);
    if (!row) return;
    this.counts.checkpoints += 1;
    if (parseJson(row.state) === undefined || parseJson(row.pending) === undefined) {
      this.#findings.add(`checkpoint of ${rootID}`, "is no JSON", CANNOT_GO_ON);
    }
  }

  #read<T>(id: string, schema: z.ZodType<T>, data: string): T | undefined {
    const value = parseJson(data);
    if (value === undefined) {
      this.#findings.add(id, "is no JSON", UNREADABLE);
      return undefined;
    }
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    this.#findings.add(id, `is not as the wire says: ${issue?.path.join(".")}: ${issue?.message}`, UNREADABLE);
    return undefined;
  }

  #compare(id: string, stored: readonly unknown[], said: readonly unknown[]): void {
    if (stored.every((value, index) => value === said[index])) return;
    this.#findings.add(id, "is stored as another than it says it is", UNREADABLE);
  }
}

function isBlocked(part: Part): boolean {
  return part.type === "tool" && part.state.status === "blocked";
}

function refsOf(part: Part): string[] {
  if (part.type !== "tool" && part.type !== "file") return [];
  return Object.values(part.blobs ?? {}).map(({ ref }) => ref);
}
