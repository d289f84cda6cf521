import type { IncomingMessage } from "node:http";
import { GatewayError } from "../gateway-error.js";

const JSON_TYPE = /^application\/json(\s*;\s*charset="?utf-8"?)?\s*$/i;

/** The JSON value in the body of a request; an empty body is nothing. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const { "content-length": length, "content-encoding": encoding = "identity" } = request.headers;
  if (encoding !== "identity") {
    throw new GatewayError("unsupported_media_type", `A body that is encoded as ${encoding.slice(0, 20)} is not taken`);
  }
  if (length !== undefined && Number(length) > maxBytes) throw tooLarge(maxBytes);
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return undefined;
  // A page of any origin may send a form or a text unasked, but not this type.
  if (!JSON_TYPE.test(request.headers["content-type"] ?? "")) {
    throw new GatewayError("unsupported_media_type", "The body must be JSON", {
      hint: 'Send "Content-Type: application/json".',
    });
  }
  return parse(bytes);
}

/** Stops to read at the limit, and leaves the request whole, so that it can be answered. */
async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new GatewayError("parse_error", `The body is not JSON: ${reason}`);
  }
}

function tooLarge(limit: number): GatewayError {
  return new GatewayError("too_large", `The body is over the limit of ${limit} bytes`);
}
