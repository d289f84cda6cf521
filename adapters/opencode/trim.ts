import { isRecord } from "../shared/is-record.js";
import { isUnreadEvent } from "./unread-events.js";

/** A frame as a golden trace keeps it: without what is not read, and what is only of this machine or the vendor. */
export function trimFrame(raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  if (typeof raw.token === "string") return "body" in raw ? { ...raw, body: trimBody(raw.token, raw.body) } : raw;
  if (typeof raw.type !== "string" || !isRecord(raw.properties)) return raw;
  if (isUnreadEvent(raw.type)) return { type: raw.type, properties: {} };
  return { type: raw.type, properties: trimProperties(raw.properties) };
}

function trimBody(token: string, body: unknown): unknown {
  if (!Array.isArray(body)) return trimInfo(body);
  if (token.startsWith("agents")) return trimAgents(body);
  // Of a history only the order is read.
  if (token.startsWith("history")) return body.filter(isRecord).map(({ info }) => ({ info: idOf(info) }));
  return body.map(trimProperties);
}

function idOf(info: unknown): unknown {
  return isRecord(info) ? { id: info.id } : info;
}

/** Only the agents that a session can be of, and of each what it may do. */
function trimAgents(agents: readonly unknown[]): unknown {
  const primary = agents.filter(isRecord).filter(({ mode, hidden }) => mode !== "subagent" && hidden !== true);
  return primary.map(({ name, permission }) => ({ name, permission }));
}

function trimProperties(properties: unknown): unknown {
  if (!isRecord(properties)) return properties;
  const { info, error } = properties;
  return {
    ...properties,
    ...(isRecord(info) && { info: trimInfo(info) }),
    ...(isRecord(error) && { error: trimError(error) }),
  };
}

/** A session or a message. */
function trimInfo(info: unknown): unknown {
  if (!isRecord(info)) return info;
  const { slug: _, projectID: __, path: ___, ...kept } = info;
  return isRecord(kept.error) ? { ...kept, error: trimError(kept.error) } : kept;
}

function trimError(error: Record<string, unknown>): unknown {
  if (!isRecord(error.data)) return error;
  const { responseHeaders: _, ...data } = error.data;
  return { ...error, data };
}
