import type { IncomingMessage } from "node:http";
import { WireClient } from "../../unit/server/wire-client.js";

export interface SseMessage {
  readonly event: string;
  readonly id?: string;
  readonly data: Record<string, unknown>;
}

/** What a client makes of a stream of server-sent events, read as the standard says. */
export class SseStream {
  readonly messages: SseMessage[] = [];
  readonly comments: string[] = [];
  lastEventID: string | undefined;
  bytes = 0;
  ended = false;
  private pieces: string[] = [];
  private readonly waiting = new Set<() => void>();

  constructor(
    readonly response: IncomingMessage,
    readonly client = new WireClient(),
  ) {
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => this.take(chunk));
    for (const end of ["end", "close", "error"]) response.on(end, () => this.end());
  }

  /** What `events.subscribe` answers. */
  async subscribed(): Promise<Record<string, unknown>> {
    await this.until(() => this.messages.length > 0 || this.ended);
    const [first] = this.messages;
    if (first?.event !== "subscribed") throw new Error(`the stream began with ${first?.event}`);
    return first.data;
  }

  /** The error that came instead of a stream. */
  async problem(): Promise<Error> {
    await this.until(() => this.ended);
    const { detail, ...rest } = JSON.parse(this.pieces.join("")) as Record<string, string>;
    return Object.assign(new Error(detail), rest);
  }

  /** The events of each message, as they came. */
  get batches(): unknown[][] {
    return this.messages.filter(({ event }) => event === "message").map(({ data }) => data.events as unknown[]);
  }

  /** Resolves when the condition holds, which is looked at after all that comes. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.waiting.delete(wake);
          resolve();
        };
        this.waiting.add(wake);
      });
    }
  }

  close(): void {
    this.response.destroy();
  }

  private take(chunk: string): void {
    this.bytes += Buffer.byteLength(chunk);
    this.pieces.push(chunk);
    // Joined only where something ends: a message of megabytes comes in hundreds of pieces.
    if (!chunk.includes("\n")) return;
    const blocks = this.pieces.join("").split("\n\n");
    this.pieces = [blocks.pop() ?? ""];
    for (const block of blocks) this.read(block);
    this.wake();
  }

  private read(block: string): void {
    const fields: Record<string, string> = {};
    for (const line of block.split("\n")) {
      const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (name === "") this.comments.push(value);
      else fields[name] = value;
    }
    if (fields.id !== undefined) this.lastEventID = fields.id;
    if (fields.data === undefined) return;
    const data = JSON.parse(fields.data) as Record<string, unknown>;
    this.messages.push({ event: fields.event ?? "message", ...(fields.id !== undefined && { id: fields.id }), data });
    if (fields.event === undefined) this.client.receive(JSON.stringify({ params: { subscriptionID: "", ...data } }));
  }

  private end(): void {
    this.ended = true;
    this.wake();
  }

  private wake(): void {
    for (const wake of [...this.waiting]) wake();
  }
}
