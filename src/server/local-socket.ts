import { Connection } from "./connection.js";
import type { InletSink } from "./inlet.js";
import type { ServerCore } from "./server-core.js";
import type { Transport } from "./transport.js";

interface Heard {
  readonly data: string;
  readonly reason: string;
}
type Listener = (event: Heard) => void;

/**
 * A WebSocket that leads to a gateway in the same process, for whoever speaks to gateways by WebSockets. Nothing is heard
 * within the call that sends it, and all in the order in which it was sent.
 */
export class LocalSocket {
  private readonly listeners = new Map<string, Listener[]>();
  private sink: InletSink | undefined;
  private over = false;

  constructor(core: ServerCore) {
    // It lives as long as its inlet tells it something.
    new Connection(this.transport(), core);
    this.tell("open");
  }

  addEventListener(type: "open" | "error" | "message" | "close", listener: Listener): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }

  send(text: string): void {
    queueMicrotask(() => this.sink?.frame(text));
  }

  close(): void {
    this.sink?.gone();
    this.end("");
  }

  /** What was written is as good as read: there is no kernel between. */
  private transport(): Transport {
    return {
      inlet: {
        start: (sink) => {
          this.sink = sink;
        },
        pause: () => {},
        resume: () => {},
        stop: () => {
          this.sink = undefined;
        },
      },
      outlet: {
        transport: "in-process",
        pendingBytes: 0,
        write: (frame) => this.tell("message", { data: String(frame) }),
        onDrain: () => () => {},
        close: (_code, reason) => this.end(reason),
      },
    };
  }

  private end(reason: string): void {
    if (this.over) return;
    this.tell("close", { reason });
    this.over = true;
  }

  private tell(type: string, heard: Partial<Heard> = {}): void {
    if (this.over) return;
    queueMicrotask(() => {
      for (const listener of this.listeners.get(type) ?? []) listener({ data: "", reason: "", ...heard });
    });
  }
}
