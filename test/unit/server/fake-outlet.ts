import { Emitter } from "../../../src/server/emitter.js";
import type { Outlet } from "../../../src/server/outlet.js";

/** A transport that hands over only as much as it is told to. */
export class FakeOutlet implements Outlet {
  readonly transport = "stdio";
  /** What has arrived. */
  readonly arrived: string[] = [];
  closedWith: { readonly code: number; readonly reason: string } | undefined;
  pendingBytes = 0;
  largestFrame = 0;
  /** The most that was pending before a frame was added. */
  mostPendingBefore = 0;
  stalled = false;
  private readonly queue: string[] = [];
  private readonly drains = new Emitter();

  write(frame: string | Buffer): void {
    const text = frame.toString();
    const bytes = Buffer.byteLength(text);
    this.largestFrame = Math.max(this.largestFrame, bytes);
    this.mostPendingBefore = Math.max(this.mostPendingBefore, this.pendingBytes);
    this.queue.push(text);
    this.pendingBytes += bytes;
    if (!this.stalled) this.drain(Number.POSITIVE_INFINITY);
  }

  /** Hands over the next frames, and what is written meanwhile as long as the count lasts. */
  drain(frames: number): void {
    for (let left = frames; left > 0 && this.queue.length > 0; left--) {
      const frame = this.queue.shift() as string;
      this.arrived.push(frame);
      this.pendingBytes -= Buffer.byteLength(frame);
      this.drains.emit();
    }
  }

  /** What waits is lost, as when a connection breaks. */
  drop(): void {
    this.queue.length = 0;
    this.pendingBytes = 0;
  }

  onDrain(listener: () => void): () => void {
    return this.drains.on(listener);
  }

  close(code: number, reason: string): void {
    this.closedWith = { code, reason };
  }
}
