import type { ExportLine } from "../../../schemas/index.js";
import { exportDatabase } from "../../../src/store/transfer/export-database.js";
import { DatabaseImport, type ImportOptions } from "../../../src/store/transfer/import-database.js";

export function exportAll(path: string, sessions: readonly string[] = []): ExportLine[] {
  return [...exportDatabase({ path, sessions, agentwire: "1.2.3", exportedAt: 4, busyTimeoutMs: 0 })];
}

/** Imports to the end and returns what became of each session. */
export function importAll(path: string, lines: readonly ExportLine[], options: Partial<ImportOptions> = {}): string[] {
  const outcomes: string[] = [];
  const onSession = (id: string, outcome: string) => outcomes.push(`${id} ${outcome}`);
  const target = new DatabaseImport({ path, busyTimeoutMs: 0, skipExisting: false, onSession, ...options });
  try {
    for (const line of lines) target.take(JSON.parse(JSON.stringify(line)));
    target.finish();
  } finally {
    target.close();
  }
  return outcomes;
}
