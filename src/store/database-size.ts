import { statSync } from "node:fs";

/** In bytes, with the log that is not yet in the file. */
export function databaseSize(path: string): number {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return statSync(path).size + (log?.size ?? 0);
}
