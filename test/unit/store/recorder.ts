import type { EventEnvelope, WireEvent } from "../../../schemas/index.js";
import { openStore, type StoreOptions } from "../../../src/store/open-store.js";
import type { Checkpoint, EventFilter, Store } from "../../../src/store/store.js";
import { ManualClock } from "./manual-clock.js";

export interface Reported {
  readonly kind: string;
  readonly message: string;
  readonly sessionIDs: readonly string[];
}

/** A store with a clock that stands still, and all that was heard of it. */
export class Recorder {
  readonly clock = new ManualClock();
  readonly groups: (readonly EventEnvelope[])[] = [];
  readonly errors: Reported[] = [];
  readonly store: Store;

  constructor(options: Partial<StoreOptions> = {}) {
    this.store = openStore({
      path: ":memory:",
      clock: this.clock,
      busyTimeoutMs: 0,
      onError: ({ kind, message }, sessionIDs) => this.errors.push({ kind, message, sessionIDs }),
      ...options,
    });
    this.store.subscribe((group) => this.groups.push(group));
  }

  write(events: readonly WireEvent[], checkpoint?: Checkpoint, sessionID = "ses_1"): void {
    this.store.write({ sessionID, events, ...(checkpoint && { checkpoint }) });
  }

  /** Writes and commits; forgets what is heard of it. */
  given(...events: readonly WireEvent[]): void {
    this.write(events);
    this.store.flush();
    this.groups.length = 0;
  }

  get heard(): readonly WireEvent[] {
    return this.groups.flat().map(({ event }) => event);
  }

  changes(after: string | undefined, filter: EventFilter = {}): readonly WireEvent[] {
    return this.store.changesAfter(after, filter, 1e9).events.map(({ event }) => event);
  }
}

export const checkpoint = (seq: number): Checkpoint => ({ state: { seq }, epoch: 1, seq });
