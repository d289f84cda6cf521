import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { checkVersion, migrate } from "./migrate.js";
import { storageError } from "./storage-error.js";

export interface DatabaseOptions {
  /** A file, or `:memory:`. */
  readonly path: string;
  /** How long to wait for another process that holds the database; 2 seconds. */
  readonly busyTimeoutMs?: number;
}

const MEMORY = ":memory:";
/** A gateway that is being replaced needs a moment to close. */
export const BUSY_TIMEOUT_MS = 2000;
/** 16 MiB of the log, as pages of 4 KiB. */
const CHECKPOINT_PAGES = 4096;
const MAX_WAL_BYTES = 64 * 1024 * 1024;

/** Opens or creates a database for its only writer, in this version's schema. Throws a `GatewayError` of kind `storage`. */
export function openDatabase({ path, busyTimeoutMs = BUSY_TIMEOUT_MS }: DatabaseOptions): Database {
  let db: Database | undefined;
  try {
    if (path !== MEMORY) createPrivate(path);
    db = new SqliteDatabase(path, { timeout: busyTimeoutMs });
    // Revisions are counted in memory, so a second writer must not exist; the lock is also what tells it so. It comes first:
    // whoever shares a database needs another file beside it, for which a full disk has no space.
    db.pragma("locking_mode = EXCLUSIVE");
    checkVersion(db, path);
    // SQLite gives its side files the mode of the database.
    if (path !== MEMORY) chmodSync(path, 0o600);
    configure(db);
    migrate(db);
    return db;
  } catch (error) {
    db?.close();
    throw storageError(error, path);
  }
}

/** Conversations are nobody else's business. */
function createPrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, "a", 0o600));
}

function configure(db: Database): void {
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = NORMAL");
  db.pragma("foreign_keys = ON");
  // Every checkpoint waits for the disk, and the whole gateway with it.
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  db.pragma(`journal_size_limit = ${MAX_WAL_BYTES}`);
}
