import type { Logger } from "pino";
import type { RequestHandler } from "../session/request-handler.js";
import { createDispatch, type Dispatch } from "./dispatch.js";
import type { EventSource } from "./event-source.js";
import { Publisher } from "./publisher.js";
import { SERVER_LIMITS, type ServerLimits } from "./server-limits.js";

export interface ServerCoreOptions {
  readonly handler: RequestHandler;
  readonly store: EventSource;
  /** The version of agentwire, as `initialize` tells it. */
  readonly version: string;
  readonly log: Logger;
  readonly limits?: Partial<ServerLimits>;
}

/** What all transports of one gateway share. */
export interface ServerCore {
  readonly dispatch: Dispatch;
  readonly publisher: Publisher;
  readonly version: string;
  readonly log: Logger;
  readonly limits: ServerLimits;
}

export function createServerCore({ handler, store, version, log, limits: given }: ServerCoreOptions): ServerCore {
  const limits = { ...SERVER_LIMITS, ...given };
  return { dispatch: createDispatch(handler), publisher: new Publisher(store, limits, log), version, log, limits };
}
