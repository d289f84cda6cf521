import type { ServerResponse } from "node:http";
import { aborted } from "./gates.js";

/** One request's answer on its socket. Everything written is ordered; after the client has left nothing is. */
export class Exchange {
  readonly #left = new AbortController();

  constructor(
    private readonly response: ServerResponse,
    readonly requestID: string,
  ) {
    response.on("close", () => this.#left.abort());
  }

  /** Aborted when the client has gone, or the answer has ended. */
  get left(): AbortSignal {
    return this.#left.signal;
  }

  json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): void {
    if (this.left.aborted) return;
    this.response.writeHead(status, { "content-type": "application/json", "request-id": this.requestID, ...headers });
    this.response.end(JSON.stringify(body));
  }

  error(status: number, type: string, message: string, headers: Readonly<Record<string, string>> = {}): void {
    this.json(status, { type: "error", error: { type, message }, request_id: this.requestID }, headers);
  }

  startStream(): void {
    if (this.left.aborted) return;
    this.response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "request-id": this.requestID,
    });
    this.response.flushHeaders();
  }

  event(event: { readonly type: string }): void {
    if (this.left.aborted) return;
    this.response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  /** An event without a name, as some APIs send all of theirs. */
  data(data: string): void {
    if (this.left.aborted) return;
    this.response.write(`data: ${data}\n\n`);
  }

  end(): void {
    this.response.end();
  }

  /** Breaks the connection, in the middle of an answer after what was written has gone out. */
  async cut(): Promise<void> {
    if (this.left.aborted) return;
    // A write would send headers, and the client would see an answer where there was to be none.
    if (!this.response.headersSent) return void this.response.socket?.destroy();
    const flushed = new Promise<void>((resolve) => this.response.write("", () => resolve()));
    await Promise.race([flushed, aborted(this.left)]);
    this.response.socket?.destroy();
  }
}
