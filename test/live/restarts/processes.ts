import { readFileSync, readlinkSync } from "node:fs";
import { listProcesses } from "../../../src/process/process-table.js";

/** The processes that work in a folder, by their command lines. */
export function processesBelow(folder: string): string[] {
  return listProcesses().flatMap(({ pid }) => (directoryOf(pid).startsWith(folder) ? [commandLine(pid)] : []));
}

/** Its words with blanks between them; empty for a process that is gone. */
export function commandLine(pid: number): string {
  return look(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
}

function directoryOf(pid: number): string {
  return look(() => readlinkSync(`/proc/${pid}/cwd`));
}

function look(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
