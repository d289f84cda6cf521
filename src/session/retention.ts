import type { Logger } from "pino";
import type { Session } from "../../schemas/index.js";
import type { Store } from "../store/store.js";
import { deleteUnused } from "./delete-unused.js";

/** The time, in milliseconds since the epoch, and a way to wait that does not keep the process alive. */
export interface RetentionClock {
  now(): number;
  /** Returns the way to take it back. */
  later(run: () => void, ms: number): () => void;
}

export interface RetentionOptions {
  readonly store: Store;
  /** Deletes a session that nobody has used since a time; false where it is used again by now, or at work. */
  readonly expire: (sessionID: string, since: number) => Promise<boolean>;
  readonly keepDays: number;
  readonly log: Logger;
  readonly clock?: RetentionClock;
}

export const DAY_MS = 24 * 60 * 60 * 1000;
const PERIOD_MS = 60 * 60 * 1000;
/** Between two batches, for all else that the gateway does. */
const PAUSE_MS = 100;

const SYSTEM_CLOCK: RetentionClock = {
  now: Date.now,
  later: (run, ms) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Deletes sessions that nobody has used for some days: at the start, then every hour, and a few at a time. */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #clock: RetentionClock;
  #cancel: (() => void) | undefined;
  #stopped = false;
  #deleted = 0;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
  }

  start(): void {
    this.#next(undefined, 0);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #next(after: Session | undefined, ms: number): void {
    if (!this.#stopped) this.#cancel = this.#clock.later(() => void this.#sweep(after), ms);
  }

  /** One batch. A failure, of a full disk perhaps, is tried again with the next hour's. */
  async #sweep(after: Session | undefined): Promise<void> {
    try {
      const { last, deleted } = await this.#deleteSome(after);
      this.#deleted += deleted;
      if (last) return this.#next(last, PAUSE_MS);
    } catch (error) {
      this.#options.log.error({ error }, "old sessions could not be deleted");
    }
    this.#tell();
    this.#next(undefined, PERIOD_MS);
  }

  #deleteSome(after: Session | undefined) {
    const { store, keepDays, expire } = this.#options;
    const since = this.#clock.now() - keepDays * DAY_MS;
    return deleteUnused(store, { since, ...(after && { after }) }, async ({ id }) => {
      return !this.#stopped && (await expire(id, since));
    });
  }

  #tell(): void {
    const { log, keepDays } = this.#options;
    if (this.#deleted > 0) log.info({ sessions: this.#deleted, keepDays }, "sessions that nobody used were deleted");
    this.#deleted = 0;
  }
}
