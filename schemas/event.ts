import { z } from "zod";
import { MessageID, PartID, SessionID } from "./ids.js";
import { Message } from "./message.js";
import { MessageError } from "./message-error.js";
import { Part } from "./part.js";
import { Session, SessionStatus, Todo } from "./session.js";

const event = <const T extends string, P extends z.ZodRawShape>(type: T, properties: P) =>
  z.object({ type: z.literal(type), properties: z.object({ sessionID: SessionID, ...properties }) });

/** Which text of a part a delta appends to. */
export const DeltaField = z.enum(["text", "state.raw", "state.metadata.output"]);
export type DeltaField = z.infer<typeof DeltaField>;

/** Events that change a stored row; a subscriber who was away is sent the row as it stands. */
const durableEvents = [
  event("session.created", { info: Session }),
  event("session.updated", { info: Session }),
  event("session.deleted", {}),
  event("session.status", { status: SessionStatus }),
  event("session.error", { error: MessageError }),
  event("message.updated", { info: Message }),
  event("message.removed", { messageID: MessageID }),
  event("message.part.updated", { part: Part }),
  event("message.part.removed", { messageID: MessageID, partID: PartID }),
  event("todo.updated", { todos: z.array(Todo) }),
] as const;

/** Events that are heard live or not at all: what they tell is also in a row. */
const transientEvents = [
  /** `offset` is the length of the field, in UTF-16 units, before `delta` is appended. */
  event("message.part.delta", {
    messageID: MessageID,
    partID: PartID,
    field: DeltaField,
    offset: z.number().int().nonnegative(),
    delta: z.string(),
  }),
  event("session.compacted", {}),
  event("file.edited", { file: z.string() }),
  event("file.watcher.updated", { file: z.string(), event: z.enum(["add", "change", "unlink"]) }),
] as const;

export const WireEvent = z.discriminatedUnion("type", [...durableEvents, ...transientEvents]);
export type WireEvent = z.infer<typeof WireEvent>;
export type WireEventType = WireEvent["type"];
export type WireEventOf<T extends WireEventType> = Extract<WireEvent, { type: T }>;

export const EVENT_DURABILITY = {
  "session.created": "durable",
  "session.updated": "durable",
  "session.deleted": "durable",
  "session.status": "durable",
  "session.error": "durable",
  "session.compacted": "transient",
  "message.updated": "durable",
  "message.removed": "durable",
  "message.part.updated": "durable",
  "message.part.delta": "transient",
  "message.part.removed": "durable",
  "todo.updated": "durable",
  "file.edited": "transient",
  "file.watcher.updated": "transient",
} as const satisfies Record<WireEventType, "durable" | "transient">;

/** A place in the store's history: an opaque string; a later one sorts after an earlier one. */
export const Cursor = z.string().regex(/^[0-9a-z]{1,32}$/, "must be a cursor that this gateway gave out");
export type Cursor = z.infer<typeof Cursor>;

/** An event as it is sent. A transient event has no cursor of its own. */
export const EventEnvelope = z.object({ cursor: Cursor.optional(), event: WireEvent });
export type EventEnvelope = z.infer<typeof EventEnvelope>;
