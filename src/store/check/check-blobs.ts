import type { Database } from "better-sqlite3";
import type { StoredRows } from "../stored-rows.js";
import { blobRef } from "../take-large.js";
import type { Findings } from "./findings.js";

export interface BlobCounts {
  count: number;
  bytes: number;
  /** Those that no part refers to any more: they go with the next removal, or with `db compact`. */
  readonly unused: { count: number; bytes: number };
}

/** Reads every blob, and holds it against its name. */
export function checkBlobs(db: Database, rows: StoredRows, findings: Findings): BlobCounts {
  const isUsed = db.prepare("select 1 from part_blob where ref = ?").pluck();
  const counts: BlobCounts = { count: 0, bytes: 0, unused: { count: 0, bytes: 0 } };
  for (const { ref, data } of rows.blobs()) {
    counts.count += 1;
    counts.bytes += data.length;
    if (isUsed.get(ref) === undefined) {
      counts.unused.count += 1;
      counts.unused.bytes += data.length;
    }
    if (blobRef(data) !== ref) {
      findings.add(ref, "does not hold what its ref says", "What was large in its parts is damaged: restore a backup.");
    }
  }
  return counts;
}
