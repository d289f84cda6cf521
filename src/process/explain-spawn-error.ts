import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";
import type { SpawnSpec } from "./agent-host.js";
import type { Variables } from "./environment.js";
import { findProgram, isPath } from "./find-program.js";
import { tryStat } from "./try-stat.js";

/**
 * Why a program did not start and what to do about it. The system answers ENOENT for a missing directory, a missing
 * program and a missing interpreter alike, so the file system is asked again.
 */
export function explainSpawnError(error: Error, spec: SpawnSpec, env: Variables): string {
  const code = (error as NodeJS.ErrnoException).code;
  return explainDirectory(spec.directory) ?? explainProgram(code, spec, env) ?? `${spec.command}: ${error.message}`;
}

function explainDirectory(directory: string): string | undefined {
  const stats = tryStat(directory);
  if (stats === undefined) {
    return `The working directory ${directory} does not exist or can't be reached: create it or choose another`;
  }
  if (!stats.isDirectory()) return `The working directory ${directory} is not a directory: choose another`;
  if (canEnter(directory)) return undefined;
  return `The working directory ${directory} may not be entered: correct its permissions or choose another`;
}

function canEnter(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function explainProgram(code: string | undefined, spec: SpawnSpec, env: Variables): string | undefined {
  const file = findProgram(spec.command, spec.directory, env);
  if (code === "ENOENT" || code === "ENOTDIR")
    return file === undefined ? explainMissing(spec) : explainInterpreter(file);
  if (code === "E2BIG") return `${spec.command}: the arguments are too long for this system: shorten the prompt`;
  if (code !== "EACCES") return undefined;
  const path = file ?? resolve(spec.directory, spec.command);
  return `${path} may not be executed: check that it is a program and that its permissions allow it (chmod +x)`;
}

function explainMissing({ command, directory }: SpawnSpec): string {
  return isPath(command)
    ? `The program ${resolve(directory, command)} does not exist: install it or correct its path`
    : `The program ${command} was not found on PATH: install it or give its full path`;
}

function explainInterpreter(file: string): string {
  return `${file} exists, but the interpreter it names in its first line does not: install that interpreter`;
}
