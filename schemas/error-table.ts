import { z } from "zod";

/**
 * Every way a request can fail: one kind, and what it is called by each transport. `exitCode` is what the command line
 * exits with. Codes from -32768 to -32000 with a meaning in JSON-RPC 2.0 keep it.
 */
export const ERROR_TABLE = {
  parse_error: { rpcCode: -32700, httpStatus: 400, exitCode: 2, title: "The message is not JSON" },
  invalid_request: { rpcCode: -32600, httpStatus: 400, exitCode: 2, title: "The request is malformed" },
  method_not_found: { rpcCode: -32601, httpStatus: 404, exitCode: 2, title: "There is no such method" },
  invalid_params: { rpcCode: -32602, httpStatus: 400, exitCode: 2, title: "A parameter is missing or wrong" },
  internal: { rpcCode: -32603, httpStatus: 500, exitCode: 1, title: "The gateway failed" },
  unauthorized: { rpcCode: -32001, httpStatus: 401, exitCode: 4, title: "The token is missing or wrong" },
  forbidden: { rpcCode: -32003, httpStatus: 403, exitCode: 4, title: "This is not allowed here" },
  not_found: { rpcCode: -32004, httpStatus: 404, exitCode: 3, title: "There is no such thing" },
  not_supported: { rpcCode: -32005, httpStatus: 501, exitCode: 5, title: "The agent or gateway cannot do this" },
  method_not_allowed: {
    rpcCode: -32006,
    httpStatus: 405,
    exitCode: 2,
    title: "The path does not take this HTTP method",
  },
  conflict: { rpcCode: -32009, httpStatus: 409, exitCode: 6, title: "Somebody else was first" },
  busy: { rpcCode: -32010, httpStatus: 409, exitCode: 6, title: "The session is busy" },
  too_large: { rpcCode: -32013, httpStatus: 413, exitCode: 2, title: "The message is too large" },
  unsupported_media_type: {
    rpcCode: -32015,
    httpStatus: 415,
    exitCode: 2,
    title: "The body is not of a type taken here",
  },
  agent_unavailable: { rpcCode: -32020, httpStatus: 503, exitCode: 7, title: "The agent cannot be started" },
  agent_failed: { rpcCode: -32021, httpStatus: 502, exitCode: 7, title: "The agent failed" },
  shutting_down: { rpcCode: -32030, httpStatus: 503, exitCode: 1, title: "The gateway is shutting down" },
  storage: { rpcCode: -32040, httpStatus: 507, exitCode: 1, title: "The database cannot be read or written" },
} as const satisfies Record<string, { rpcCode: number; httpStatus: number; exitCode: number; title: string }>;

export type ErrorKind = keyof typeof ERROR_TABLE;
export const ERROR_KINDS = Object.keys(ERROR_TABLE) as ErrorKind[];

/** The `data` of a JSON-RPC error. `field` is the path of the offending parameter, such as `parts[0].text`. */
export const ErrorData = z.object({
  kind: z.enum(ERROR_KINDS as [ErrorKind, ...ErrorKind[]]),
  field: z.string().optional(),
  hint: z.string().optional(),
});
export type ErrorData = z.infer<typeof ErrorData>;

/** The body of an HTTP error (RFC 9457, `application/problem+json`). */
export const Problem = z.object({
  /** `urn:agentwire:error:` and the kind. */
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  ...ErrorData.shape,
});
export type Problem = z.infer<typeof Problem>;
