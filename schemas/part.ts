import { z } from "zod";
import { BlobRefs } from "./blob-ref.js";
import { FilePart } from "./file-part.js";
import { MessageError } from "./message-error.js";
import { partBase } from "./part-base.js";
import { Tokens } from "./tokens.js";
import { isFinal, ToolState } from "./tool-state.js";

const metadata = z.record(z.string(), z.unknown());
const span = z.object({ start: z.number(), end: z.number().optional() });

export const TextPart = z.object({
  ...partBase,
  type: z.literal("text"),
  text: z.string(),
  synthetic: z.boolean().optional(),
  ignored: z.boolean().optional(),
  time: span.optional(),
  metadata: metadata.optional(),
});
export type TextPart = z.infer<typeof TextPart>;

export const ReasoningPart = z.object({
  ...partBase,
  type: z.literal("reasoning"),
  text: z.string(),
  time: span,
  metadata: metadata.optional(),
});
export type ReasoningPart = z.infer<typeof ReasoningPart>;

/** A tool call from its first byte to its result, with the permission or question it waited for. `tool` is the
 * canonical name; the agent's own stands in `metadata.native.tool`. `callID` is unique within the session. `blobs` names
 * what is kept apart because it is large. */
export const ToolPart = z.object({
  ...partBase,
  type: z.literal("tool"),
  callID: z.string(),
  tool: z.string(),
  state: ToolState,
  metadata: metadata.optional(),
  blobs: BlobRefs.optional(),
});
export type ToolPart = z.infer<typeof ToolPart>;

export const StepStartPart = z.object({
  ...partBase,
  type: z.literal("step-start"),
  snapshot: z.string().optional(),
});
export type StepStartPart = z.infer<typeof StepStartPart>;

/** The end of one model response. `cost` is in US dollars. */
export const StepFinishPart = z.object({
  ...partBase,
  type: z.literal("step-finish"),
  reason: z.string(),
  snapshot: z.string().optional(),
  cost: z.number(),
  tokens: Tokens,
});
export type StepFinishPart = z.infer<typeof StepFinishPart>;

export const SubtaskPart = z.object({
  ...partBase,
  type: z.literal("subtask"),
  prompt: z.string(),
  description: z.string(),
  agent: z.string(),
  model: z.object({ providerID: z.string(), modelID: z.string() }).optional(),
  command: z.string().optional(),
});
export type SubtaskPart = z.infer<typeof SubtaskPart>;

export const AgentPart = z.object({ ...partBase, type: z.literal("agent"), name: z.string() });
export type AgentPart = z.infer<typeof AgentPart>;

export const SnapshotPart = z.object({ ...partBase, type: z.literal("snapshot"), snapshot: z.string() });
export type SnapshotPart = z.infer<typeof SnapshotPart>;

export const PatchPart = z.object({
  ...partBase,
  type: z.literal("patch"),
  hash: z.string(),
  files: z.array(z.string()),
});
export type PatchPart = z.infer<typeof PatchPart>;

export const CompactionPart = z.object({
  ...partBase,
  type: z.literal("compaction"),
  auto: z.boolean(),
  overflow: z.boolean().optional(),
});
export type CompactionPart = z.infer<typeof CompactionPart>;

/** The agent's model request failed and is tried again. */
export const RetryPart = z.object({
  ...partBase,
  type: z.literal("retry"),
  attempt: z.number().int(),
  error: MessageError,
  time: z.object({ created: z.number() }),
});
export type RetryPart = z.infer<typeof RetryPart>;

export const Part = z.discriminatedUnion("type", [
  TextPart,
  ReasoningPart,
  ToolPart,
  FilePart,
  StepStartPart,
  StepFinishPart,
  SubtaskPart,
  AgentPart,
  SnapshotPart,
  PatchPart,
  CompactionPart,
  RetryPart,
]);
export type Part = z.infer<typeof Part>;
export type PartType = Part["type"];

/** Whether an agent's part is still to end. A user's text has no end. */
export function isOpen(part: Part): boolean {
  if (part.type === "tool") return !isFinal(part.state.status);
  return (part.type === "text" || part.type === "reasoning") && part.time?.end === undefined;
}
