import type { Database, Statement } from "better-sqlite3";

export type TombstoneKind = "session.deleted" | "message.removed" | "message.part.removed";

export interface Tombstone {
  readonly kind: TombstoneKind;
  readonly sessionID: string;
  readonly messageID?: string;
  readonly partID?: string;
}

/** How many removals are remembered unless told otherwise. */
export const KEEP_TOMBSTONES = 10_000;

/**
 * What was removed, for those who were away. Only the latest are kept; the revision of the last one forgotten is the
 * floor: whoever knows less than that has to read everything again.
 */
export class Tombstones {
  readonly #insert: Statement;
  readonly #oldestKept: Statement;
  readonly #forget: Statement;
  readonly #setFloor: Statement;
  readonly #getFloor: Statement;
  readonly #rootOfDeleted: Statement;

  constructor(
    db: Database,
    private readonly keep: number,
  ) {
    this.#insert = db.prepare(`
      insert into tombstone (rev, kind, root_id, session_id, message_id, part_id, path) values (?, ?, ?, ?, ?, ?, ?)`);
    this.#oldestKept = db.prepare("select rev from tombstone order by rev desc limit 1 offset ?").pluck();
    this.#forget = db.prepare("delete from tombstone where rev <= ?");
    this.#setFloor = db.prepare("update meta set value = ? where key = 'tombstone_floor'");
    this.#getFloor = db.prepare("select value from meta where key = 'tombstone_floor'").pluck();
    this.#rootOfDeleted = db
      .prepare("select root_id from tombstone where session_id = ? order by rev desc limit 1")
      .pluck();
  }

  /** `lineage` is kept with it: the sessions a filter would have found it by may be gone. */
  add(rev: number, { kind, sessionID, messageID, partID }: Tombstone, lineage: readonly string[]): void {
    const root = lineage[0] ?? sessionID;
    this.#insert.run(rev, kind, root, sessionID, messageID ?? null, partID ?? null, lineage.join("/"));
  }

  /** Forgets the oldest beyond the number to keep. */
  prune(): void {
    const rev = this.#oldestKept.get(this.keep) as number | undefined;
    if (rev === undefined) return;
    this.#forget.run(rev);
    this.#setFloor.run(rev);
  }

  get floor(): number {
    return Number(this.#getFloor.get());
  }

  rootOfDeleted(sessionID: string): string | undefined {
    return this.#rootOfDeleted.get(sessionID) as string | undefined;
  }
}
