import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { checkVersion, migrate } from "./migrate.js";
import { SqliteStore, type StoreErrorListener } from "./sqlite-store.js";
import { storageError } from "./storage-error.js";
import type { Store } from "./store.js";
import { type StoreClock, SYSTEM_CLOCK } from "./store-clock.js";

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

const MEMORY = ":memory:";
const LARGE_CHARS = 256 * 1024;
const KEEP_TOMBSTONES = 10_000;
/** A gateway that is being replaced needs a moment to close. */
const BUSY_TIMEOUT_MS = 2000;
/** 16 MiB of the log, as pages of 4 KiB. */
const CHECKPOINT_PAGES = 4096;
const MAX_WAL_BYTES = 64 * 1024 * 1024;

/** Opens or creates the database. Throws a `GatewayError` of kind `storage` that says what to do. */
export function openStore(options: StoreOptions): Store {
  const { path } = options;
  let db: Database | undefined;
  try {
    if (path !== MEMORY) createPrivate(path);
    db = new SqliteDatabase(path, { timeout: options.busyTimeoutMs ?? BUSY_TIMEOUT_MS });
    checkVersion(db, path);
    configure(db);
    migrate(db);
    return new SqliteStore(db, {
      path,
      clock: options.clock ?? SYSTEM_CLOCK,
      largeChars: options.largeChars ?? LARGE_CHARS,
      keepTombstones: options.keepTombstones ?? KEEP_TOMBSTONES,
      onError: options.onError ?? ((error) => process.emitWarning(error)),
    });
  } catch (error) {
    db?.close();
    throw storageError(error, path);
  }
}

/** Conversations are nobody else's business. SQLite gives its side files the mode of the database. */
function createPrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}

function configure(db: Database): void {
  // Revisions are counted in memory, so a second writer must not exist; the lock is also what tells it so.
  db.pragma("locking_mode = EXCLUSIVE");
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = NORMAL");
  db.pragma("foreign_keys = ON");
  // Every checkpoint waits for the disk, and the whole gateway with it.
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  db.pragma(`journal_size_limit = ${MAX_WAL_BYTES}`);
}
