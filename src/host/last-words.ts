import { mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

const KEPT_CHARS = 8_000;

/**
 * A host outlives whoever started it, so that nobody reads its standard error: it is a file. Undefined when there was
 * none, or nothing went wrong.
 */
export function readLastWords(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim().slice(-KEPT_CHARS) || undefined;
  } catch {
    return undefined;
  }
}

/** Opens the file anew, for this user alone. */
export function openLastWords(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openSync(path, "w", 0o600);
}
