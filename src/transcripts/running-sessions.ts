import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningSessions } from "../../adapters/index.js";
import { isAlive } from "../is-alive.js";

/** The sessions that are open in a terminal now, by the process that has them; undefined where the agent does not say. */
export function runningSessions({ read }: RunningSessions, folder: string): Map<number, string> | undefined {
  const names = listNames(folder);
  if (!names) return undefined;
  const running = names.flatMap((name) => read(readJson(join(folder, name))) ?? []);
  return new Map(running.filter(({ pid }) => isAlive(pid)).map(({ pid, nativeID }) => [pid, nativeID]));
}

function listNames(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
