import type { Database } from "better-sqlite3";
import { GatewayError } from "../gateway-error.js";
import { Blobs } from "./blobs.js";
import { databaseSize } from "./database-size.js";
import { type DatabaseOptions, openDatabase } from "./open-database.js";
import { storageError } from "./storage-error.js";
import { KEEP_TOMBSTONES, Tombstones } from "./tombstones.js";

export interface Compacted {
  /** In bytes, with the log. */
  readonly before: number;
  readonly after: number;
}

/**
 * Drops what nothing refers to and gives the space to the disk. The database is written anew for that, so for a moment the
 * disk must hold it twice; where it cannot, `storage` is thrown and nothing is lost.
 */
export function compactDatabase(options: DatabaseOptions): Compacted {
  const { path } = options;
  const before = databaseSize(path);
  const db = openDatabase(options);
  try {
    prune(db);
    db.exec("vacuum");
  } catch (error) {
    throw explain(error, path, before);
  } finally {
    db.close();
  }
  return { before, after: databaseSize(path) };
}

function prune(db: Database): void {
  const run = db.transaction(() => {
    new Blobs(db, Number.POSITIVE_INFINITY).prune();
    new Tombstones(db, KEEP_TOMBSTONES).prune();
  });
  run.immediate();
}

function explain(error: unknown, path: string, bytes: number): GatewayError {
  const failed = storageError(error, path);
  if ((error as { code?: unknown }).code !== "SQLITE_FULL") return failed;
  const hint = `Free some disk space, here and in the folder of temporary files: up to ${2 * bytes} bytes. Nothing was lost.`;
  return new GatewayError("storage", failed.message, { hint, cause: error });
}
