import type { Logger } from "pino";
import type { RequestHandler } from "../session/request-handler.js";
import { createDispatch, type Dispatch } from "./dispatch.js";
import type { EventSource } from "./event-source.js";
import { Publisher } from "./publisher.js";
import { ServerCounts } from "./server-counts.js";
import { SERVER_LIMITS, type ServerLimits } from "./server-limits.js";

export interface ServerCoreOptions {
  readonly handler: RequestHandler;
  readonly store: EventSource;
  /** The version of agentwire, as `initialize` tells it. */
  readonly version: string;
  readonly log: Logger;
  readonly limits?: Partial<ServerLimits>;
  /** What `GET /metrics` answers, in the text format of Prometheus; without it there is no such path. */
  readonly metrics?: () => string;
}

/** What all transports of one gateway share. */
export interface ServerCore {
  readonly dispatch: Dispatch;
  readonly publisher: Publisher;
  readonly version: string;
  readonly log: Logger;
  readonly limits: ServerLimits;
  readonly counts: ServerCounts;
  readonly metrics: (() => string) | undefined;
}

export function createServerCore(options: ServerCoreOptions): ServerCore {
  const { handler, store, version, log, metrics } = options;
  const limits = { ...SERVER_LIMITS, ...options.limits };
  const publisher = new Publisher(store, limits, log);
  return { dispatch: createDispatch(handler), publisher, version, log, limits, counts: new ServerCounts(), metrics };
}
