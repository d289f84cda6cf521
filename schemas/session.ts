import { z } from "zod";
import { MessageID, SessionID } from "./ids.js";
import { FileDiff } from "./message.js";
import { MessageError } from "./message-error.js";

/** One rule. `permission` names what is accessed (`bash`, `edit`, `read`, …; `*` is any), `pattern` what of it; the last
 * rule that matches wins. `source: "approval"` marks what an `always` decision added: it answers asks, but a rule that
 * denies stays stronger. */
export const PermissionRule = z.object({
  permission: z.string(),
  pattern: z.string(),
  action: z.enum(["allow", "deny", "ask"]),
  source: z.literal("approval").optional(),
});
export type PermissionRule = z.infer<typeof PermissionRule>;

/** Permission modes of the wire. An agent without an equal refuses a mode rather than apply a weaker one. */
export const Mode = z.enum([
  "default",
  "acceptEdits",
  "plan",
  "read-only",
  "safe-yolo",
  "yolo",
  "bypassPermissions",
  "auto",
]);
export type Mode = z.infer<typeof Mode>;

/** What the session does now. `retry`: the model request failed and is sent again at `next` (milliseconds since the
 * epoch). `stalled` marks a busy agent that has said nothing for long; nothing is ended for it. */
export const SessionStatus = z.discriminatedUnion("type", [
  z.object({ type: z.literal("idle") }),
  z.object({ type: z.literal("busy"), stalled: z.boolean().optional() }),
  z.object({ type: z.literal("retry"), attempt: z.number().int(), message: z.string(), next: z.number() }),
]);
export type SessionStatus = z.infer<typeof SessionStatus>;

/**
 * A conversation with one agent. `parentID` marks the session of a subagent. `queue` lists the user messages that wait
 * for the running turn. `time.archived` marks one that lists leave out. `mode` and `model` are in force, `pending` is what a running agent has not confirmed yet;
 * `metadata.native` is what the agent says of itself (its session id, policy, version). `error` is the last failure and goes with the next prompt.
 */
export const Session = z.object({
  id: SessionID,
  projectID: z.string(),
  directory: z.string(),
  parentID: SessionID.optional(),
  title: z.string(),
  time: z.object({
    created: z.number(),
    updated: z.number(),
    compacting: z.number().optional(),
    archived: z.number().optional(),
  }),
  agent: z.string(),
  model: z.string().optional(),
  mode: Mode,
  pending: z.object({ mode: Mode.optional(), model: z.string().optional() }).optional(),
  status: SessionStatus,
  error: MessageError.optional(),
  queue: z.array(MessageID),
  permission: z.array(PermissionRule).optional(),
  summary: z
    .object({
      additions: z.number().int().nonnegative(),
      deletions: z.number().int().nonnegative(),
      files: z.number().int().nonnegative(),
      diffs: z.array(FileDiff).optional(),
    })
    .optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type Session = z.infer<typeof Session>;

export const Todo = z.object({
  content: z.string(),
  status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
  priority: z.enum(["high", "medium", "low"]),
});
export type Todo = z.infer<typeof Todo>;
