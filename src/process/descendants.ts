import type { ProcessRow } from "./process-table.js";

/**
 * The processes below the given ones, by parent. An agent's shell tool may run in a session of its own, so a process
 * group alone does not hold what the agent started.
 */
export function findDescendants(roots: Iterable<number>, rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const children = groupByParent(rows);
  const seen = new Set(roots);
  const found: ProcessRow[] = [];
  // A Set is iterated up to what is added on the way.
  for (const pid of seen) {
    for (const child of children.get(pid) ?? []) {
      if (seen.has(child.pid)) continue;
      seen.add(child.pid);
      found.push(child);
    }
  }
  return found;
}

function groupByParent(rows: readonly ProcessRow[]): ReadonlyMap<number, readonly ProcessRow[]> {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings === undefined) children.set(row.parent, [row]);
    else siblings.push(row);
  }
  return children;
}
