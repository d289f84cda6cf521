import type { Readable, Writable } from "node:stream";
import { CLOSE_CODES } from "./close-codes.js";
import { Connection } from "./connection.js";
import { ndjsonTransport } from "./ndjson-transport.js";
import type { ServerCore } from "./server-core.js";

export interface StdioOptions {
  readonly input: Readable;
  /** Carries messages and nothing else. */
  readonly output: Writable;
  /** Ends the connection from this side. */
  readonly signal?: AbortSignal;
}

/** Serves one client over two streams, until its input has ended and what it asked has been answered. */
export async function serveStdio(core: ServerCore, { input, output, signal }: StdioOptions): Promise<void> {
  const transport = ndjsonTransport({ input, output, maxMessageBytes: core.limits.messageBytes });
  const connection = new Connection(transport, core);
  const close = (): void => connection.close(CLOSE_CODES.shuttingDown, "the gateway is shutting down");
  signal?.addEventListener("abort", close, { once: true });
  if (signal?.aborted) close();
  await connection.closed;
  signal?.removeEventListener("abort", close);
}
