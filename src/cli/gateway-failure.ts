import { AgentwireError } from "../client/index.js";
import { GatewayError } from "../gateway-error.js";

/** Why a verb failed, as the command line reports it: the client's failures are the gateway's, or those of the way to it. */
export function gatewayFailure(thrown: unknown): GatewayError {
  if (!(thrown instanceof AgentwireError)) return GatewayError.from(thrown);
  const { kind, message, field, hint } = thrown;
  return new GatewayError(kind === "connection" || kind === "closed" ? "shutting_down" : kind, message, {
    cause: thrown,
    ...(field !== undefined && { field }),
    ...(hint !== undefined && { hint }),
  });
}
