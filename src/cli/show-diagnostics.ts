import type { SessionDiagnostics } from "../../schemas/index.js";
import { formatDuration } from "./format-duration.js";
import { printable } from "./printable.js";

const NAME_WIDTH = 12;
const INDENT = " ".repeat(NAME_WIDTH);

/** The diagnostics of a session as a person reads them, one line each. `now`: milliseconds since the epoch. */
export function showDiagnostics(diagnostics: SessionDiagnostics, now: number): string[] {
  const { sessionID, agent, frames, lastFrameAt, unknownFrames, noise, waiting } = diagnostics;
  const unknown = Object.entries(unknownFrames).map(([kind, count]) => `${kind} ${count}`);
  const waits = Object.entries(waiting).map(([name, count]) => `${count} ${name}`);
  return [
    row("session", `${sessionID} of ${agent}${diagnostics.atWork ? "" : ", not at work in this gateway"}`),
    row("process", showProcess(diagnostics, now)),
    ...showLastExit(diagnostics, now),
    row("frames", `${frames}${lastFrameAt === undefined ? "" : `, the last ${ago(lastFrameAt, now)}`}`),
    ...(unknown.length > 0 ? [row("unknown", unknown.join(", "))] : []),
    row("noise", `${noise.count} lines, ${diagnostics.faults} broken frames`),
    ...noise.lines.map(indented),
    row("silences", String(diagnostics.stalls)),
    row("waiting", waits.join(", ")),
  ];
}

function showProcess({ process, processes }: SessionDiagnostics, now: number): string {
  if (!process) return `none runs, ${processes} so far`;
  const { pid = "not known yet", program = "started by an earlier gateway", since } = process;
  return `${pid}, ${program}, for ${formatDuration(now - since)}, ${processes} so far`;
}

function showLastExit({ lastExit }: SessionDiagnostics, now: number): string[] {
  if (!lastExit) return [];
  const { at, code, signal, error, stderr } = lastExit;
  const how = error ?? (signal === null ? `code ${code}` : `signal ${signal}`);
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  return [row("last exit", `${how}, ${ago(at, now)}`), ...lines.map(indented)];
}

const row = (name: string, text: string): string => name.padEnd(NAME_WIDTH) + printable(text);

const indented = (text: string): string => INDENT + printable(text);

const ago = (at: number, now: number): string => `${formatDuration(now - at)} ago`;
