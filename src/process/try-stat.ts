import { type Stats, statSync } from "node:fs";

/** What stands at a path; undefined when there is nothing or it can't be seen. */
export function tryStat(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
