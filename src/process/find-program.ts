import { delimiter, resolve } from "node:path";
import type { Variables } from "./environment.js";
import { tryStat } from "./try-stat.js";

/**
 * The file a command names, whether or not it may be executed; undefined if there is none. Only for telling why a
 * start failed: the start itself is left to the system.
 */
export function findProgram(command: string, directory: string, env: Variables): string | undefined {
  return listCandidates(command, directory, env).find(isFile);
}

function listCandidates(command: string, directory: string, env: Variables): readonly string[] {
  if (isPath(command)) return [resolve(directory, command)];
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter);
  return folders.map((folder) => resolve(directory, folder, command));
}

/** Whether a command is looked up as a path instead of on PATH. */
export function isPath(command: string): boolean {
  return /[/\\]/.test(command);
}

function isFile(path: string): boolean {
  return tryStat(path)?.isFile() ?? false;
}
