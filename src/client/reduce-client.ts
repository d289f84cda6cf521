import type { WireEvent } from "../../schemas/index.js";
import { reduce as reduceWire, type WireState } from "../store/reduce.js";
import { appendDelta } from "../store/reduce-part.js";

/** Everything as it was read: what was known before counts no more. */
export interface SnapshotEvent {
  readonly type: "snapshot";
  readonly properties: { readonly state: WireState };
}

/** What happened since is not all known, and the subscription does not read it by itself: read everything again. */
export interface GapEvent {
  readonly type: "gap";
  readonly properties: Record<never, never>;
}

export type ClientEvent = WireEvent | SnapshotEvent | GapEvent;

/** The state after an event, by the reducer that the gateway's store is held to; nothing is changed in place. */
export function reduce(state: WireState, event: ClientEvent): WireState {
  if (event.type === "snapshot") return event.properties.state;
  return event.type === "gap" ? state : reduceWire(state, event);
}

/** Whether text before a delta is missing, so that `reduce` can't apply it: the part must be read again. */
export function hasHole(state: WireState, event: ClientEvent): boolean {
  if (event.type !== "message.part.delta") return false;
  const { sessionID, messageID, partID, field, offset, delta } = event.properties;
  const part = state.sessions[sessionID]?.messages[messageID]?.parts[partID];
  return part === undefined || appendDelta(part, field, offset, delta).outcome === "hole";
}
