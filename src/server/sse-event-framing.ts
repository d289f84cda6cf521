import type { Cursor } from "../../schemas/index.js";
import type { EventFraming } from "./event-framing.js";

interface Frame {
  readonly cursor: Cursor | undefined;
  readonly bytes: Buffer;
}

/**
 * Frames by the body they were made of. A group's body is one buffer for all who hear the same, and nothing in the frame is
 * of one subscriber, so that they share the frame, too.
 */
const FRAMES = new WeakMap<Buffer, Frame>();

/** Makes server-sent messages. The `id` is a cursor, so that `Last-Event-ID` is where a client goes on from. */
export const SSE_EVENT_FRAMING: EventFraming = {
  events(body, cursor) {
    const known = FRAMES.get(body);
    if (known && known.cursor === cursor) return known.bytes;
    const bytes = Buffer.concat([Buffer.from(`${idLine(cursor)}data: {"events":[`), body, SUFFIX]);
    FRAMES.set(body, { cursor, bytes });
    return bytes;
  },
  overflow: () => sseMessage({ data: { events: [], overflow: true } }),
};

const SUFFIX = Buffer.from("]}\n\n");

/** Asks for an answer of nobody, and keeps proxies and clients from taking the stream for dead. */
export const SSE_HEARTBEAT = Buffer.from(": heartbeat\n\n");

export function sseMessage(message: { event?: string; id?: Cursor; retryMs?: number; data: object }): Buffer {
  const event = message.event === undefined ? "" : `event: ${message.event}\n`;
  const retry = message.retryMs === undefined ? "" : `retry: ${message.retryMs}\n`;
  return Buffer.from(`${event}${retry}${idLine(message.id)}data: ${JSON.stringify(message.data)}\n\n`);
}

const idLine = (cursor: Cursor | undefined): string => (cursor === undefined ? "" : `id: ${cursor}\n`);
