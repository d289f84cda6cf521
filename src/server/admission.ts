import type { IncomingMessage } from "node:http";
import { GatewayError } from "../gateway-error.js";
import { isSameToken, requestToken, SUBPROTOCOL } from "./bearer-token.js";
import { type HostPolicy, isAllowedHost } from "./host-header.js";

export interface AdmissionPolicy extends HostPolicy {
  /** Web pages that may connect, as origins (`https://ui.example`). Requests from outside a browser have none. */
  readonly allowedOrigins: readonly string[];
  /** Null: whoever reaches the port may connect. */
  readonly token: string | null;
}

/** Refuses a request that was not meant for this server: made by a web page that may not, or under a foreign name. */
export function checkSource(request: IncomingMessage, policy: AdmissionPolicy): void {
  if (!isAllowedHost(request.headers.host, policy)) {
    throw new GatewayError("forbidden", "This server does not answer to the name in the Host header", {
      hint: "Connect to a loopback address, or allow the name where the server is started.",
    });
  }
  const { origin } = request.headers;
  if (
    origin !== undefined &&
    !policy.allowedOrigins.some((allowed) => allowed.toLowerCase() === origin.toLowerCase())
  ) {
    throw new GatewayError("forbidden", "Pages of this origin may not connect", {
      hint: "Allow the origin where the server is started.",
    });
  }
}

/** Refuses a request without the token. Not taken from the URL: URLs end up in logs and histories. */
export function checkToken(request: IncomingMessage, { token }: AdmissionPolicy): void {
  if (token === null) return;
  const given = requestToken(request);
  if (given !== undefined && isSameToken(given, token)) return;
  throw new GatewayError("unauthorized", given === undefined ? "The token is missing" : "The token is wrong", {
    hint: `Send "Authorization: Bearer <token>", or the WebSocket subprotocols "${SUBPROTOCOL}" and "${SUBPROTOCOL}.token.<token>".`,
  });
}
