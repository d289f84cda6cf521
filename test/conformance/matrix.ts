import { existsSync } from "node:fs";
import { ADAPTERS, type AnyAdapter } from "../../adapters/index.js";
import { listTraces, readTrace, type TraceInfo } from "../../src/conformance/trace.js";
import { REQUIREMENTS, type Requirement, SHOWN_BY_TESTS, WAIVERS } from "../requirements.js";

export const GOLDEN = "golden-traces";

export const TRACES: readonly TraceInfo[] = listTraces(GOLDEN).map((folder) => readTrace(folder).info);

/** The family of an adapter: all agents of one protocol share their adapter's code, and what it promises. */
export function familyOf(adapter: string): string {
  return adapter.startsWith("acp-") ? "acp" : adapter;
}

/** The adapters that promise something: one of each family, which has traces. */
export const FAMILIES: readonly AnyAdapter[] = Object.values(ADAPTERS).filter(
  ({ id }) => familyOf(id) === id && TRACES.some((trace) => familyOf(trace.adapter) === id),
);

/** Whether an adapter owes a requirement. */
export function isOwed({ needs, only }: Requirement, adapter: AnyAdapter): boolean {
  if (only !== undefined && only !== adapter.id) return false;
  return needs === undefined || adapter.capabilities.includes(needs);
}

export function tracesFor(requirement: string, adapter: string): TraceInfo[] {
  return TRACES.filter((trace) => familyOf(trace.adapter) === adapter && trace.requirements.includes(requirement));
}

export function isWaived(requirement: string, adapter: string): boolean {
  return WAIVERS.some((waiver) => waiver.requirement === requirement && waiver.adapter === adapter);
}

/** What is owed and neither shown nor waived, in words. */
export function holes(): string[] {
  return FAMILIES.flatMap((adapter) =>
    REQUIREMENTS.filter((requirement) => isOwed(requirement, adapter) && !isShown(requirement, adapter)).map(
      ({ id }) => `${adapter.id} has no trace for ${id}`,
    ),
  );
}

function isShown({ id, test }: Requirement, adapter: AnyAdapter): boolean {
  const isTested = (test !== undefined && existsSync(test)) || testsFor(id, adapter.id).length > 0;
  return isWaived(id, adapter.id) || tracesFor(id, adapter.id).length > 0 || isTested;
}

function testsFor(requirement: string, adapter: string): string[] {
  const shown = SHOWN_BY_TESTS.filter((entry) => entry.requirement === requirement && entry.adapter === adapter);
  return shown.map(({ test }) => test).filter(existsSync);
}

/** The conformance matrix of the README: a line for each promise, a column for each adapter. */
export function renderMatrix(): string {
  const head = [
    `| promise | ${FAMILIES.map(({ id }) => id).join(" | ")} |`,
    `|---|${FAMILIES.map(() => "---").join("|")}|`,
  ];
  const lines = REQUIREMENTS.map(
    (requirement) =>
      `| ${requirement.title} \`${requirement.id}\` | ${FAMILIES.map((adapter) => cell(requirement, adapter)).join(" | ")} |`,
  );
  return [...head, ...lines].join("\n");
}

function cell(requirement: Requirement, adapter: AnyAdapter): string {
  if (!isOwed(requirement, adapter)) return "–";
  if (isWaived(requirement.id, adapter.id)) return "waived";
  const traces = tracesFor(requirement.id, adapter.id);
  return traces.length === 0 ? "test" : `✓ ${traces.length}`;
}
