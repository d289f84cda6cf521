import { mapStrings } from "../../../src/conformance/placeholders.js";
import type { FinalDocument } from "../../../src/store/reduce.js";

/**
 * A golden final state and that of a gateway at work, made comparable. A trace has cut what the agent says of itself, and
 * cut its prose short; and where an agent writes `//` before a path of this machine, a trace has one slash left.
 */
export function conversations(golden: FinalDocument, actual: FinalDocument): [FinalDocument, FinalDocument] {
  const [before, after] = [plain(golden), plain(actual)];
  return [before, cutLike(before, after) as FinalDocument];
}

function plain({ sessions }: FinalDocument): FinalDocument {
  const bare = sessions.map(({ info, ...rest }) => ({ ...rest, info: { ...info, metadata: {} } }));
  return { sessions: mapStrings(bare, (text) => text.replaceAll("/${", "${")) };
}

/** The second value with its strings cut where those of the first are. */
function cutLike(golden: unknown, actual: unknown): unknown {
  if (typeof golden === "string" && typeof actual === "string") {
    return golden.endsWith("…") && actual.startsWith(golden.slice(0, -1)) ? golden : actual;
  }
  if (Array.isArray(golden) && Array.isArray(actual)) return actual.map((item, i) => cutLike(golden[i], item));
  if (!isObject(golden) || !isObject(actual)) return actual;
  return Object.fromEntries(Object.entries(actual).map(([key, child]) => [key, cutLike(golden[key], child)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
