import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { ERROR_TABLE } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";

/**
 * Any thrown value as the error that the client is told. What was not thrown on purpose may name paths or carry secrets,
 * so the client gets a number to look for and the log gets the cause.
 */
export function reportFailure(thrown: unknown, method: string, log: Logger): GatewayError {
  const error = GatewayError.from(thrown);
  if (error.kind !== "internal") return error;
  const incident = randomBytes(4).toString("hex");
  log.error({ err: thrown, method, incident }, "a request failed");
  const message = thrown === error ? error.message : ERROR_TABLE.internal.title;
  const hint = error.detail.hint ?? `The gateway's log has the cause under incident ${incident}.`;
  return new GatewayError("internal", message, { ...error.detail, hint });
}
