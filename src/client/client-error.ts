import type { ErrorData, ErrorKind } from "../../schemas/index.js";

/** `connection`: the gateway was not reached, or not heard to the end. `closed`: this client was closed. */
export type ClientErrorKind = ErrorKind | "connection" | "closed";

/** Why a request failed, as the gateway told it or as the connection did. */
export class AgentwireError extends Error {
  override readonly name = "AgentwireError";
  readonly field: string | undefined;
  readonly hint: string | undefined;

  constructor(
    readonly kind: ClientErrorKind,
    message: string,
    detail: Partial<ErrorData> = {},
  ) {
    super(message);
    this.field = detail.field;
    this.hint = detail.hint;
  }

  /** Whether the same may work a little later. */
  get isTemporary(): boolean {
    return this.kind === "connection" || this.kind === "shutting_down";
  }
}

export function connectionError(cause: unknown, hint?: string): AgentwireError {
  if (cause instanceof AgentwireError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `The connection to the gateway failed: ${reason}`;
  return new AgentwireError("connection", message, hint === undefined ? {} : { hint });
}
