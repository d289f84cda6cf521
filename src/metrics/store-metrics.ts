import type { StoreCounts } from "../store/store-counts.js";
import { counter, type Family, gauge, histogram } from "./exposition.js";

/** The database. */
export function storeMetrics(counts: StoreCounts, bytes: number): Family[] {
  return [
    histogram("store_commit_duration_seconds", "How long transactions took.", [[{}, counts.commits]]),
    counter("store_failures", "Groups of events that could not be stored.", counts.failures),
    counter("deltas_joined", "Deltas that were joined to one before them.", counts.joinedDeltas),
    gauge("database_bytes", "The size of the database, without its log.", bytes),
  ];
}
