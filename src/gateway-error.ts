import { ERROR_TABLE, type ErrorData, type ErrorKind } from "../schemas/index.js";

/** A request that could not be done, as every transport reports it: the kind decides code, status and exit code. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";

  constructor(
    readonly kind: ErrorKind,
    message: string,
    /** `field`: the path of the offending parameter. `hint`: what to do about it. */
    readonly detail: { readonly field?: string; readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
  }

  /** The `data` of the JSON-RPC error. */
  get data(): ErrorData {
    const { field, hint } = this.detail;
    return { kind: this.kind, ...(field !== undefined && { field }), ...(hint !== undefined && { hint }) };
  }

  get rpcCode(): number {
    return ERROR_TABLE[this.kind].rpcCode;
  }

  /** Any thrown value as a gateway error; what is not one becomes `internal`. */
  static from(thrown: unknown): GatewayError {
    if (thrown instanceof GatewayError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new GatewayError("internal", message, { cause: thrown });
  }
}
