import { safeText } from "./safe-text.js";

/** Rows of one line each, in columns that are as wide as they must be; the first row is the head. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => row.map((cell) => safeText(cell).replace(/\s+/g, " ")));
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
