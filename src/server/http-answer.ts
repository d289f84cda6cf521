import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ERROR_TABLE } from "../../schemas/index.js";
import type { GatewayError } from "../gateway-error.js";

const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

const errorBody = (error: GatewayError): object => ({ error: { message: error.message, ...error.data } });

export function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, HEADERS).end(`${JSON.stringify(body)}\n`);
}

export function answerError(response: ServerResponse, error: GatewayError): void {
  const status = ERROR_TABLE[error.kind].httpStatus;
  if (status === ERROR_TABLE.unauthorized.httpStatus) response.setHeader("www-authenticate", "Bearer");
  answerJson(response, status, errorBody(error));
}

/** Refuses an upgrade, where there is no response object yet: only the bare socket. */
export function refuseUpgrade(socket: Duplex, error: GatewayError): void {
  const status = ERROR_TABLE[error.kind].httpStatus;
  const body = `${JSON.stringify(errorBody(error))}\n`;
  const headers = { ...HEADERS, "content-length": Buffer.byteLength(body), connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (status === ERROR_TABLE.unauthorized.httpStatus) lines.push("www-authenticate: Bearer");
  // Destroyed, or a peer that never hangs up would hold the server's `close`.
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`, () =>
    socket.destroy(),
  );
}
