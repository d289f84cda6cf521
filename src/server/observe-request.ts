import type { Logger } from "pino";
import { GatewayError } from "../gateway-error.js";
import type { Outcome, ServerCounts } from "./server-counts.js";

const SHOWN_NAME = 100;

/** Does what a request asks for; counts and logs what came of it and how long it took, and never what it said. */
export async function observeRequest<T>(
  { counts, log }: { readonly counts: ServerCounts; readonly log: Logger },
  method: string,
  work: () => Promise<T>,
): Promise<T> {
  const request = counts.nextRequest();
  const start = performance.now();
  let kind: Outcome = "ok";
  try {
    return await work();
  } catch (thrown) {
    kind = GatewayError.from(thrown).kind;
    throw thrown;
  } finally {
    const ms = performance.now() - start;
    counts.countRequest(method, kind, ms / 1000);
    log.debug({ request, method: method.slice(0, SHOWN_NAME), kind, ms: Math.round(ms * 1000) / 1000 }, "a request");
  }
}
