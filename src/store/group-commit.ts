import type { Database } from "better-sqlite3";
import { EVENT_DURABILITY, type WireEvent } from "../../schemas/index.js";
import type { GatewayError } from "../gateway-error.js";
import type { CursorCodec } from "./cursor-codec.js";
import { type ApplierParts, EventApplier } from "./event-applier.js";
import { GroupLog, type LoggedEvent } from "./group-log.js";
import { isDue, type OpenPart } from "./open-parts.js";
import type { Checkpoint } from "./store.js";
import type { StoreCounts } from "./store-counts.js";

/**
 * How much is written. `events`: what is durable, with its checkpoints. `checkpoints`: those of text alone too. `due`:
 * also the texts that were not written for long. `all`: also those that were.
 */
export type CommitDepth = "events" | "checkpoints" | "due" | "all";

export interface Committed {
  readonly events: readonly LoggedEvent[];
  readonly problems: readonly GatewayError[];
  /** Those that are in the database now, by their root session. */
  readonly checkpoints: ReadonlyMap<string, Checkpoint>;
}

export type CommitParts = Omit<ApplierParts, "nextRevision" | "takeRevision">;

/** What one session wrote in a row, and the state it left. */
export interface GroupedWrite {
  readonly sessionID: string;
  readonly events: readonly WireEvent[];
  readonly checkpoint: Checkpoint | undefined;
}

interface Saved {
  readonly checkpoints: ReadonlyMap<string, Checkpoint>;
  /** Those that still wait for their text. */
  readonly left: ReadonlyMap<string, Checkpoint>;
}

interface Plan {
  readonly depth: CommitDepth;
  readonly now: number;
  readonly group: readonly GroupedWrite[];
  /** The latest checkpoint of each root session, with those that still wait for their text. */
  readonly checkpoints: ReadonlyMap<string, Checkpoint>;
  /** The root sessions that a durable event belongs to. */
  readonly durable: ReadonlySet<string>;
}

/** Applies a group of writes: all of it, in one transaction if there is anything durable in it, or nothing of it. */
export class GroupCommit {
  #waiting: ReadonlyMap<string, Checkpoint> = new Map();
  #revision: number;
  readonly #inTransaction: (run: () => void) => void;

  constructor(
    private readonly parts: CommitParts,
    db: Database,
    private readonly cursors: CursorCodec,
    private readonly counts: StoreCounts,
  ) {
    this.#inTransaction = db.transaction((run: () => void) => run()).immediate;
    this.#revision = readRevision(db);
  }

  /** The revision of the last change. */
  get revision(): number {
    return this.#revision;
  }

  /** A checkpoint that is not in the database yet. */
  waitingCheckpoint(sessionID: string): Checkpoint | undefined {
    return this.#waiting.get(sessionID);
  }

  /** Something will have to be written even if nothing more happens. */
  get isBehind(): boolean {
    return this.parts.open.anyDirty || this.#waiting.size > 0;
  }

  /** Throws what the database throws; everything is then as it was before, and the group is lost. */
  run(group: readonly GroupedWrite[], depth: CommitDepth, now: number): Committed {
    const plan = this.#plan(group, depth, now);
    const log = new GroupLog();
    const before = this.#revision;
    const applier = new EventApplier(this.#applierParts(), log, now);
    let saved: Saved = { checkpoints: new Map(), left: plan.checkpoints };
    const apply = () => {
      for (const write of group) for (const event of write.events) applier.apply(event);
      applier.finish();
    };
    try {
      if (this.#needsTransaction(plan)) {
        const start = performance.now();
        this.#inTransaction(() => {
          apply();
          saved = this.#save(plan);
        });
        this.counts.commits.observe((performance.now() - start) / 1000);
      } else apply();
    } catch (error) {
      this.#revision = before;
      this.parts.sessions.rollback();
      this.parts.open.rollback();
      throw error;
    }
    this.#waiting = saved.left;
    this.counts.joinedDeltas += log.joinedDeltas;
    this.parts.sessions.commit();
    this.parts.open.commit();
    return { events: log.finish(), problems: applier.problems, checkpoints: saved.checkpoints };
  }

  #plan(group: readonly GroupedWrite[], depth: CommitDepth, now: number): Plan {
    const checkpoints = new Map(this.#waiting);
    const durable = new Set<string>();
    for (const { sessionID, events, checkpoint } of group) {
      if (checkpoint !== undefined) checkpoints.set(sessionID, checkpoint);
      for (const { type } of events) if (EVENT_DURABILITY[type] === "durable") durable.add(sessionID);
    }
    return { depth, now, group, checkpoints, durable };
  }

  #needsTransaction({ depth, durable, checkpoints, now }: Plan): boolean {
    if (durable.size > 0) return true;
    if (depth === "events") return false;
    if (checkpoints.size > 0) return true;
    if (depth === "checkpoints") return false;
    // Deltas of this very group may make a part dirty.
    return depth === "all" || this.parts.open.dirty().some((open) => isDue(open, now));
  }

  #applierParts(): ApplierParts {
    return {
      ...this.parts,
      nextRevision: () => this.#revision + 1,
      takeRevision: () => this.cursors.encode(++this.#revision),
    };
  }

  /**
   * Writes texts and checkpoints, the texts last of all rows: whoever heard an event of a later revision has heard
   * every delta that a row of an earlier one holds. A checkpoint is never stored ahead of the text that its frames
   * brought, or a restart would leave a hole; it waits for it.
   */
  #save(plan: Plan): Saved {
    const behind = new Set<string>();
    for (const open of this.parts.open.dirty()) {
      if (this.#mustSave(open, plan)) this.#saveText(open, plan.now);
      else behind.add(rootOf(open));
    }
    const left = new Map<string, Checkpoint>();
    const checkpoints = new Map<string, Checkpoint>();
    for (const [sessionID, checkpoint] of plan.checkpoints) {
      if (behind.has(sessionID)) left.set(sessionID, checkpoint);
      else {
        this.parts.rows.checkpoint(sessionID, checkpoint);
        checkpoints.set(sessionID, checkpoint);
      }
    }
    return { checkpoints, left };
  }

  #mustSave(open: OpenPart, { depth, durable, checkpoints, now }: Plan): boolean {
    if (depth === "all" || isDue(open, now)) return true;
    const root = rootOf(open);
    return checkpoints.has(root) && (depth === "checkpoints" || durable.has(root));
  }

  #saveText(open: OpenPart, now: number): void {
    const size = this.parts.rows.partText(open.part, this.#revision + 1);
    this.#revision += 1;
    this.parts.open.saved(open, now, size);
  }
}

function rootOf(open: OpenPart): string {
  return open.lineage[0] ?? open.part.sessionID;
}

/** A removal leaves a tombstone of its revision and a forgotten tombstone the floor, so the highest is never lost. */
export function readRevision(db: Database): number {
  const highest = db.prepare(`
    select max(
      (select ifnull(max(rev), 0) from session), (select ifnull(max(rev), 0) from message),
      (select ifnull(max(rev), 0) from part), (select ifnull(max(rev), 0) from todo),
      (select ifnull(max(rev), 0) from tombstone),
      (select cast(value as integer) from meta where key = 'tombstone_floor'))`);
  return highest.pluck().get() as number;
}
