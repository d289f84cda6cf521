import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { ResponseError } from "vscode-jsonrpc/node";
import { ERROR_TABLE, type ErrorData } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";

/**
 * Any thrown value as a JSON-RPC error. What was not thrown on purpose may name paths or carry secrets, so the client
 * gets a number to look for and the log gets the cause.
 */
export function toResponseError(thrown: unknown, method: string, log: Logger): ResponseError<ErrorData> {
  const error = GatewayError.from(thrown);
  if (error.kind !== "internal") return new ResponseError(error.rpcCode, error.message, error.data);
  const incident = randomBytes(4).toString("hex");
  log.error({ err: thrown, method, incident }, "a request failed");
  const message = thrown === error ? error.message : ERROR_TABLE.internal.title;
  const hint = error.detail.hint ?? `The gateway's log has the cause under incident ${incident}.`;
  return new ResponseError(error.rpcCode, message, { ...error.data, hint });
}
