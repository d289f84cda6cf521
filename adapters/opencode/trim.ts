import { isRecord } from "../shared/is-record.js";
import { isUnreadEvent } from "./unread-events.js";

const CUT = "…";
const PROSE_LENGTH = 2000;

/** A frame as a golden trace keeps it: nothing of what is not read, and of long texts their beginning. */
export function trimFrame(raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  if (typeof raw.token === "string") return { ...raw, body: trimBody(raw.token, raw.body) };
  if (typeof raw.type !== "string" || !isRecord(raw.properties)) return raw;
  if (isUnreadEvent(raw.type)) return { type: raw.type, properties: {} };
  return { type: raw.type, properties: trimValue(raw.properties) };
}

function trimBody(token: string, body: unknown): unknown {
  if (token.startsWith("agents-") && Array.isArray(body)) return body.filter(isRecord).map(trimAgent);
  return trimValue(body);
}

/** The user's agents; of their rules only those that may be kept. */
function trimAgent(agent: Record<string, unknown>): unknown {
  return { name: agent.name, permission: agent.permission };
}

/** Fields that hold the machine's or the vendor's own, and are not read. */
const DROPPED = new Set(["responseHeaders", "slug", "path", "projectID", "time_ms"]);

function trimValue(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((entry) => trimValue(entry));
  if (isRecord(value)) {
    const kept = Object.entries(value).filter(
      ([name, child]) => !DROPPED.has(name) || (name === "path" && typeof child === "string" && key === "input"),
    );
    return Object.fromEntries(kept.map(([name, child]) => [name, trimValue(child, name)]));
  }
  return typeof value === "string" && value.length > PROSE_LENGTH && !value.startsWith("data:")
    ? value.slice(0, PROSE_LENGTH) + CUT
    : value;
}
