import type { HttpRequest } from "../../adapters/contract.js";
import { encodeFrame } from "./encode-frame.js";

const METHODS: ReadonlySet<unknown> = new Set(["GET", "POST", "PATCH", "DELETE"] satisfies HttpRequest["method"][]);

/** A request with its body as it will be written. */
export interface EncodedRequest {
  readonly token: string;
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

/** Validated before anything is written; a TypeError names what is wrong. */
export function encodeRequest(frame: unknown): EncodedRequest {
  // A frame is JSON whatever the channel.
  encodeFrame(frame);
  const { token, method, path, body } = frame as Partial<Record<keyof HttpRequest, unknown>>;
  if (typeof token !== "string") throw new TypeError("A request must have a token");
  if (typeof method !== "string" || !METHODS.has(method)) throw new TypeError(`${String(method)} is no method`);
  if (typeof path !== "string" || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(path))
    throw new TypeError("A request's path must begin with a slash and be encoded");
  return { token, method, path, body: body === undefined ? undefined : JSON.stringify(body) };
}
