import { z } from "zod";
import { BlobRef } from "./blob-ref.js";
import { SessionID } from "./ids.js";
import { Message } from "./message.js";
import { Part } from "./part.js";
import { Session, Todo } from "./session.js";

/** The version of the format. A reader refuses a newer one. */
export const EXPORT_VERSION = 1;

/** The first line: what wrote the rest, when (milliseconds since the epoch), and from which database. */
export const ExportHeader = z.object({
  type: z.literal("export"),
  format: z.literal("agentwire"),
  version: z.number().int().positive(),
  agentwire: z.string(),
  database: z.string(),
  exportedAt: z.number(),
});
export type ExportHeader = z.infer<typeof ExportHeader>;

/** A value that parts refer to by `ref`. A text as it is (`utf8`), anything else in `base64`. */
export const ExportedBlob = z.object({
  type: z.literal("blob"),
  ref: BlobRef.shape.ref,
  mime: z.string(),
  encoding: z.enum(["utf8", "base64"]),
  data: z.string(),
});
export type ExportedBlob = z.infer<typeof ExportedBlob>;

/**
 * What a root session goes on from: the state of its agent's adapter, and the place of what it had heard by then. What
 * was under way at that time is not exported: the process it was asked of is another machine's.
 */
export const ExportedCheckpoint = z.object({
  type: z.literal("checkpoint"),
  sessionID: SessionID,
  epoch: z.number().int().nonnegative(),
  seq: z.number().int().nonnegative(),
  state: z.unknown(),
});
export type ExportedCheckpoint = z.infer<typeof ExportedCheckpoint>;

/** The last line, by which a reader knows that nothing is cut off: `lines` stand before it. */
export const ExportEnd = z.object({ type: z.literal("end"), lines: z.number().int().positive() });

/**
 * One line of an export: the header, then the sessions, then the end. A root session comes with all that is below it
 * before the next begins. After the root's own line stand its checkpoint and the blobs that its parts refer to, after any
 * session's its todos and its messages, each followed by its parts; then come its children.
 */
export const ExportLine = z.discriminatedUnion("type", [
  ExportHeader,
  z.object({ type: z.literal("session"), session: Session }),
  ExportedBlob,
  ExportedCheckpoint,
  z.object({ type: z.literal("todos"), sessionID: SessionID, todos: z.array(Todo) }),
  z.object({ type: z.literal("message"), message: Message }),
  z.object({ type: z.literal("part"), part: Part }),
  ExportEnd,
]);
export type ExportLine = z.infer<typeof ExportLine>;
