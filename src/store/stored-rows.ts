import type { Database, Statement } from "better-sqlite3";

export interface SessionRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly root_id: string;
  readonly created: number;
  readonly directory: string;
  readonly agent: string;
  readonly active: number;
  readonly data: string;
}

export interface MessageRow {
  readonly id: string;
  readonly created: number;
  readonly data: string;
}

export interface PartRow {
  readonly id: string;
  readonly blocked: number;
  readonly data: string;
}

export interface BlobRow {
  readonly ref: string;
  readonly mime: string;
  readonly is_text: number;
  readonly data: Buffer;
}

export interface CheckpointRow {
  readonly session_id: string;
  readonly epoch: number;
  readonly seq: number;
  readonly state: string;
  readonly pending: string;
}

/**
 * Every row there is, in the order in which it is listed and never many at a time. Parents come before children, and
 * rows that stand nowhere do not come.
 */
export class StoredRows {
  readonly #roots: Statement;
  readonly #tree: Statement;
  readonly #messages: Statement;
  readonly #parts: Statement;
  readonly #todos: Statement;
  readonly #checkpoint: Statement;
  readonly #blobsOf: Statement;
  readonly #blobs: Statement;
  readonly #refersTo: Statement;

  constructor(db: Database) {
    const session = "s.id, s.parent_id, s.root_id, s.created, s.directory, s.agent, s.active, s.data";
    this.#roots = db.prepare(`select ${session} from session s where root_id = id order by created, id`);
    // A root that stands below itself, in a damaged database, would never come to an end.
    this.#tree = db.prepare(`
      with recursive tree (id, created, depth) as (
        select id, created, 0 from session where id = @root
        union all
        select s.id, s.created, depth + 1 from session s join tree on s.parent_id = tree.id where s.id <> @root
        order by 3 desc, 2, 1
      )
      select ${session} from tree join session s on s.id = tree.id`);
    this.#messages = db.prepare("select id, created, data from message where session_id = ? order by created, id");
    this.#parts = db.prepare("select id, blocked, data from part where message_id = ? order by id");
    this.#todos = db.prepare("select data from todo where session_id = ?").pluck();
    this.#checkpoint = db.prepare("select session_id, epoch, seq, state, pending from checkpoint where session_id = ?");
    this.#blobsOf = db.prepare(`
      select ref, mime, is_text, data from blob where ref in (
        select b.ref from part p join part_blob b on b.part_id = p.id where p.root_id = ?
      ) order by ref`);
    this.#blobs = db.prepare("select ref, mime, is_text, data from blob order by ref");
    this.#refersTo = db.prepare("select 1 from part_blob where part_id = ? and ref = ?").pluck();
  }

  roots(): Iterable<SessionRow> {
    return this.#roots.iterate() as Iterable<SessionRow>;
  }

  /** A session and all below it: each is followed by its children. */
  tree(sessionID: string): Iterable<SessionRow> {
    return this.#tree.iterate({ root: sessionID }) as Iterable<SessionRow>;
  }

  messages(sessionID: string): Iterable<MessageRow> {
    return this.#messages.iterate(sessionID) as Iterable<MessageRow>;
  }

  parts(messageID: string): Iterable<PartRow> {
    return this.#parts.iterate(messageID) as Iterable<PartRow>;
  }

  todos(sessionID: string): string | undefined {
    return this.#todos.get(sessionID) as string | undefined;
  }

  checkpoint(sessionID: string): CheckpointRow | undefined {
    return this.#checkpoint.get(sessionID) as CheckpointRow | undefined;
  }

  /** What parts below a root session refer to. */
  blobsOf(rootID: string): Iterable<BlobRow> {
    return this.#blobsOf.iterate(rootID) as Iterable<BlobRow>;
  }

  blobs(): Iterable<BlobRow> {
    return this.#blobs.iterate() as Iterable<BlobRow>;
  }

  refersTo(partID: string, ref: string): boolean {
    return this.#refersTo.get(partID, ref) !== undefined;
  }
}
