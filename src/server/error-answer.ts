import type { GatewayError } from "../gateway-error.js";

/** The JSON-RPC answer to a message that never became a request; `id` is null where none could be read. */
export function errorAnswer(id: number | string | null, error: GatewayError): string {
  return JSON.stringify({
    jsonrpc: "2.0",
    id,
    error: { code: error.rpcCode, message: error.message, data: error.data },
  });
}
