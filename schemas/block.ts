import { z } from "zod";
import { BlockID } from "./ids.js";

const metadata = z.record(z.string(), z.unknown());

/** One of several ways to decide, where an agent offers more than yes and no: it is told back by its id. */
export const BlockOption = z.object({
  optionID: z.string(),
  label: z.string(),
  decision: z.enum(["once", "always", "reject"]),
});
export type BlockOption = z.infer<typeof BlockOption>;

/** A tool waits for permission. `always` holds the patterns that an `always` decision adds to the session's rules;
 * empty: the agent offers no such choice. `options` lists the agent's own choices where they are more than that, and
 * `decisions` those that can be made without naming an option: all where it is left out.
 * `metadata` carries what a person needs to decide (a diff, a path, a plan). */
export const PermissionBlock = z.object({
  type: z.literal("permission"),
  id: BlockID,
  permission: z.string(),
  patterns: z.array(z.string()),
  always: z.array(z.string()),
  options: z.array(BlockOption).optional(),
  decisions: z.array(z.enum(["once", "always", "reject"])).optional(),
  metadata,
});
export type PermissionBlock = z.infer<typeof PermissionBlock>;

export const QuestionInfo = z.object({
  question: z.string(),
  header: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string() })),
  multiple: z.boolean().optional(),
  custom: z.boolean().optional(),
});
export type QuestionInfo = z.infer<typeof QuestionInfo>;

/** A tool waits for answers. `custom` (default true) allows free text beside the options. */
export const QuestionBlock = z.object({
  type: z.literal("question"),
  id: BlockID,
  questions: z.array(QuestionInfo),
  metadata: metadata.optional(),
});
export type QuestionBlock = z.infer<typeof QuestionBlock>;

/** A tool that the session's client serves waits for it to be carried out: `name` is what the client called it when it
 * made the session, `input` what the agent gives it. */
export const CallBlock = z.object({
  type: z.literal("call"),
  id: BlockID,
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});
export type CallBlock = z.infer<typeof CallBlock>;

export const Block = z.discriminatedUnion("type", [PermissionBlock, QuestionBlock, CallBlock]);
export type Block = z.infer<typeof Block>;

/** Who decided: a person, a permission rule, a sibling's decision, the agent itself, or the gateway shutting down. */
export const DecidedBy = z.enum(["user", "rule", "cascade", "agent", "shutdown"]);
export type DecidedBy = z.infer<typeof DecidedBy>;

export const Decision = z.enum(["once", "always", "reject"]);
export type Decision = z.infer<typeof Decision>;

const resolution = {
  decidedAt: z.number(),
  decidedBy: DecidedBy,
  message: z.string().optional(),
};

/** A decided permission. `always` keeps the patterns that were offered, so that the decision can be read alone. */
export const ResolvedPermissionBlock = PermissionBlock.extend({
  decision: Decision,
  optionID: z.string().optional(),
  ...resolution,
});
export type ResolvedPermissionBlock = z.infer<typeof ResolvedPermissionBlock>;

/** An answered question: `answers[i]` holds the chosen labels (or free text) of `questions[i]`; `rejected` when
 * nobody answered. */
export const ResolvedQuestionBlock = QuestionBlock.extend({
  answers: z.array(z.array(z.string())),
  rejected: z.boolean().optional(),
  ...resolution,
});
export type ResolvedQuestionBlock = z.infer<typeof ResolvedQuestionBlock>;

/** A call that was carried out, with `output` or `error` as the client told it; neither when nobody answered. What the
 * agent made of it is on the tool part. */
export const ResolvedCallBlock = CallBlock.extend({
  output: z.string().optional(),
  error: z.string().optional(),
  ...resolution,
});
export type ResolvedCallBlock = z.infer<typeof ResolvedCallBlock>;

export const ResolvedBlock = z.discriminatedUnion("type", [
  ResolvedPermissionBlock,
  ResolvedQuestionBlock,
  ResolvedCallBlock,
]);
export type ResolvedBlock = z.infer<typeof ResolvedBlock>;
