import { METHODS, type Method, type Params, type Result } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import type { ConnectionMethod, RequestHandler, SessionMethod } from "../session/request-handler.js";
import { nearestName } from "./nearest-name.js";
import { validateParams } from "./validate-params.js";

/** What a connection answers itself. A transport without a connection (one HTTP request) has none. */
export type ConnectionHandlers = {
  readonly [M in ConnectionMethod]: (params: Params<M>) => Result<M>;
};

/** Takes any request of any transport: finds the method, checks the parameters, answers or throws a `GatewayError`. */
export type Dispatch = (method: string, params: unknown, connection?: ConnectionHandlers) => Promise<object>;

export function createDispatch(handler: RequestHandler): Dispatch {
  return async (name, params, connection) => {
    const method = knownMethod(name);
    if (!isConnectionMethod(method)) return handler.handle(method, validateParams(method, params) as never);
    if (connection) return answerConnection(connection, method, params);
    throw new GatewayError("not_supported", `${method} needs a lasting connection`, {
      hint: "Use the WebSocket or stdio.",
    });
  };
}

function answerConnection<M extends ConnectionMethod>(
  connection: ConnectionHandlers,
  method: M,
  params: unknown,
): Result<M> {
  return connection[method](validateParams(method, params));
}

function knownMethod(name: string): Method {
  if (Object.hasOwn(METHODS, name)) return name as Method;
  const nearest = nearestName(name, Object.keys(METHODS));
  throw new GatewayError("method_not_found", `There is no method ${JSON.stringify(name.slice(0, 100))}`, {
    hint: nearest === undefined ? "`initialize` lists the methods." : `Did you mean "${nearest}"?`,
  });
}

/** `satisfies` keeps the table whole when a connection method is added. */
const CONNECTION_METHODS = {
  initialize: true,
  "events.subscribe": true,
  "events.unsubscribe": true,
} as const satisfies Record<ConnectionMethod, true>;

function isConnectionMethod(method: Method): method is Exclude<Method, SessionMethod> {
  return Object.hasOwn(CONNECTION_METHODS, method);
}
