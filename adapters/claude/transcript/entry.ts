import { z } from "zod";
import { ContentBlock, Usage } from "../frame.js";

/** What is read of the lines Claude Code writes to its transcripts. Every object is open: the rest is kept and ignored. */

const text = z.string();
const common = {
  uuid: text.nullish(),
  sessionId: text.nullish(),
  cwd: text.nullish(),
  version: text.nullish(),
  isSidechain: z.boolean().nullish(),
};

const PermissionVerdict = z.looseObject({
  decision: text.nullish(),
  source: text.nullish(),
  reasonType: text.nullish(),
  reasonCode: text.nullish(),
  grantScope: text.nullish(),
});
export type PermissionVerdict = z.infer<typeof PermissionVerdict>;

const UserEntry = z.looseObject({
  type: z.literal("user"),
  ...common,
  message: z.looseObject({ content: z.union([text, z.array(ContentBlock)]) }),
  isMeta: z.boolean().nullish(),
  isCompactSummary: z.boolean().nullish(),
  origin: z.looseObject({ kind: text.nullish() }).nullish(),
  permissionMode: text.nullish(),
  queueTranscriptOnly: z.boolean().nullish(),
  mergedSendUuids: z.array(text).nullish(),
  toolUseResult: z.unknown().optional(),
  toolDenialKind: text.nullish(),
  permissionDecision: PermissionVerdict.nullish(),
});
export type UserEntry = z.infer<typeof UserEntry>;

const AssistantEntry = z.looseObject({
  type: z.literal("assistant"),
  ...common,
  message: z.looseObject({
    id: text,
    model: text.nullish(),
    content: z.array(ContentBlock),
    stop_reason: text.nullish(),
    usage: Usage.nullish(),
  }),
  isAbortedMidStream: z.boolean().nullish(),
  isApiErrorMessage: z.boolean().nullish(),
  error: text.nullish(),
  errorDetails: text.nullish(),
  apiError: text.nullish(),
  apiErrorStatus: z.number().nullish(),
  apiErrorType: text.nullish(),
});
export type AssistantEntry = z.infer<typeof AssistantEntry>;

const SystemEntry = z.looseObject({
  type: z.literal("system"),
  ...common,
  subtype: text,
  content: text.nullish(),
  compactMetadata: z.looseObject({ trigger: text.nullish() }).nullish(),
  error: z.unknown().optional(),
  retryInMs: z.number().nullish(),
  retryAttempt: z.number().nullish(),
});
export type SystemEntry = z.infer<typeof SystemEntry>;

const AttachmentEntry = z.looseObject({
  type: z.literal("attachment"),
  ...common,
  attachment: z.looseObject({
    type: text,
    prompt: z.union([text, z.array(ContentBlock)]).nullish(),
    commandMode: text.nullish(),
    maxTurns: z.number().nullish(),
  }),
});
export type AttachmentEntry = z.infer<typeof AttachmentEntry>;

const QueueEntry = z.looseObject({
  type: z.literal("queue-operation"),
  operation: text,
  content: text.nullish(),
});
export type QueueEntry = z.infer<typeof QueueEntry>;

/** A title that the user gave, or on older versions the one the CLI made up. */
const TitleEntry = z.looseObject({
  type: z.enum(["custom-title", "summary", "ai-title"]),
  customTitle: text.nullish(),
  summary: text.nullish(),
  aiTitle: text.nullish(),
});
export type TitleEntry = z.infer<typeof TitleEntry>;

const CostEntry = z.looseObject({ type: z.literal("cost-state"), totalCostUSD: z.number().nullish() });
export type CostEntry = z.infer<typeof CostEntry>;

/** What the file beside a subagent's transcript says. It has no type of its own, the reader gives it one. */
export const AboutEntry = z.looseObject({
  agentType: text.nullish(),
  description: text.nullish(),
  toolUseId: text.nullish(),
  parentAgentId: text.nullish(),
});
export type AboutEntry = z.infer<typeof AboutEntry> & { readonly type: "about" };

/** Lines that are the CLI's own business. Named, so that a new kind shows as unknown. */
const IGNORED_TYPES = new Set([
  "agent-name",
  "agent-setting",
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "atis-latch",
  "file-history-snapshot",
  "last-prompt",
  "mode",
  "permission-mode",
  "pr-link",
  "progress",
  "started",
  "tag",
  "tools-used",
]);

const SCHEMAS = {
  user: UserEntry,
  assistant: AssistantEntry,
  system: SystemEntry,
  attachment: AttachmentEntry,
  "queue-operation": QueueEntry,
  "custom-title": TitleEntry,
  "ai-title": TitleEntry,
  summary: TitleEntry,
  "cost-state": CostEntry,
} as const;

export type Entry = z.infer<(typeof SCHEMAS)[keyof typeof SCHEMAS]> | AboutEntry;

/** Attachments that tell something of the conversation; the others are what the CLI gave the model beside it. */
const TOLD_ATTACHMENTS = new Set(["queued_command", "max_turns_reached"]);
const TOLD_SYSTEM = new Set(["compact_boundary", "api_error", "local_command"]);

export type ReadEntry = Entry | "ignored" | undefined;

/** Reads one line; `undefined` is a kind that is not known or malformed. */
export function readEntry(raw: unknown): ReadEntry {
  const type = typeof raw === "object" && raw !== null ? (raw as { type?: unknown }).type : undefined;
  if (typeof type !== "string") return undefined;
  if (IGNORED_TYPES.has(type)) return "ignored";
  if (!Object.hasOwn(SCHEMAS, type)) return undefined;
  const result = SCHEMAS[type as keyof typeof SCHEMAS].safeParse(raw);
  if (!result.success) return undefined;
  return isTold(result.data) ? result.data : "ignored";
}

function isTold(entry: Exclude<Entry, AboutEntry>): boolean {
  if (entry.type === "attachment") return TOLD_ATTACHMENTS.has(entry.attachment.type);
  return entry.type !== "system" || TOLD_SYSTEM.has(entry.subtype);
}

/** The name of a line's kind as reports of unknown ones use it. */
export function entryKind(raw: unknown): string {
  if (typeof raw !== "object" || raw === null) return typeof raw;
  const { type, subtype, operation } = raw as Record<string, unknown>;
  const detail = subtype ?? operation;
  return detail === undefined ? String(type) : `${String(type)}/${String(detail)}`;
}

/** A result of a tool is a user line too, but no turn begins with it. */
export function isToolResult(entry: UserEntry): boolean {
  const { content } = entry.message;
  return typeof content !== "string" && content.some((block) => block.type === "tool_result");
}

/** The text of a line's content, and of a prompt in an attachment. */
export function textOfContent(content: string | readonly ContentBlock[]): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? String(block.text ?? "") : "")).join("\n");
}
