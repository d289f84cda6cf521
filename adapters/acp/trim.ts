import { isRecord } from "../shared/is-record.js";

const CUT = "…";
const PROSE_LENGTH = 24;
/** Prose that is the vendor's, and where nothing is read. */
const PROSE = new Set(["description", "instructions", "body"]);
/** Lists of all that an agent offers: their entries are told apart by their ids. */
const LISTS = new Set([
  "availableCommands",
  "availableSkillDetails",
  "availableModels",
  "availableModes",
  "configOptions",
  "options",
  "authMethods",
]);

/** A message as a golden trace keeps it: of the vendor's descriptions only their first words. */
export function trimFrame(raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  const params = isRecord(raw.params) ? trimLists(raw.params, false) : raw.params;
  const result = isRecord(raw.result) ? trimLists(raw.result, false) : raw.result;
  return { ...raw, ...("params" in raw && { params }), ...("result" in raw && { result }) };
}

function trimLists(value: unknown, inList: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => trimLists(item, inList));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, child]) => {
    if (inList && PROSE.has(key) && typeof child === "string") return [key, cut(child)];
    return [key, trimLists(child, inList || LISTS.has(key))];
  });
  return Object.fromEntries(entries);
}

function cut(text: string): string {
  return text.length > PROSE_LENGTH ? text.slice(0, PROSE_LENGTH) + CUT : text;
}
