import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The subprotocol that is selected when a client offers one. */
export const SUBPROTOCOL = "agentwire";
const TOKEN_PREFIX = `${SUBPROTOCOL}.token.`;

/** What a client offers as `Sec-WebSocket-Protocol`. */
function offeredProtocols(request: IncomingMessage): string[] {
  const header = request.headers["sec-websocket-protocol"] ?? "";
  return header.split(",").map((name) => name.trim());
}

/** The token of a request: from `Authorization`, or, as browsers can't set that, from a subprotocol. */
export function requestToken(request: IncomingMessage): string | undefined {
  const { authorization } = request.headers;
  if (authorization !== undefined) return /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1];
  const offered = offeredProtocols(request);
  // A browser fails a connection whose answer selects none of what it offered, and the token must not be repeated.
  if (!offered.includes(SUBPROTOCOL)) return undefined;
  return offered.find((name) => name.startsWith(TOKEN_PREFIX))?.slice(TOKEN_PREFIX.length);
}

/** Compares in the same time whatever the difference; hashing makes the lengths equal. */
export function isSameToken(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
