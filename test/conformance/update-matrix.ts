import { readFileSync, writeFileSync } from "node:fs";
import { renderAcpTable } from "./acp-table.js";
import { renderMatrix } from "./matrix.js";

/** Puts a table between the marks that hold its place. */
function fill(text: string, mark: string, table: string): string {
  const [open, close] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
  const begin = text.indexOf(open);
  const end = text.indexOf(close);
  if (begin < 0 || end < begin) throw new Error(`README.md has no ${open} … ${close}`);
  return `${text.slice(0, begin + open.length)}\n${table}\n${text.slice(end)}`;
}

const readme = fill(readFileSync("README.md", "utf8"), "matrix", renderMatrix());
writeFileSync("README.md", fill(readme, "acp", renderAcpTable()));
