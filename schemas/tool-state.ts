import { z } from "zod";
import { Block, ResolvedBlock } from "./block.js";
import { FilePart } from "./file-part.js";

const input = z.record(z.string(), z.unknown());
const metadata = z.record(z.string(), z.unknown());
const started = z.object({ start: z.number() });
const finished = z.object({ start: z.number(), end: z.number() });
/** A decided block stays with the tool, and so do those it was asked before. */
const decided = { block: ResolvedBlock.optional(), priorBlocks: z.array(ResolvedBlock).optional() };
const underWay = { input, title: z.string().optional(), metadata: metadata.optional(), time: started };

/** The call is being written by the model: `raw` grows by deltas, `input` is empty until it is whole. */
export const ToolStatePending = z.object({ status: z.literal("pending"), input, raw: z.string() });
export type ToolStatePending = z.infer<typeof ToolStatePending>;

/** The tool runs. `metadata.output` grows by deltas where the agent streams it. */
export const ToolStateRunning = z.object({ status: z.literal("running"), ...underWay, ...decided });
export type ToolStateRunning = z.infer<typeof ToolStateRunning>;

/** The tool waits for a person, a rule or an answer. */
export const ToolStateBlocked = z.object({
  status: z.literal("blocked"),
  ...underWay,
  block: Block,
  priorBlocks: z.array(ResolvedBlock).optional(),
});
export type ToolStateBlocked = z.infer<typeof ToolStateBlocked>;

export const ToolStateCompleted = z.object({
  status: z.literal("completed"),
  input,
  output: z.string(),
  title: z.string(),
  metadata,
  time: finished.extend({ compacted: z.number().optional() }),
  attachments: z.array(FilePart).optional(),
  ...decided,
});
export type ToolStateCompleted = z.infer<typeof ToolStateCompleted>;

export const ToolStateError = z.object({
  status: z.literal("error"),
  input,
  error: z.string(),
  title: z.string().optional(),
  metadata: metadata.optional(),
  time: finished,
  ...decided,
});
export type ToolStateError = z.infer<typeof ToolStateError>;

export const ToolState = z.discriminatedUnion("status", [
  ToolStatePending,
  ToolStateRunning,
  ToolStateBlocked,
  ToolStateCompleted,
  ToolStateError,
]);
export type ToolState = z.infer<typeof ToolState>;
export type ToolStatus = ToolState["status"];

/** Every step a tool may take; `pending` may repeat while its input streams. A final state has no way out. */
export const TOOL_TRANSITIONS = {
  pending: ["pending", "running", "blocked", "completed", "error"],
  running: ["running", "blocked", "completed", "error"],
  blocked: ["running", "completed", "error"],
  completed: [],
  error: [],
} as const satisfies Record<ToolStatus, readonly ToolStatus[]>;

export function canTransition(from: ToolStatus, to: ToolStatus): boolean {
  return (TOOL_TRANSITIONS[from] as readonly ToolStatus[]).includes(to);
}

export function isFinal(status: ToolStatus): boolean {
  return TOOL_TRANSITIONS[status].length === 0;
}
