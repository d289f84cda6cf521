export type TransportName = "stdio" | "websocket" | "sse" | "in-process";

/**
 * The way out to one client, whatever carries it. Answers and events leave through the same outlet, in the order they
 * were written; a frame is one JSON text without a line break, and the transport adds its own framing.
 */
export interface Outlet {
  readonly transport: TransportName;
  write(frame: string | Buffer): void;
  /** What was written and not yet handed to the kernel. */
  readonly pendingBytes: number;
  /** Hears that some of what was pending has left. Returns the way to stop. */
  onDrain(listener: () => void): () => void;
  /** Ends the connection; `code` is a WebSocket close code, which other transports ignore. */
  close(code: number, reason: string): void;
}
