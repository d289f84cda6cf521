import type { IncomingMessage } from "node:http";

/** What every answer carries, whatever it is. */
export const COMMON_HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;

const REQUEST_HEADERS = "authorization, content-type, last-event-id";
const METHODS = "GET, POST, PUT, PATCH, DELETE";
/** How long a browser may remember what a preflight allowed. */
const PREFLIGHT_SECONDS = 600;

/** What lets a page of another origin read the answer; the origin has been found to be allowed. */
export function crossOriginHeaders({ origin }: IncomingMessage["headers"]): Record<string, string> {
  return origin === undefined ? {} : { "access-control-allow-origin": origin, vary: "Origin" };
}

/** A browser's question whether a request may be made, which carries no token. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}

export const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": METHODS,
  "access-control-allow-headers": REQUEST_HEADERS,
  "access-control-max-age": String(PREFLIGHT_SECONDS),
} as const;
