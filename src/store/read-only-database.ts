import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { GatewayError } from "../gateway-error.js";
import { checkVersion, SCHEMA_VERSION, standIn } from "./migrate.js";
import { BUSY_TIMEOUT_MS, type DatabaseOptions } from "./open-database.js";
import { storageError } from "./storage-error.js";

export interface ReadOnlyDatabase {
  readonly db: Database;
  /** The schema version of the file; what it lacks to this version's is there, and empty. */
  readonly version: number;
  close(): void;
}

/**
 * Opens a database as it is, to read it and nothing else: the file stays the same byte for byte, also one of an older
 * schema version and one whose last gateway was killed. One transaction is open from here on, so that no gateway begins to
 * write meanwhile. Throws `not_found`, or `storage` where it cannot be read or a gateway has it open.
 */
export function openReadOnly({ path, busyTimeoutMs = BUSY_TIMEOUT_MS }: DatabaseOptions): ReadOnlyDatabase {
  if (!existsSync(path)) throw new GatewayError("not_found", `There is no database ${path}`);
  try {
    return open(path, path, busyTimeoutMs);
  } catch (error) {
    if (!needsCopy(error)) throw storageError(error, path);
  }
  return openCopy(path, busyTimeoutMs);
}

/** `path` is what it is called by, `file` where it is read. */
function open(path: string, file: string, timeout: number, onClose = () => {}): ReadOnlyDatabase {
  // A reader that may not write cannot take its side files away again; one that may would write back what is in the log.
  const db = new SqliteDatabase(file, { readonly: hasLog(file), fileMustExist: true, timeout });
  try {
    const version = checkVersion(db, path);
    if (version === 0) throw new GatewayError("storage", `The database ${path} was never used: there is nothing in it`);
    if (version < SCHEMA_VERSION) standIn(db, version);
    db.pragma("query_only = ON");
    db.exec("begin");
    db.prepare("select 1 from meta").get();
    const close = () => {
      db.close();
      onClose();
    };
    return { db, version, close };
  } catch (error) {
    db.close();
    throw error;
  }
}

function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** SQLite keeps side files beside a database that it reads, which it cannot in a read-only directory or on a full disk. */
const NO_SIDE_FILES = [
  "SQLITE_READONLY_DIRECTORY",
  "SQLITE_READONLY_CANTINIT",
  "SQLITE_CANTOPEN",
  "SQLITE_IOERR_SHMSIZE",
  "SQLITE_FULL",
];

function needsCopy(error: unknown): boolean {
  return NO_SIDE_FILES.includes(String((error as { code?: unknown }).code));
}

function openCopy(path: string, timeout: number): ReadOnlyDatabase {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-read-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, basename(path));
    copyFileSync(path, copy);
    if (hasLog(path)) copyFileSync(`${path}-wal`, `${copy}-wal`);
    return open(path, copy, timeout, remove);
  } catch (error) {
    remove();
    throw storageError(error, path);
  }
}
