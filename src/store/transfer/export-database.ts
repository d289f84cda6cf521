import type { Database } from "better-sqlite3";
import { EXPORT_VERSION, type ExportedBlob, type ExportLine, type Todo } from "../../../schemas/index.js";
import { GatewayError } from "../../gateway-error.js";
import type { DatabaseOptions } from "../open-database.js";
import { openReadOnly } from "../read-only-database.js";
import { storageError } from "../storage-error.js";
import { type BlobRow, type SessionRow, StoredRows } from "../stored-rows.js";

export interface ExportOptions extends DatabaseOptions {
  /** Only these root sessions; all without any. */
  readonly sessions: readonly string[];
  /** The version of what writes the export. */
  readonly agentwire: string;
  readonly exportedAt: number;
}

/**
 * The lines of an export, read as they are taken, from one state of the database. The same rows come as the same lines.
 * Throws `storage` where a row cannot be read, `not_found` for a session that is not there.
 */
export function* exportDatabase(options: ExportOptions): Generator<ExportLine> {
  const { db, close } = openReadOnly(options);
  try {
    let lines = 0;
    for (const line of allLines(db, options)) {
      lines += 1;
      yield line;
    }
    yield { type: "end", lines };
  } catch (error) {
    throw storageError(error, options.path);
  } finally {
    close();
  }
}

function* allLines(db: Database, { sessions, agentwire, exportedAt }: ExportOptions): Generator<ExportLine> {
  const rows = new StoredRows(db);
  const chosen = chooseRoots(db, sessions);
  const database = db.prepare("select value from meta where key = 'database_id'").pluck().get() as string;
  yield { type: "export", format: "agentwire", version: EXPORT_VERSION, agentwire, database, exportedAt };
  for (const root of rows.roots()) {
    if (chosen === undefined || chosen.has(root.id)) yield* rootLines(rows, root);
  }
}

/** undefined: all. */
function chooseRoots(db: Database, sessions: readonly string[]): ReadonlySet<string> | undefined {
  if (sessions.length === 0) return undefined;
  const rootOf = db.prepare("select root_id from session where id = ?").pluck();
  for (const id of sessions) {
    const root = rootOf.get(id) as string | undefined;
    if (root === undefined) throw new GatewayError("not_found", `There is no session ${id}`, { field: "session" });
    if (root !== id) {
      throw new GatewayError("not_supported", `The session ${id} is a subagent's and goes with its root`, {
        field: "session",
        hint: `Export ${root}.`,
      });
    }
  }
  return new Set(sessions);
}

function* rootLines(rows: StoredRows, root: SessionRow): Generator<ExportLine> {
  for (const session of rows.tree(root.id)) {
    yield { type: "session", session: read(session.data, session.id) };
    if (session.id === root.id) yield* keptLines(rows, root.id);
    yield* conversationLines(rows, session.id);
  }
}

/** What belongs to a root session as a whole. */
function* keptLines(rows: StoredRows, rootID: string): Generator<ExportLine> {
  const checkpoint = rows.checkpoint(rootID);
  if (checkpoint !== undefined) {
    const { epoch, seq, state } = checkpoint;
    yield { type: "checkpoint", sessionID: rootID, epoch, seq, state: read(state, `the checkpoint of ${rootID}`) };
  }
  for (const blob of rows.blobsOf(rootID)) yield blobLine(blob);
}

function* conversationLines(rows: StoredRows, sessionID: string): Generator<ExportLine> {
  const todos = read<Todo[]>(rows.todos(sessionID) ?? "[]", `the todos of ${sessionID}`);
  if (todos.length > 0) yield { type: "todos", sessionID, todos };
  for (const message of rows.messages(sessionID)) {
    yield { type: "message", message: read(message.data, message.id) };
    for (const part of rows.parts(message.id)) yield { type: "part", part: read(part.data, part.id) };
  }
}

function blobLine({ ref, mime, is_text, data }: BlobRow): ExportedBlob {
  const encoding = is_text === 1 ? "utf8" : "base64";
  return { type: "blob", ref, mime, encoding, data: data.toString(encoding) };
}

function read<T>(data: string, what: string): T {
  try {
    return JSON.parse(data) as T;
  } catch (cause) {
    const hint = "`agentwire db check` tells what is damaged; --session exports the others.";
    throw new GatewayError("storage", `The row of ${what} cannot be read`, { hint, cause });
  }
}
