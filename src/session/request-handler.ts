import type { Method, Params, Result } from "../../schemas/index.js";

/** Methods that belong to a connection and are answered by the server itself. */
export type ConnectionMethod = "initialize" | "events.subscribe" | "events.unsubscribe";
export type SessionMethod = Exclude<Method, ConnectionMethod>;

/** What a server hands requests to: parameters are already checked, failures are thrown as `GatewayError`. */
export interface RequestHandler {
  handle<M extends SessionMethod>(method: M, params: Params<M>): Promise<Result<M>>;
}
