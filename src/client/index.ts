/** A client of a gateway, for browsers and Node. Only types come from the schemas: no validator is in it. */
export type { ErrorKind, PendingBlock, WireEvent } from "../../schemas/index.js";
export { EMPTY_STATE, type FinalDocument, finalDocument, type WireState } from "../store/reduce.js";
export type { BackoffOptions } from "./backoff.js";
export type { BlockedListener } from "./blocked-watch.js";
export type { Client } from "./client.js";
export { AgentwireError, type ClientErrorKind } from "./client-error.js";
export { type ConnectOptions, connect } from "./connect.js";
export { type ClientEvent, type GapEvent, hasHole, reduce, type SnapshotEvent } from "./reduce-client.js";
export type { BlockAnswer, PromptOptions, SessionHandle } from "./session-handle.js";
export type { EventsOptions, Subscription } from "./subscription.js";
export type { WebSocketConstructor, WebSocketLike } from "./websocket-link.js";
