import type { Logger } from "pino";
import { ResponseError } from "vscode-jsonrpc/node";
import type { ErrorData } from "../../schemas/index.js";
import { reportFailure } from "./report-failure.js";

/** Any thrown value as a JSON-RPC error. */
export function toResponseError(thrown: unknown, method: string, log: Logger): ResponseError<ErrorData> {
  const { rpcCode, message, data } = reportFailure(thrown, method, log);
  return new ResponseError(rpcCode, message, data);
}
