import type {
  Cursor,
  EventEnvelope,
  Message,
  MessageWithParts,
  Part,
  PendingBlock,
  Session,
  Todo,
  WireEvent,
} from "../../schemas/index.js";
import type { StoreCounts } from "./store-counts.js";

/** What a session needs to go on after the gateway was restarted: the adapter's state and the last frame it saw. */
export interface Checkpoint {
  readonly state: unknown;
  readonly epoch: number;
  readonly seq: number;
  /** What the session had asked for by then and not seen done: plain JSON that only the session reads. */
  readonly pending?: unknown;
}

export type CheckpointListener = (sessionID: string, checkpoint: Checkpoint) => void;

export interface Blob {
  /** By its content: the same bytes are kept once. */
  readonly ref: string;
  readonly mime: string;
  /** Whether the bytes are text, in UTF-8. */
  readonly isText: boolean;
  readonly data: Buffer;
}

export interface StoreWrite {
  /** The root session whose step this is. */
  readonly sessionID: string;
  readonly events: readonly WireEvent[];
  /**
   * Stored in the same transaction as the events and as the text that its deltas brought. One that comes with nothing
   * but transient events waits for that text: for the next transaction of its session, `flush`, or a quarter second.
   */
  readonly checkpoint?: Checkpoint;
}

export interface EventFilter {
  /** Only this session and its descendants. */
  readonly sessionID?: string;
}

/** Subscribers with the same filter are handed the same array. */
export type GroupListener = (group: readonly EventEnvelope[]) => void;

/** Which root sessions nobody has used for long. */
export interface UnusedQuery {
  /** In milliseconds since the epoch: nothing of them, and of nothing below them, was changed at this time or later. */
  readonly since: number;
  /** Only those after this one, in their order. */
  readonly after?: Session;
  /** Only this one. */
  readonly sessionID?: string;
  readonly limit: number;
}

export interface Changes {
  /**
   * The rows changed after the cursor, as `*.updated` (or `*.removed`, `session.deleted`) events in revision order.
   * What a row stands in is sent before it where it changed too; such an event has no cursor.
   */
  readonly events: readonly EventEnvelope[];
  /** Where to go on from. */
  readonly cursor: Cursor;
  /** More rows than the limit allowed: ask again from `cursor`. */
  readonly more: boolean;
  /** The cursor is older than what is remembered of removals, or from another database: read everything again. */
  readonly gap: boolean;
}

export interface StoreStats {
  /** How many root sessions there are. */
  readonly sessions: number;
  /** How many of them are not idle, by what they do. */
  readonly active: readonly ActiveNumber[];
  /** The size of the database, without its log. */
  readonly bytes: number;
}

export interface ActiveNumber {
  readonly agent: string;
  readonly status: Session["status"]["type"];
  readonly number: number;
}

/**
 * The canonical messages, and the only place that gives out cursors and publishes events. Writes are grouped: all that
 * is written in one tick is one transaction, and an event is heard only after its transaction has been committed.
 * Every read sees all that was written before it. What an event does not change is neither stored nor heard.
 *
 * Failures are `GatewayError`s. A group that cannot be committed is lost as a whole, with its checkpoints, and nobody
 * hears it: its sessions go on from their last checkpoint. Reads go on with what is there.
 */
export interface Store {
  /** Adds to the group of this tick. Events are applied in order. */
  write(write: StoreWrite): void;
  /**
   * Commits the group and publishes it now: before something is sent that must not be remembered less than it was done.
   * Checkpoints that wait for their text are stored with it. Throws when the group could not be committed.
   */
  flush(): void;
  /** Hears every published group, in order. Returns the way to stop. */
  subscribe(listener: GroupListener, filter?: EventFilter): () => void;

  /** Hears every checkpoint that is in the database now. Returns the way to stop. */
  onCheckpoint(listener: CheckpointListener): () => void;

  readonly cursor: Cursor;
  /** What changed after a cursor (everything, without one), the oldest first; at most about `maxBytes` of rows. */
  changesAfter(cursor: Cursor | undefined, filter: EventFilter, maxBytes: number): Changes;

  session(sessionID: string): Session | undefined;
  /** Root sessions, the newest first. An unknown `before` is `not_found`. */
  sessions(query: {
    readonly directory?: string;
    readonly agent?: string;
    /** False leaves the archived ones out. */
    readonly archived?: boolean;
    readonly before?: string;
    readonly limit: number;
  }): Session[];
  children(sessionID: string): Session[];
  /** The root a session belongs to (itself, when it has no parent). */
  rootOf(sessionID: string): string | undefined;
  /** The oldest first; `limit` takes the newest of those before `before`. An unknown `before` is `not_found`. */
  messages(sessionID: string, query: { readonly before?: string; readonly limit: number }): MessageWithParts[];
  message(messageID: string): Message | undefined;
  todos(sessionID: string): Todo[];
  /** Tools that wait, in a session and its descendants or everywhere. */
  blocks(filter: EventFilter): PendingBlock[];
  /** Whether there is a tool that waits or waited with this block. */
  hasBlock(blockID: string): boolean;
  /** The current form of a part, with every delta so far. */
  part(partID: string): Part | undefined;
  /** What a part keeps apart. */
  blob(ref: string): Blob | undefined;
  checkpoint(sessionID: string): Checkpoint | undefined;
  /** What is in the database, for whoever watches the gateway. */
  stats(): StoreStats;
  /** What was done; can be read also when the database cannot. */
  readonly counts: StoreCounts;
  /** Root sessions that were not idle when the store was last written. */
  unfinished(): Session[];
  /**
   * Root sessions that nobody has used for long, the oldest first: idle like all below them, with nothing that waits, and
   * not followed in a terminal.
   */
  unused(query: UnusedQuery): Session[];

  /** Deletes a session, its children and all that belongs to them; leaves tombstones; publishes `session.deleted`. */
  deleteSession(sessionID: string): void;
  /** Writes what waits and gives the database free. */
  close(): void;
}
