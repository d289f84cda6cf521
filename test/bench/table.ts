import type { Result } from "./row.js";

const HEAD = ["row", "measure", "median", "least", "most", "target", ""];

/** The results as lines of text. */
export function table(results: readonly Result[]): string {
  const lines = [HEAD, ...results.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cells({ row, measure, median, least, most, atMost, verdict, notMeasured }: Result): string[] {
  const target = atMost === undefined ? "" : `≤ ${atMost}`;
  if (notMeasured !== undefined) return [row, measure, "–", "–", "–", target, `not measured: ${notMeasured}`];
  return [row, measure, shown(median), shown(least), shown(most), target, verdict];
}

function shown(value: number): string {
  return value.toFixed(value >= 100 ? 0 : 2);
}
