import { ID_PREFIXES } from "../../schemas/index.js";
import type { FinalDocument } from "../store/reduce.js";
import { mapStrings } from "./placeholders.js";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** What agents draw at random: ids of tasks and runs, names of files, times in texts. */
const RANDOM = [
  /\ba[0-9a-f]{16}\b/g,
  /\bb[0-9a-z]{8}\b/g,
  /\b0mx[0-9a-z]{6}-[0-9a-f]{8}\b/g,
  /\bplan-it-[a-z]+-[a-z]+\b/g,
  /\b(?:ses|msg|prt)_[0-9a-f]{12}[0-9A-Za-z]{14}\b/g,
  /-blob-\d+-[0-9a-z]+/g,
  /(?<="ref":")[0-9a-f]{6}\b/g,
  /(?<=\bduration_ms: )\d+/g,
  /(?<=\bProcess Group PGID: )\d+/g,
];
/** Ids that an agent makes like ours: the time, then what it draws. */
const AGENTS_ID = /\b(ses|msg|prt|per|que)_[0-9a-f]{12}[0-9A-Za-z]{14}\b/g;
const OWN_ID = new RegExp(`\\b(${Object.keys(ID_PREFIXES).join("|")})_0[0-9a-z]{14,}`, "g");
const TIMES = new Set(["created", "updated", "start", "end", "completed", "decidedAt", "next", "duration_ms"]);

/**
 * A final state without what differs from run to run of the same story: times, the numbers in ids, whether an agent had
 * found a title when the story was over, and the `unsteady` fields of one agent.
 */
export function comparable(final: FinalDocument, unsteady: readonly string[] = []): unknown {
  const known = new Map<string, string>();
  const rename = (id: string, kind: string) => {
    const name = known.get(id) ?? `${kind}#${known.size + 1}`;
    known.set(id, name);
    return name;
  };
  const untitled = final.sessions.map((session) => ({ ...session, info: { ...session.info, title: "" } }));
  const renamed = mapStrings({ ...final, sessions: untitled }, (text) =>
    withoutRandom(text).replace(OWN_ID, (id, kind: string) => rename(id, kind)),
  );
  return steady(renamed, new Set(unsteady));
}

function withoutRandom(text: string): string {
  const known = text.replace(UUID, "<uuid>").replace(AGENTS_ID, "$1_<random>");
  return RANDOM.reduce((result, pattern) => result.replace(pattern, "<random>"), known);
}

function steady(value: unknown, unsteady: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => steady(item, unsteady));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !unsteady.has(key));
  return Object.fromEntries(
    entries.map(([key, child]) => [key, TIMES.has(key) && typeof child === "number" ? 0 : steady(child, unsteady)]),
  );
}
