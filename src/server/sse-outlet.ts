import type { ServerResponse } from "node:http";
import { Emitter } from "./emitter.js";
import type { Outlet } from "./outlet.js";
import { sseMessage } from "./sse-event-framing.js";

/** The way out to one client through a response that does not end. */
export class SseOutlet implements Outlet {
  readonly transport = "sse";
  private readonly drains = new Emitter();
  private readonly written = (): void => this.drains.emit();

  constructor(private readonly response: ServerResponse) {}

  get pendingBytes(): number {
    return this.response.writableLength;
  }

  write(frame: string | Buffer): void {
    if (this.response.writableEnded || this.response.destroyed) return;
    this.response.write(frame, this.written);
  }

  onDrain(listener: () => void): () => void {
    return this.drains.on(listener);
  }

  /** There are no close codes in HTTP, so the last message tells. */
  close(code: number, reason: string): void {
    if (this.response.writableEnded) return;
    this.response.end(sseMessage({ event: "closed", data: { code, reason } }));
  }
}
