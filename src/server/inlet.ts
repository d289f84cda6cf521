import type { GatewayError } from "../gateway-error.js";

/** What a transport tells the connection that owns it. */
export interface InletSink {
  /** One message as it came: it should be one JSON text. */
  frame(text: string): void;
  /** A message that the transport had to throw away (too large, not text). */
  refused(error: GatewayError): void;
  /** The client says no more, but can still be answered. */
  ended(): void;
  /** Nothing can be read or written any more. */
  gone(): void;
}

/** The way in from one client. After `pause` a few frames that were already read may still come. */
export interface Inlet {
  start(sink: InletSink): void;
  pause(): void;
  resume(): void;
  /** Lets go of the underlying stream; nothing is told after it. */
  stop(): void;
}
