import type { Database, Statement } from "better-sqlite3";
import type { Session } from "../../schemas/index.js";
import { StagedMap } from "./staged-map.js";

export interface SessionNode {
  readonly info: Session;
  /** The ids from the root down to the session itself. */
  readonly lineage: readonly string[];
}

const LIVE_SESSIONS = 2048;

/** Where each session stands. Those written lately are kept in memory, the others are read when asked for. */
export class SessionTree {
  readonly #live = new StagedMap<SessionNode>(LIVE_SESSIONS);
  readonly #read: Statement;
  readonly #descendants: Statement;

  constructor(db: Database) {
    this.#read = db.prepare("select parent_id, data from session where id = ?");
    this.#descendants = db
      .prepare(`
        with recursive tree (id, depth) as (
          select id, 0 from session where id = ?
          union all select s.id, depth + 1 from session s join tree on s.parent_id = tree.id
        )
        select id from tree order by depth desc, id`)
      .pluck();
  }

  get(sessionID: string): SessionNode | undefined {
    return this.#live.get(sessionID) ?? this.#load(sessionID);
  }

  /** Like `get`, for a session that is being written to: it will be asked for again. */
  touch(sessionID: string): SessionNode | undefined {
    const live = this.#live.get(sessionID);
    if (live !== undefined) return live;
    const loaded = this.#load(sessionID);
    if (loaded !== undefined) this.#live.set(sessionID, loaded);
    return loaded;
  }

  /** The node a session would have: a known one keeps its place, a new one stands under its parent, if that is known. */
  place(info: Session): SessionNode {
    const known = this.touch(info.id);
    if (known !== undefined) return { info, lineage: known.lineage };
    const parent = info.parentID === undefined ? undefined : this.touch(info.parentID);
    return { info, lineage: [...(parent?.lineage ?? []), info.id] };
  }

  put(node: SessionNode): void {
    this.#live.set(node.info.id, node);
  }

  drop(sessionID: string): void {
    this.#live.delete(sessionID);
  }

  /** A session and all below it, the deepest first. Empty when it is unknown. */
  withDescendants(sessionID: string): string[] {
    return this.#descendants.all(sessionID) as string[];
  }

  commit(): void {
    this.#live.commit();
  }

  rollback(): void {
    this.#live.rollback();
  }

  #load(sessionID: string): SessionNode | undefined {
    const row = this.#read.get(sessionID) as { parent_id: string | null; data: string } | undefined;
    if (row === undefined) return undefined;
    const above = row.parent_id === null ? [] : (this.get(row.parent_id)?.lineage ?? []);
    return { info: JSON.parse(row.data) as Session, lineage: [...above, sessionID] };
  }
}
