import type { ErrorData, Method } from "../../../../schemas/index.js";
import type { ServerCore } from "../../../../src/server/server-core.js";
import type { WireClient } from "../../../unit/server/wire-client.js";

/** What a request came to, whatever carried it. */
export interface Outcome {
  readonly result?: Record<string, unknown>;
  readonly error?: ErrorData & { readonly message: string };
}

/** One subscription as its client sees it. */
export interface Heard {
  readonly result: Record<string, unknown>;
  /** What the client made of the events. */
  readonly client: WireClient;
  /** The events of each message that came. */
  readonly batches: readonly unknown[][];
  readonly overflows: number;
  /** The connection is gone. */
  readonly lost: boolean;
  /** Looks at the condition after all that comes, and when the connection is lost. */
  until(condition: () => boolean): Promise<void>;
  /** Breaks the connection off, in the middle of whatever comes. */
  drop(): void;
  /** Stops to read, and reads on. */
  pause(): void;
  resume(): void;
}

/** Both fail when the connection is lost before there is an answer. */
export interface Peer {
  call(method: Method, params?: Record<string, unknown>): Promise<Outcome>;
  /**
   * Throws what `events.subscribe` answers when it is an error. `client` is one that knows something already: the first events
   * may come together with the answer.
   */
  subscribe(params?: Record<string, unknown>, client?: WireClient): Promise<Heard>;
}

/** One way to reach a gateway. */
export interface Served {
  readonly port: number;
  /** A client of its own; at another port, if something stands before the server. */
  connect(port?: number): Promise<Peer>;
  stop(): Promise<void>;
}

export interface TransportUnderTest {
  readonly name: string;
  serve(core: ServerCore): Promise<Served>;
}
