import type { RawData, WebSocket } from "ws";
import { GatewayError } from "../gateway-error.js";
import { Emitter } from "./emitter.js";
import type { Inlet, InletSink } from "./inlet.js";
import type { Outlet } from "./outlet.js";
import type { Transport } from "./transport.js";

/** A connection over one WebSocket, one JSON text a message. */
export function websocketTransport(socket: WebSocket): Transport {
  return { inlet: new WebSocketInlet(socket), outlet: new WebSocketOutlet(socket) };
}

class WebSocketOutlet implements Outlet {
  readonly transport = "websocket";
  private readonly drains = new Emitter();
  private readonly written = (): void => this.drains.emit();

  constructor(private readonly socket: WebSocket) {}

  get pendingBytes(): number {
    return this.socket.bufferedAmount;
  }

  write(frame: string | Buffer): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.socket.send(frame, { binary: false }, this.written);
  }

  onDrain(listener: () => void): () => void {
    return this.drains.on(listener);
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }
}

class WebSocketInlet implements Inlet {
  private stopped = false;

  constructor(private readonly socket: WebSocket) {}

  start(sink: InletSink): void {
    this.socket.on("message", (data, isBinary) => {
      if (this.stopped) return;
      if (isBinary) sink.refused(new GatewayError("invalid_request", "A message must be text, got a binary frame"));
      else sink.frame(textOf(data));
    });
    this.socket.on("close", () => this.stopped || sink.gone());
    // "close" follows. An unheard "error" (a frame too large, a broken frame) would end the process.
    this.socket.on("error", () => {});
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** What still comes is read and dropped, or the close handshake could not be. */
  stop(): void {
    this.stopped = true;
    this.socket.resume();
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString();
}
