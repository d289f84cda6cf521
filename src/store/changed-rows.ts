import type { Database, Statement } from "better-sqlite3";

export interface ChangedRow {
  readonly rev: number;
  readonly kind:
    | "session"
    | "message"
    | "part"
    | "todo"
    | "session.deleted"
    | "message.removed"
    | "message.part.removed";
  readonly session_id: string;
  readonly message_id: string | null;
  readonly part_id: string | null;
  /** The JSON of a row; the lineage of something removed. */
  readonly data: string;
}

/** Each side is read in the order of its index and all are merged, so that reading stops where the caller does. */
const changedSince = (where: string) => `
  select rev, 'session' as kind, id as session_id, null as message_id, null as part_id, data
    from session where rev > @revision ${where}
  union all select rev, 'message', session_id, id, null, data from message where rev > @revision ${where}
  union all select rev, 'part', session_id, message_id, id, data from part where rev > @revision ${where}
  union all select rev, 'todo', session_id, null, null, data from todo where rev > @revision ${where}
  union all select rev, kind, session_id, message_id, part_id, path from tombstone where rev > @removals ${where}
  order by rev`;

/** Reads rows in the order in which they were last changed. */
export class ChangedRows {
  readonly #all: Statement;
  readonly #ofRoot: Statement;
  readonly #session: Statement;
  readonly #message: Statement;

  constructor(db: Database) {
    this.#all = db.prepare(changedSince(""));
    this.#ofRoot = db.prepare(changedSince("and root_id = @root"));
    this.#session = db.prepare(`
      select rev, 'session' as kind, id as session_id, null as message_id, null as part_id, data
      from session where id = ? and rev > ?`);
    this.#message = db.prepare(`
      select rev, 'message' as kind, session_id, id as message_id, null as part_id, data
      from message where id = ? and rev > ?`);
  }

  after(revision: number, removals: number, root: string | undefined): Iterable<ChangedRow> {
    const rows =
      root === undefined
        ? this.#all.iterate({ revision, removals })
        : this.#ofRoot.iterate({ revision, removals, root });
    return rows as Iterable<ChangedRow>;
  }

  /** A session's row, if it was changed after a revision. */
  session(sessionID: string, revision: number): ChangedRow | undefined {
    return this.#session.get(sessionID, revision) as ChangedRow | undefined;
  }

  message(messageID: string, revision: number): ChangedRow | undefined {
    return this.#message.get(messageID, revision) as ChangedRow | undefined;
  }
}
