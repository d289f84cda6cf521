import type { EventBatch, Method, Params, Result } from "../../schemas/index.js";
import type { AgentwireError } from "./client-error.js";

/** Who takes the events of a subscription. */
export interface Sink {
  /** The subscription is there; its events follow. */
  opened(result: Result<"events.subscribe">): void;
  batch(batch: EventBatch): void;
  /** Nothing more comes; not told of an end that was asked for. */
  lost(error: AgentwireError): void;
}

/** One way to a gateway. A link that broke is made anew by the next request. */
export interface Link {
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
  /** Resolves, when the sink was told that the subscription is there, with the way to end it. */
  subscribe(params: Params<"events.subscribe">, sink: Sink): Promise<() => void>;
  close(): void;
}
