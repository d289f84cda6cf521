import { z } from "zod";
import type { AnyAdapter } from "../../adapters/index.js";
import { parseJson } from "../parse-json.js";

/**
 * One line of a recording: what happened at the border of an agent's process, `t` milliseconds after the start. `out` is
 * what the agent wrote, `in` what it was sent, `err` its stderr, `meta` and `note` a note of the recorder, `exit` its end.
 */
export const RecordedLine = z.object({
  t: z.number(),
  dir: z.enum(["out", "in", "err", "meta", "note", "exit"]),
  line: z.unknown(),
});
export type RecordedLine = z.infer<typeof RecordedLine>;

/** Recorders name the code and the signal one way or the other. */
const Exit = z.union([
  z.object({ exit: z.number().nullable(), signal: z.string().nullish() }),
  z
    .object({ code: z.number().nullable(), sig: z.string().nullable() })
    .transform(({ code, sig }) => ({ exit: code, signal: sig })),
]);

export type RecordedEntry =
  | { readonly t: number; readonly kind: "frame"; readonly frame: unknown }
  | { readonly t: number; readonly kind: "noise"; readonly text: string }
  | { readonly t: number; readonly kind: "sent"; readonly frame: unknown }
  | { readonly t: number; readonly kind: "stderr"; readonly text: string }
  | { readonly t: number; readonly kind: "exit"; readonly code: number | null; readonly signal: string | null };

/** How an agent reads the lines of recordings that have a form of its own. */
type ReadRecorded = AnyAdapter["recorded"];

/** Reads one line of input: a recording's line, or a bare native line. Undefined for a note that says nothing. */
export function readEntry(line: string, index: number, readRecorded?: ReadRecorded): RecordedEntry | undefined {
  if (line.trim() === "") return undefined;
  const value = parseJson(line);
  const recorded = RecordedLine.safeParse(value);
  if (recorded.success) {
    const own = ownEntry(recorded.data, readRecorded);
    return own === undefined ? entryOf(recorded.data) : (own ?? undefined);
  }
  if (value === undefined) return { t: index, kind: "noise", text: line };
  return { t: index, kind: "frame", frame: value };
}

function ownEntry({ t, dir, line }: RecordedLine, read: ReadRecorded): RecordedEntry | null | undefined {
  if (dir !== "in" && dir !== "out") return undefined;
  const own = read?.(line);
  return own && { t, ...own };
}

function entryOf({ t, dir, line }: RecordedLine): RecordedEntry | undefined {
  switch (dir) {
    case "out":
      return typeof line === "string" ? readOutText(t, line) : { t, kind: "frame", frame: line };
    case "in":
      return { t, kind: "sent", frame: typeof line === "string" ? parseJson(line) : line };
    case "err":
      return { t, kind: "stderr", text: String(line) };
    case "meta":
    case "note":
    case "exit":
      return exitOf(t, typeof line === "string" ? parseJson(line) : line);
  }
}

function readOutText(t: number, line: string): RecordedEntry {
  const frame = parseJson(line);
  return typeof frame === "object" && frame !== null ? { t, kind: "frame", frame } : { t, kind: "noise", text: line };
}

function exitOf(t: number, line: unknown): RecordedEntry | undefined {
  const exit = Exit.safeParse(line);
  return exit.success ? { t, kind: "exit", code: exit.data.exit, signal: exit.data.signal ?? null } : undefined;
}
