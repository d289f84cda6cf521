import { z } from "zod";
import { MessageID, SessionID } from "./ids.js";
import { MessageError } from "./message-error.js";
import { Tokens } from "./tokens.js";

const metadata = z.record(z.string(), z.unknown());

export const FileDiff = z.object({
  file: z.string(),
  patch: z.string(),
  additions: z.number().int().nonnegative(),
  deletions: z.number().int().nonnegative(),
  status: z.enum(["added", "deleted", "modified"]).optional(),
});
export type FileDiff = z.infer<typeof FileDiff>;

export const ModelRef = z.object({ providerID: z.string(), modelID: z.string() });
export type ModelRef = z.infer<typeof ModelRef>;

export const OutputFormat = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text") }),
  z.object({ type: z.literal("json_schema"), schema: z.record(z.string(), z.unknown()) }),
]);
export type OutputFormat = z.infer<typeof OutputFormat>;

/** What was asked. Times are milliseconds since the epoch. */
export const UserMessage = z.object({
  id: MessageID,
  sessionID: SessionID,
  role: z.literal("user"),
  time: z.object({ created: z.number() }),
  agent: z.string(),
  model: ModelRef,
  format: OutputFormat.optional(),
  system: z.string().optional(),
  tools: z.record(z.string(), z.boolean()).optional(),
  variant: z.string().optional(),
  summary: z.object({ title: z.string().optional(), body: z.string().optional(), diffs: z.array(FileDiff) }).optional(),
  metadata: metadata.optional(),
});
export type UserMessage = z.infer<typeof UserMessage>;

/** Why a message ended. */
export const Finish = z.enum(["stop", "tool-calls", "length", "aborted", "error", "refusal"]);
export type Finish = z.infer<typeof Finish>;

/** One model response. `parentID` is the user message it answers; `cost` is in US dollars. `summary` marks the
 * summary that a compaction left. */
export const AssistantMessage = z.object({
  id: MessageID,
  sessionID: SessionID,
  role: z.literal("assistant"),
  time: z.object({ created: z.number(), completed: z.number().optional() }),
  parentID: MessageID,
  modelID: z.string(),
  providerID: z.string(),
  agent: z.string(),
  path: z.object({ cwd: z.string(), root: z.string() }),
  cost: z.number(),
  tokens: Tokens,
  finish: Finish.optional(),
  error: MessageError.optional(),
  summary: z.boolean().optional(),
  variant: z.string().optional(),
  metadata: metadata.optional(),
});
export type AssistantMessage = z.infer<typeof AssistantMessage>;

export const Message = z.discriminatedUnion("role", [UserMessage, AssistantMessage]);
export type Message = z.infer<typeof Message>;
