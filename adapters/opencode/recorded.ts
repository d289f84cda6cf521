import { isRecord } from "../shared/is-record.js";

const REQUEST = /^(GET|POST|PATCH|DELETE) (\/\S*)(?: (.*))?$/s;
const ANSWER = /^HTTP \d{3}\b/;

/**
 * A recording of what passed over HTTP: events are what came, whichever way they are said to go, and a request is written as
 * its method, path and body. Answers say nothing that the events do not.
 */
export function recorded(line: unknown): { kind: "frame" | "sent"; frame: unknown } | null | undefined {
  if (isRecord(line)) return "type" in line && isRecord(line.properties) ? { kind: "frame", frame: line } : undefined;
  if (typeof line !== "string") return undefined;
  if (ANSWER.test(line)) return null;
  const [, method, path, body] = REQUEST.exec(line) ?? [];
  return method === undefined ? undefined : { kind: "sent", frame: { method, path, body: bodyOf(body) } };
}

function bodyOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return text;
  }
}
