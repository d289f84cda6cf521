import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, type StructuredPatchHunk, structuredPatch } from "diff";
import type { FileDiff } from "../../schemas/index.js";

/** Give up on a minimal diff past this many edits and show the whole file as replaced: the work is bounded. */
const MAX_EDITS = 2000;
const NO_NEWLINE = "\\ No newline at end of file";

/** The change of one file as a unified patch; `before` is null for a new file. */
export function diffFile(file: string, before: string | null, after: string): FileDiff {
  const status = before === null ? "added" : "modified";
  const patch = structuredPatch(file, file, before ?? "", after, undefined, undefined, {
    context: 3,
    maxEditLength: MAX_EDITS,
  });
  return diffOf(patch ?? replaced(file, before ?? "", after), status);
}

/** A file's change from hunks that the agent reports. */
export function diffFromHunks(
  file: string,
  hunks: readonly StructuredPatchHunk[],
  status: NonNullable<FileDiff["status"]>,
): FileDiff {
  return diffOf({ ...emptyPatch(file), hunks: [...hunks] }, status);
}

function diffOf(patch: StructuredPatch, status: NonNullable<FileDiff["status"]>): FileDiff {
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return {
    file: patch.newFileName ?? "",
    patch: formatPatch(patch, FILE_HEADERS_ONLY),
    additions: count("+"),
    deletions: count("-"),
    status,
  };
}

function replaced(file: string, before: string, after: string): StructuredPatch {
  const removed = linesOf(before);
  const added = linesOf(after);
  const hunk: StructuredPatchHunk = {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
    lines: [...signed("-", removed, before), ...signed("+", added, after)],
  };
  return { ...emptyPatch(file), hunks: [hunk] };
}

function signed(sign: string, lines: readonly string[], text: string): string[] {
  const marked = lines.map((line) => sign + line);
  return text === "" || text.endsWith("\n") ? marked : [...marked, NO_NEWLINE];
}

function emptyPatch(file: string): StructuredPatch {
  return { oldFileName: file, newFileName: file, oldHeader: undefined, newHeader: undefined, hunks: [] };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
