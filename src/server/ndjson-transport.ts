import type { Readable, Writable } from "node:stream";
import { GatewayError } from "../gateway-error.js";
import { LineSplitter } from "../line-splitter.js";
import { Emitter } from "./emitter.js";
import type { Inlet, InletSink } from "./inlet.js";
import type { Outlet } from "./outlet.js";
import type { Transport } from "./transport.js";

export interface NdjsonOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes: number;
}

/** A connection over two byte streams, one JSON value a line. The streams stay their owner's: they are never ended here. */
export function ndjsonTransport({ input, output, maxMessageBytes }: NdjsonOptions): Transport {
  const outlet = new NdjsonOutlet(output);
  return { outlet, inlet: new NdjsonInlet(input, outlet, maxMessageBytes) };
}

const NEW_LINE = "\n";

class NdjsonOutlet implements Outlet {
  readonly transport = "stdio";
  private readonly drains = new Emitter();
  private readonly ends = new Emitter();
  private open = true;

  constructor(private readonly output: Writable) {
    // A reader that goes away is no error of ours, but an unheard "error" would end the process.
    output.on("error", () => this.end());
    output.on("close", () => this.end());
  }

  get pendingBytes(): number {
    return this.open ? this.output.writableLength : 0;
  }

  write(frame: string | Buffer): void {
    if (!this.open) return;
    const written = (): void => this.drains.emit();
    if (typeof frame === "string") {
      this.output.write(frame + NEW_LINE, written);
      return;
    }
    this.output.cork();
    this.output.write(frame);
    this.output.write(NEW_LINE, written);
    this.output.uncork();
  }

  onDrain(listener: () => void): () => void {
    return this.drains.on(listener);
  }

  /** Hears that nothing can be written any more, also when that is so already. */
  onEnd(listener: () => void): void {
    this.ends.on(listener);
    if (this.output.destroyed) setImmediate(() => this.end());
  }

  close(): void {
    this.end();
  }

  private end(): void {
    if (!this.open) return;
    this.open = false;
    this.ends.emit();
  }
}

class NdjsonInlet implements Inlet {
  private stopped = false;
  private readonly listeners: [event: string, listener: (value: Buffer | string) => void][] = [];

  constructor(
    private readonly input: Readable,
    private readonly outlet: NdjsonOutlet,
    private readonly maxBytes: number,
  ) {}

  start(sink: InletSink): void {
    const lines = new LineSplitter(
      {
        onLine: (line) => this.stopped || line.trim() === "" || sink.frame(line),
        onOverlong: (bytes) => this.stopped || sink.refused(tooLarge(bytes, this.maxBytes)),
      },
      this.maxBytes,
    );
    const end = (): void => {
      lines.end();
      if (!this.stopped) sink.ended();
    };
    const gone = (): void => {
      if (!this.stopped) sink.gone();
    };
    this.outlet.onEnd(gone);
    if (this.input.readableEnded || this.input.destroyed) {
      setImmediate(end);
      return;
    }
    this.listen("data", (chunk) => lines.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk));
    this.listen("end", end);
    this.listen("close", end);
    // Stays when the rest is taken off: a late "error" that nobody hears would end the process.
    this.input.on("error", gone);
  }

  pause(): void {
    this.input.pause();
  }

  resume(): void {
    this.input.resume();
  }

  stop(): void {
    this.stopped = true;
    for (const [event, listener] of this.listeners) this.input.off(event, listener);
    this.input.pause();
  }

  private listen(event: string, listener: (value: Buffer | string) => void): void {
    this.listeners.push([event, listener]);
    this.input.on(event, listener);
  }
}

function tooLarge(bytes: number, limit: number): GatewayError {
  return new GatewayError("too_large", `A message of at least ${bytes} bytes is over the limit of ${limit} bytes`);
}
