import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import { GatewayError } from "../gateway-error.js";
import type { ServerCounts } from "./server-counts.js";

const SHOWN_PATH = 200;

/** Lets a client in or throws why not. A refusal is counted and logged: why, and never what was offered as a token. */
export function admit(
  { counts, log }: { readonly counts: ServerCounts; readonly log: Logger },
  request: IncomingMessage,
  check: () => void,
): void {
  try {
    check();
  } catch (thrown) {
    const { kind, message } = GatewayError.from(thrown);
    counts.countRefusal(kind);
    const { url = "/", headers, socket } = request;
    // Tokens do not belong into a query, which is why they may be there.
    const path = url.split("?", 1)[0]?.slice(0, SHOWN_PATH);
    log.warn(
      { kind, reason: message, path, origin: headers.origin, from: socket.remoteAddress },
      "a client was refused",
    );
    throw thrown;
  }
}
