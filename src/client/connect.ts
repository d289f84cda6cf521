import { PROTOCOL_VERSION } from "../../schemas/protocol.js";
import type { BackoffOptions } from "./backoff.js";
import { Client } from "./client.js";
import { AgentwireError, connectionError } from "./client-error.js";
import { HttpLink } from "./http-link.js";
import type { Link } from "./link.js";
import { type WebSocketConstructor, WebSocketLink } from "./websocket-link.js";

export interface ConnectOptions {
  /** Where the gateway is: `http://127.0.0.1:4750`; `ws:` does as well. */
  readonly url: string;
  readonly token?: string;
  /** Without it: the WebSocket where there is one, else HTTP. */
  readonly transport?: "websocket" | "http";
  /** Where there is no global one, as in Node 20: that of the package `ws`. */
  readonly WebSocket?: WebSocketConstructor;
  readonly fetch?: typeof fetch;
  /** Who this is, for the gateway's log. */
  readonly client?: { readonly name: string; readonly version?: string };
  /** How long to wait before the connection is made anew. */
  readonly reconnect?: BackoffOptions;
}

/** Connects to a gateway and agrees with it on the protocol; fails when it can't be reached or refuses. */
export async function connect(options: ConnectOptions): Promise<Client> {
  const link = openLink(options);
  try {
    const { client } = options;
    const gateway = await link.call("initialize", { protocolVersion: PROTOCOL_VERSION, ...(client && { client }) });
    return new Client(link, gateway, options.reconnect ?? {});
  } catch (error) {
    link.close();
    throw error;
  }
}

function openLink(options: ConnectOptions): Link {
  const { url, token } = options;
  const httpURL = originOf(url);
  const http = new HttpLink({ url: httpURL, token, fetch: options.fetch ?? ((...args) => fetch(...args)) });
  const WebSocket = options.WebSocket ?? (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket;
  if (options.transport === "http" || (options.transport === undefined && !WebSocket)) return http;
  if (!WebSocket) {
    throw new AgentwireError("not_supported", "There is no WebSocket here", {
      hint: 'Pass one as `WebSocket` (that of the package "ws"), or use the transport "http".',
    });
  }
  return new WebSocketLink({
    url: `${httpURL.replace(/^http/, "ws")}/`,
    token,
    WebSocket,
    explain: (error) => explain(http, error),
  });
}

function originOf(text: string): string {
  try {
    const url = new URL(text.replace(/^ws/, "http"));
    if (/^https?:$/.test(url.protocol)) return `${url.origin}${url.pathname.replace(/\/$/, "")}`;
  } catch {}
  throw new AgentwireError("invalid_params", `${JSON.stringify(text)} is no URL of a gateway`, { field: "url" });
}

/** Asks over HTTP why a WebSocket could not be opened. */
async function explain(http: HttpLink, error: AgentwireError): Promise<AgentwireError> {
  try {
    await http.call("initialize", {});
    return error;
  } catch (cause) {
    return connectionError(cause);
  }
}
