import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** One running process. `start` together with `pid` names it for good: a pid alone is used again. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly start: string;
}

/**
 * All processes of this machine, as far as they can be seen; empty where nothing can. Synchronous, so that nothing
 * changes hands between looking and killing, and so that it works while the gateway itself is exiting.
 */
export function listProcesses(): readonly ProcessRow[] {
  return process.platform === "linux" ? listProc() : listPs();
}

/** One process that runs; undefined where it has ended or cannot be seen. */
export function findProcess(pid: number): ProcessRow | undefined {
  if (process.platform !== "linux") return listPs().find((row) => row.pid === pid);
  const text = readOrEmpty(`/proc/${pid}/stat`);
  return isZombie(text) ? undefined : parseProcStat(text);
}

/** It has ended, but its parent has not asked how: the first process of a container may never do. */
function isZombie(text: string): boolean {
  return text.startsWith(") Z", text.lastIndexOf(")"));
}

function listProc(): readonly ProcessRow[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => parseProcStat(readOrEmpty(`/proc/${name}/stat`)))
    .filter((row) => row !== undefined);
}

/** A process may be gone between listing and reading. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** Reads `pid (comm) state ppid pgrp …`. The name may hold blanks and parentheses: the last `)` ends it. */
export function parseProcStat(text: string): ProcessRow | undefined {
  const pid = Number.parseInt(text, 10);
  // Numbered from field 3 (state) on, so the start time, field 22, is at 19.
  const [, parent, group, ...later] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const start = later[16];
  if (Number.isNaN(pid) || start === undefined) return undefined;
  return { pid, parent: Number(parent), group: Number(group), start };
}

function listPs(): readonly ProcessRow[] {
  const environment = { ...process.env, LC_ALL: "C" };
  const { stdout } = spawnSync("ps", ["-axo", "pid=,ppid=,pgid=,lstart="], { encoding: "utf8", env: environment });
  return parsePs(stdout ?? "");
}

/** Reads lines of `pid ppid pgid start`, where the start is a date with blanks. */
export function parsePs(text: string): readonly ProcessRow[] {
  return text
    .split("\n")
    .map(parsePsLine)
    .filter((row) => row !== undefined);
}

function parsePsLine(line: string): ProcessRow | undefined {
  const [pid, parent, group, ...start] = line.trim().split(/\s+/);
  if (start.length === 0) return undefined;
  return { pid: Number(pid), parent: Number(parent), group: Number(group), start: start.join(" ") };
}
