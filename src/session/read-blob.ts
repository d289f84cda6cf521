import type { Params, Result } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import type { Store } from "../store/store.js";

/** A piece is bytes, also of a text: its ends may lie within a character. */
export function readBlob(store: Store, { ref, offset, length }: Params<"blob.get">): Result<"blob.get"> {
  const blob = store.blob(ref);
  if (!blob) throw new GatewayError("not_found", `there is no blob ${ref}`, { field: "ref" });
  const { data, mime, isText } = blob;
  const whole = { mime, bytes: data.length };
  if (offset === undefined && length === undefined) {
    const encoding = isText ? "utf8" : "base64";
    return { ...whole, encoding, data: data.toString(encoding) };
  }
  const start = offset ?? 0;
  if (start > data.length) {
    throw new GatewayError("invalid_params", `offset ${start} is behind the end of the blob, at ${data.length}`, {
      field: "offset",
    });
  }
  const piece = data.subarray(start, length === undefined ? undefined : start + length);
  return { ...whole, encoding: "base64", data: piece.toString("base64") };
}
