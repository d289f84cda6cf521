import type { Database } from "better-sqlite3";
import { databaseSize } from "../database-size.js";
import { SCHEMA_VERSION } from "../migrate.js";
import type { DatabaseOptions } from "../open-database.js";
import { openReadOnly } from "../read-only-database.js";
import { storageError } from "../storage-error.js";
import { StoredRows } from "../stored-rows.js";
import { type BlobCounts, checkBlobs } from "./check-blobs.js";
import { RowChecker, type RowCounts } from "./check-rows.js";
import { checkFile, checkPlaces } from "./check-structure.js";
import { type Finding, Findings } from "./findings.js";

export interface DatabaseReport {
  readonly path: string;
  /** The size of the file and of its log. */
  readonly bytes: number;
  readonly schemaVersion: number;
  /** The version that this agentwire brings it to when it opens it. */
  readonly latestSchemaVersion: number;
  /** Missing where the file itself is damaged. */
  readonly holds?: RowCounts & { readonly blobs: BlobCounts; readonly tombstones: number };
  readonly problems: readonly Finding[];
  /** How many there are; more than are listed where there are very many. */
  readonly problemCount: number;
}

/**
 * Reads the whole of a database and changes nothing of it: its file, references, places, and every row by its schema.
 * Throws `not_found` or `storage` where it cannot be opened, is newer than this version or in use.
 */
export function checkDatabase(options: DatabaseOptions): DatabaseReport {
  const { path } = options;
  const { db, version, close } = openReadOnly(options);
  try {
    const findings = new Findings();
    checkFile(db, findings);
    const holds = findings.count === 0 ? checkContent(db, findings) : undefined;
    return {
      path,
      bytes: databaseSize(path),
      schemaVersion: version,
      latestSchemaVersion: SCHEMA_VERSION,
      ...(holds && { holds }),
      problems: findings.list,
      problemCount: findings.count,
    };
  } catch (error) {
    throw storageError(error, path);
  } finally {
    close();
  }
}

function checkContent(db: Database, findings: Findings): DatabaseReport["holds"] {
  checkPlaces(db, findings);
  const rows = new StoredRows(db);
  const checker = new RowChecker(rows, findings);
  checker.check();
  const blobs = checkBlobs(db, rows, findings);
  const tombstones = db.prepare("select count(*) from tombstone").pluck().get() as number;
  return { ...checker.counts, blobs, tombstones };
}
