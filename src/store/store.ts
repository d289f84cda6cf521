import type {
  Cursor,
  EventEnvelope,
  MessageWithParts,
  PendingBlock,
  Session,
  Todo,
  WireEvent,
} from "../../schemas/index.js";

/** What a session needs to go on after the gateway was restarted: the adapter's state and the last frame it saw. */
export interface Checkpoint {
  readonly state: unknown;
  readonly epoch: number;
  readonly seq: number;
}

export interface StoreWrite {
  /** The root session whose step this is. */
  readonly sessionID: string;
  readonly events: readonly WireEvent[];
  /** Stored in the same transaction as the events. */
  readonly checkpoint?: Checkpoint;
}

export interface EventFilter {
  /** Only this session and its descendants. */
  readonly sessionID?: string;
}

export interface Changes {
  /** The rows changed after the cursor, as `*.updated` (or `*.removed`, `session.deleted`) events in revision order. */
  readonly events: readonly EventEnvelope[];
  /** Where to go on from. */
  readonly cursor: Cursor;
  /** More rows than the limit allowed: ask again from `cursor`. */
  readonly more: boolean;
  /** The cursor is older than what is remembered of removals, or from another database: read everything again. */
  readonly gap: boolean;
}


/**
 * The canonical messages, and the only place that gives out cursors and publishes events. Writes are grouped: all that
 * is written in one tick is one transaction, and an event is heard only after its transaction has been committed.
 */
export interface Store {
  /** Adds to the group of this tick. Events are applied in order. */
  write(write: StoreWrite): void;
  /** Commits the group and publishes it now: before something is sent that must not be remembered less than it was done. */
  flush(): void;
  /** Hears every published group, in order. Returns the way to stop. */
  subscribe(listener: (group: readonly EventEnvelope[]) => void): () => void;

  readonly cursor: Cursor;
  /** What changed after a cursor (everything, without one), the oldest first; at most about `maxBytes` of rows. */
  changesAfter(cursor: Cursor | undefined, filter: EventFilter, maxBytes: number): Changes;

  session(sessionID: string): Session | undefined;
  /** Root sessions, the newest first. */
  sessions(query: {
    readonly directory?: string;
    readonly agent?: string;
    readonly before?: string;
    readonly limit: number;
  }): Session[];
  children(sessionID: string): Session[];
  /** The root a session belongs to (itself, when it has no parent). */
  rootOf(sessionID: string): string | undefined;
  /** The oldest first; `limit` takes the newest of those before `before`. */
  messages(sessionID: string, query: { readonly before?: string; readonly limit: number }): MessageWithParts[];
  todos(sessionID: string): Todo[];
  /** Tools that wait, in a session and its descendants or everywhere. */
  blocks(filter: EventFilter): PendingBlock[];
  /** The current form of a part, with every delta so far. */
  part(partID: string): MessageWithParts["parts"][number] | undefined;
  checkpoint(sessionID: string): Checkpoint | undefined;
  /** Root sessions that were not idle when the store was last written. */
  unfinished(): Session[];

  /** Deletes a session, its children and all that belongs to them; leaves tombstones; publishes `session.deleted`. */
  deleteSession(sessionID: string): void;
  close(): void;
}
