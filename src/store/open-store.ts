import { openDatabase } from "./open-database.js";
import { SqliteStore, type StoreErrorListener } from "./sqlite-store.js";
import { storageError } from "./storage-error.js";
import type { Store } from "./store.js";
import { type StoreClock, SYSTEM_CLOCK } from "./store-clock.js";
import { KEEP_TOMBSTONES } from "./tombstones.js";

export interface StoreOptions {
  /** A file, or `:memory:`. */
  readonly path: string;
  /** Hears failures that no caller can be told of: of a group at the end of its tick, of a subscriber. */
  readonly onError?: StoreErrorListener;
  readonly clock?: StoreClock;
  /** How many removals are remembered for clients that were away. */
  readonly keepTombstones?: number;
  /** The longest string that stays in a tool or file part, in UTF-16 units; 256 Ki. Longer ones are kept apart. */
  readonly largeChars?: number;
  /** How long to wait for another process that holds the database. */
  readonly busyTimeoutMs?: number;
}

const LARGE_CHARS = 256 * 1024;

/** Opens or creates the database. Throws a `GatewayError` of kind `storage` that says what to do. */
export function openStore(options: StoreOptions): Store {
  const { path } = options;
  const db = openDatabase(options);
  try {
    return new SqliteStore(db, {
      path,
      clock: options.clock ?? SYSTEM_CLOCK,
      largeChars: options.largeChars ?? LARGE_CHARS,
      keepTombstones: options.keepTombstones ?? KEEP_TOMBSTONES,
      onError: options.onError ?? ((error) => process.emitWarning(error)),
    });
  } catch (error) {
    db.close();
    throw storageError(error, path);
  }
}
