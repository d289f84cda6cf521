import type { ServerResponse } from "node:http";
import type { Params, Result } from "../../schemas/index.js";
import type { Publisher } from "./publisher.js";
import { SSE_EVENT_FRAMING, SSE_HEARTBEAT, sseMessage } from "./sse-event-framing.js";
import { SseOutlet } from "./sse-outlet.js";
import type { Subscriber } from "./subscriber.js";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  /** Proxies that collect a response before they pass it on are told not to. */
  "x-accel-buffering": "no",
} as const;
/** How long a browser waits before it comes back. */
const RETRY_MS = 1_000;

/** One subscription as a stream of server-sent events. */
export class EventStream {
  readonly result: Result<"events.subscribe">;
  private readonly outlet: SseOutlet;
  private readonly subscriber: Subscriber;

  /** Throws, and has sent nothing, when there can be no such subscription. */
  constructor(
    private readonly response: ServerResponse,
    publisher: Publisher,
    params: Params<"events.subscribe">,
  ) {
    this.outlet = new SseOutlet(response);
    const { subscriber, result } = publisher.subscribe(this.outlet, params, SSE_EVENT_FRAMING);
    this.subscriber = subscriber;
    this.result = result;
  }

  get pendingBytes(): number {
    return this.outlet.pendingBytes;
  }

  /** Sends the head of the response, what the subscription is, and then its events. */
  start(): void {
    const { cursor, gap } = this.result;
    this.response.writeHead(200, HEADERS);
    this.outlet.write(sseMessage({ event: "subscribed", id: cursor, retryMs: RETRY_MS, data: this.result }));
    if (gap) this.outlet.write(sseMessage({ event: "gap", data: { cursor } }));
    this.subscriber.start();
  }

  onDrain(listener: () => void): void {
    this.outlet.onDrain(listener);
  }

  /** Also when the client has left already. */
  onClose(listener: () => void): void {
    if (this.response.destroyed) setImmediate(listener);
    else this.response.once("close", listener);
  }

  /** Nothing more is put behind what the client has not taken yet. */
  beat(): void {
    if (this.pendingBytes === 0) this.outlet.write(SSE_HEARTBEAT);
  }

  close(code: number, reason: string): void {
    this.subscriber.end();
    this.outlet.close(code, reason);
  }

  /** The client is gone or is given up. */
  terminate(): void {
    this.subscriber.end();
    this.response.destroy();
  }
}
