import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ERROR_TABLE, type Problem } from "../../schemas/index.js";
import type { GatewayError } from "../gateway-error.js";
import { COMMON_HEADERS } from "./http-headers.js";

/** An error as HTTP tells it (RFC 9457). */
export function problemOf(error: GatewayError): Problem {
  const { httpStatus: status, title } = ERROR_TABLE[error.kind];
  return { type: `urn:agentwire:error:${error.kind}`, title, status, detail: error.message, ...error.data };
}

export function problemHeaders(error: GatewayError): Record<string, string> {
  return {
    "content-type": "application/problem+json",
    ...(error.kind === "unauthorized" && { "www-authenticate": "Bearer" }),
  };
}

/** Refuses an upgrade, where there is no response object yet: only the bare socket. */
export function refuseUpgrade(socket: Duplex, error: GatewayError): void {
  const problem = problemOf(error);
  const body = `${JSON.stringify(problem)}\n`;
  const headers = {
    ...COMMON_HEADERS,
    ...problemHeaders(error),
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  // Destroyed, or a peer that never hangs up would hold the server's `close`.
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`, () =>
    socket.destroy(),
  );
}
