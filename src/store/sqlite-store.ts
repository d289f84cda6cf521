import type { Database } from "better-sqlite3";
import type {
  Cursor,
  Message,
  MessageWithParts,
  Part,
  PendingBlock,
  Session,
  Todo,
  WireEvent,
} from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import { Blobs } from "./blobs.js";
import { ChangedRows } from "./changed-rows.js";
import { CursorCodec } from "./cursor-codec.js";
import { type CommitDepth, type Committed, GroupCommit } from "./group-commit.js";
import { OpenParts } from "./open-parts.js";
import { Publisher } from "./publisher.js";
import { readChanges } from "./read-changes.js";
import { type MessageQuery, RowReader, type SessionQuery } from "./row-reader.js";
import { RowWriter } from "./row-writer.js";
import { SessionTree } from "./session-tree.js";
import { storageError } from "./storage-error.js";
import type {
  Blob,
  Changes,
  Checkpoint,
  CheckpointListener,
  EventFilter,
  GroupListener,
  Store,
  StoreStats,
  StoreWrite,
  UnusedQuery,
} from "./store.js";
import type { StoreClock } from "./store-clock.js";
import { StoreCounts } from "./store-counts.js";
import { Tombstones } from "./tombstones.js";

/** What went wrong where nobody could be told by a throw. `sessionIDs`: the root sessions whose group was lost. */
export type StoreErrorListener = (error: GatewayError, sessionIDs: readonly string[]) => void;

export interface SqliteStoreOptions {
  readonly path: string;
  readonly clock: StoreClock;
  readonly keepTombstones: number;
  readonly largeChars: number;
  readonly onError: StoreErrorListener;
}

interface QueuedWrite {
  readonly sessionID: string;
  readonly events: WireEvent[];
  checkpoint: Checkpoint | undefined;
}

/** How long to wait after a failure: a full disk is not freed in a moment. */
const RETRY_MS = 5000;

/** Queues writes, decides when to commit, and answers reads. `openStore` makes one. */
export class SqliteStore implements Store {
  readonly counts = new StoreCounts();
  readonly #tombstones: Tombstones;
  readonly #cursors: CursorCodec;
  readonly #sessions: SessionTree;
  readonly #open: OpenParts;
  readonly #blobs: Blobs;
  readonly #reader: RowReader;
  readonly #changedRows: ChangedRows;
  readonly #commits: GroupCommit;
  readonly #publisher: Publisher;
  readonly #checkpointListeners = new Set<CheckpointListener>();
  #queue: QueuedWrite[] = [];
  #scheduled = false;
  #cancelTimer: (() => void) | undefined;

  constructor(
    private readonly db: Database,
    private readonly options: SqliteStoreOptions,
  ) {
    this.#tombstones = new Tombstones(db, options.keepTombstones);
    this.#cursors = new CursorCodec(readDatabaseID(db));
    this.#sessions = new SessionTree(db);
    this.#open = new OpenParts(db, this.#sessions);
    this.#blobs = new Blobs(db, options.largeChars);
    this.#reader = new RowReader(db, this.#open);
    this.#changedRows = new ChangedRows(db);
    this.#commits = new GroupCommit(
      {
        rows: new RowWriter(db),
        blobs: this.#blobs,
        tombstones: this.#tombstones,
        sessions: this.#sessions,
        open: this.#open,
      },
      db,
      this.#cursors,
      this.counts,
    );
    this.#publisher = new Publisher((error) => this.#report(error));
  }

  write(write: StoreWrite): void {
    this.#assertOpen();
    this.#enqueue(write);
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.options.clock.soon(() => {
      this.#scheduled = false;
      this.#settle("events");
    });
  }

  /** What one session writes in a row is one write: a burst of deltas leaves one checkpoint, and not one for each. */
  #enqueue({ sessionID, events, checkpoint }: StoreWrite): void {
    const last = this.#queue.at(-1);
    if (last?.sessionID !== sessionID) {
      this.#queue.push({ sessionID, events: [...events], checkpoint });
      return;
    }
    for (const event of events) last.events.push(event);
    if (checkpoint !== undefined) last.checkpoint = checkpoint;
  }

  flush(): void {
    this.#assertOpen();
    this.#commit("checkpoints");
  }

  subscribe(listener: GroupListener, filter: EventFilter = {}): () => void {
    return this.#publisher.subscribe(listener, filter);
  }

  onCheckpoint(listener: CheckpointListener): () => void {
    this.#checkpointListeners.add(listener);
    return () => this.#checkpointListeners.delete(listener);
  }

  get cursor(): Cursor {
    return this.#cursors.encode(this.#commits.revision);
  }

  changesAfter(after: Cursor | undefined, filter: EventFilter, maxBytes: number): Changes {
    return this.#read("all", () => {
      const sources = {
        rows: this.#changedRows,
        reader: this.#reader,
        sessions: this.#sessions,
        cursors: this.#cursors,
        tombstones: this.#tombstones,
        open: this.#open,
        revision: this.#commits.revision,
      };
      return readChanges(sources, { after, filter, maxBytes });
    });
  }

  session(sessionID: string): Session | undefined {
    return this.#read("events", () => this.#sessions.get(sessionID)?.info);
  }

  sessions(query: SessionQuery): Session[] {
    return this.#read("events", () => this.#reader.roots(query));
  }

  children(sessionID: string): Session[] {
    return this.#read("events", () => this.#reader.children(sessionID));
  }

  rootOf(sessionID: string): string | undefined {
    return this.#read("events", () => this.#sessions.get(sessionID)?.lineage[0]);
  }

  messages(sessionID: string, query: MessageQuery): MessageWithParts[] {
    return this.#read("events", () => this.#reader.messages(sessionID, query));
  }

  todos(sessionID: string): Todo[] {
    return this.#read("events", () => this.#reader.todos(sessionID));
  }

  blocks({ sessionID }: EventFilter): PendingBlock[] {
    return this.#read("events", () => {
      const blocks = this.#reader.blocks();
      if (sessionID === undefined) return blocks;
      return blocks.filter((block) => this.#sessions.get(block.sessionID)?.lineage.includes(sessionID));
    });
  }

  message(messageID: string): Message | undefined {
    return this.#read("events", () => this.#reader.message(messageID));
  }

  hasBlock(blockID: string): boolean {
    return this.#read("events", () => this.#reader.hasBlock(blockID));
  }

  part(partID: string): Part | undefined {
    return this.#read("events", () => this.#reader.part(partID));
  }

  blob(ref: string): Blob | undefined {
    return this.#read("events", () => this.#blobs.get(ref));
  }

  checkpoint(sessionID: string): Checkpoint | undefined {
    return this.#read("events", () => {
      if (this.#sessions.get(sessionID) === undefined) return undefined;
      return this.#commits.waitingCheckpoint(sessionID) ?? this.#reader.checkpoint(sessionID);
    });
  }

  unfinished(): Session[] {
    return this.#read("events", () => this.#reader.unfinished());
  }

  unused(query: UnusedQuery): Session[] {
    return this.#read("events", () => this.#reader.unused(query));
  }

  stats(): StoreStats {
    return this.#read("events", () => this.#reader.stats());
  }

  deleteSession(sessionID: string): void {
    const root = this.rootOf(sessionID);
    if (root === undefined) return;
    this.write({ sessionID: root, events: [{ type: "session.deleted", properties: { sessionID } }] });
    this.flush();
  }

  close(): void {
    if (!this.db.open) return;
    try {
      this.#commit("all");
    } finally {
      this.#cancelTimer?.();
      this.db.close();
    }
  }

  /** Settles the group first, so that a read sees what was written before it. */
  #read<T>(depth: CommitDepth, answer: () => T): T {
    this.#assertOpen();
    this.#settle(depth);
    try {
      return answer();
    } catch (error) {
      throw storageError(error, this.options.path);
    }
  }

  /** A commit that nobody asked for: its failure is reported, not thrown. */
  #settle(depth: CommitDepth): void {
    if (!this.db.open) return;
    const lost = this.#queue;
    try {
      this.#commit(depth);
    } catch (error) {
      this.#report(error, [...new Set(lost.map(({ sessionID }) => sessionID))]);
    }
  }

  #commit(depth: CommitDepth): void {
    const group = this.#queue;
    if (group.length === 0 && (depth === "events" || !this.#commits.isBehind)) return;
    this.#queue = [];
    const { events, problems, checkpoints } = this.#run(group, depth);
    this.#armTimer();
    this.#publisher.publish(events);
    for (const [sessionID, checkpoint] of checkpoints) {
      for (const listener of this.#checkpointListeners) listener(sessionID, checkpoint);
    }
    for (const problem of problems) this.#report(problem);
  }

  #run(group: readonly QueuedWrite[], depth: CommitDepth): Committed {
    try {
      return this.#commits.run(group, depth, this.options.clock.now());
    } catch (error) {
      this.counts.failures += 1;
      this.#armTimer(RETRY_MS);
      throw storageError(error, this.options.path);
    }
  }

  /** Text that nothing follows is written too, and so is a checkpoint that waits for it. */
  #armTimer(atLeastMs = 0): void {
    if (this.#cancelTimer !== undefined || !this.#commits.isBehind) return;
    const { clock } = this.options;
    const ms = Math.max(atLeastMs, Math.ceil(this.#open.msUntilDue(clock.now())));
    this.#cancelTimer = clock.later(() => {
      this.#cancelTimer = undefined;
      this.#settle("due");
    }, ms);
  }

  #report(error: unknown, sessionIDs: readonly string[] = []): void {
    this.options.onError(GatewayError.from(error), sessionIDs);
  }

  #assertOpen(): void {
    if (!this.db.open) throw new GatewayError("shutting_down", "The store is closed");
  }
}

function readDatabaseID(db: Database): string {
  return db.prepare("select value from meta where key = 'database_id'").pluck().get() as string;
}
