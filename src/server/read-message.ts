import { GatewayError } from "../gateway-error.js";
import { valueKind } from "./value-kind.js";

type RequestID = number | string;

export interface RequestMessage {
  readonly jsonrpc: "2.0";
  readonly id: RequestID;
  readonly method: string;
  readonly params?: object;
}

/** What a client's message is. `ignored` needs no answer: a notification, or an answer to something we never asked. */
export type ReadMessage =
  | { readonly kind: "request"; readonly request: RequestMessage }
  | { readonly kind: "ignored"; readonly reason: string }
  | { readonly kind: "malformed"; readonly id: RequestID | null; readonly error: GatewayError };

const malformed = (id: RequestID | null, message: string, hint?: string): ReadMessage => ({
  kind: "malformed",
  id,
  error: new GatewayError("invalid_request", message, hint === undefined ? {} : { hint }),
});

/** Reads one JSON text as a JSON-RPC request. */
export function readMessage(text: string): ReadMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return {
      kind: "malformed",
      id: null,
      error: new GatewayError("parse_error", `The message is not JSON: ${reason}`),
    };
  }
  if (Array.isArray(value)) {
    return malformed(null, "Batches are not supported", "Send each request as a message of its own.");
  }
  if (typeof value !== "object" || value === null) {
    return malformed(null, `A request must be an object, got ${valueKind(value)}`);
  }
  return readObject(value as Record<string, unknown>);
}

function readObject(value: Record<string, unknown>): ReadMessage {
  const id = typeof value.id === "string" || typeof value.id === "number" ? value.id : null;
  if (value.jsonrpc !== "2.0") return malformed(id, 'A request must have "jsonrpc": "2.0"');
  if (value.method === undefined && ("result" in value || "error" in value)) {
    return { kind: "ignored", reason: "an answer to no question" };
  }
  if (typeof value.method !== "string") return malformed(id, `method must be a string, got ${valueKind(value.method)}`);
  if (value.id === undefined) return { kind: "ignored", reason: "a notification" };
  if (id === null) return malformed(null, `id must be a string or a number, got ${valueKind(value.id)}`);
  const params = value.params;
  if (params === undefined) return { kind: "request", request: { jsonrpc: "2.0", id, method: value.method } };
  if (typeof params !== "object" || params === null) {
    return malformed(id, `params must be an object, got ${valueKind(params)}`, "Leave params out when there are none.");
  }
  return { kind: "request", request: { jsonrpc: "2.0", id, method: value.method, params } };
}
