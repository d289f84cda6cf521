import { z } from "zod";

/** What this adapter reads of Claude Code's stream-json. Every object is open: unknown fields are kept and ignored. */

const text = z.string();
const record = z.record(z.string(), z.unknown());
const uuids = { user_message_uuid: text.nullish(), user_message_uuids: z.array(text).nullish() };

export const Usage = z.looseObject({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
  cache_creation: z
    .looseObject({ ephemeral_5m_input_tokens: z.number().nullish(), ephemeral_1h_input_tokens: z.number().nullish() })
    .nullish(),
  output_tokens_details: z.looseObject({ thinking_tokens: z.number().nullish() }).nullish(),
});
export type Usage = z.infer<typeof Usage>;

const StreamEvent = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("message_start"),
    message: z.looseObject({ id: text, model: text, usage: Usage.nullish() }),
  }),
  z.looseObject({
    type: z.literal("content_block_start"),
    index: z.number(),
    content_block: z.looseObject({ type: text, id: text.optional(), name: text.optional() }),
  }),
  z.looseObject({
    type: z.literal("content_block_delta"),
    index: z.number(),
    delta: z.looseObject({
      type: text,
      text: text.optional(),
      thinking: text.optional(),
      partial_json: text.optional(),
    }),
  }),
  z.looseObject({ type: z.literal("content_block_stop"), index: z.number() }),
  z.looseObject({
    type: z.literal("message_delta"),
    delta: z.looseObject({ stop_reason: text.nullish() }),
    usage: Usage.nullish(),
  }),
  z.looseObject({ type: z.literal("message_stop") }),
  z.looseObject({ type: z.literal("ping") }),
]);
export type StreamEvent = z.infer<typeof StreamEvent>;

const StreamFrame = z.looseObject({
  type: z.literal("stream_event"),
  event: StreamEvent,
  parent_tool_use_id: text.nullish(),
  api_message_id: text.nullish(),
  abandoned_blocks: z.looseObject({ api_message_id: text.nullish(), from_block_index: z.number() }).nullish(),
});
export type StreamFrame = z.infer<typeof StreamFrame>;

export const ContentBlock = z.looseObject({ type: text });
export type ContentBlock = z.infer<typeof ContentBlock>;

const AssistantFrame = z.looseObject({
  type: z.literal("assistant"),
  message: z.looseObject({
    id: text,
    model: text.nullish(),
    content: z.array(ContentBlock),
    stop_reason: text.nullish(),
    usage: Usage.nullish(),
  }),
  parent_tool_use_id: text.nullish(),
  agent_id: text.nullish(),
  uuid: text.nullish(),
  aborted: z.boolean().nullish(),
  error: text.nullish(),
  is_api_error_message: z.boolean().nullish(),
  api_error_status: z.number().nullish(),
  api_error_type: text.nullish(),
  api_error: text.nullish(),
});
export type AssistantFrame = z.infer<typeof AssistantFrame>;

const PermissionVerdict = z.looseObject({ decision: text.nullish(), source: text.nullish() });

const ResultMeta = z.looseObject({
  id: text,
  permission_decision: PermissionVerdict.nullish(),
  non_execution_kind: text.nullish(),
});
export type ResultMeta = z.infer<typeof ResultMeta>;

const UserFrame = z.looseObject({
  type: z.literal("user"),
  message: z.looseObject({ content: z.union([text, z.array(ContentBlock)]) }),
  parent_tool_use_id: text.nullish(),
  agent_id: text.nullish(),
  isReplay: z.boolean().nullish(),
  isSynthetic: z.boolean().nullish(),
  uuid: text.nullish(),
  tool_use_result: z.unknown().optional(),
  tool_result_meta: z.array(ResultMeta).nullish(),
});
export type UserFrame = z.infer<typeof UserFrame>;

const ResultFrame = z.looseObject({
  type: z.literal("result"),
  subtype: text.nullish(),
  is_error: z.boolean().nullish(),
  terminal_reason: text.nullish(),
  stop_reason: text.nullish(),
  result: text.nullish(),
  errors: z.array(text).nullish(),
  api_error_status: z.number().nullish(),
  api_error_type: text.nullish(),
  api_error: text.nullish(),
  usage: Usage.nullish(),
  model_usage_since_last_result: z.record(z.string(), z.looseObject({ costUSD: z.number().nullish() })).nullish(),
  total_cost_usd: z.number().nullish(),
  origin: z.looseObject({ kind: text.nullish() }).nullish(),
  resume_reason: text.nullish(),
  queued_turn_count: z.number().nullish(),
  /** Read by hand: a result of an odd shape must still end its turn. */
  deferred_tool_use: z.unknown().optional(),
  ...uuids,
});
export type ResultFrame = z.infer<typeof ResultFrame>;

/** The kinds of `system` lines that are known; most say nothing the wire needs. */
const SYSTEM_SUBTYPES = [
  "init",
  "status",
  "api_retry",
  "permission_denied",
  "informational",
  "notification",
  "model_refusal_no_fallback",
  "thinking_tokens",
  "hook_started",
  "hook_response",
  "session_state_changed",
  "session_title_changed",
  "compact_boundary",
  "task_started",
  "task_progress",
  "task_updated",
  "task_notification",
  "background_tasks_changed",
  "ui_invalidate",
] as const;

const SystemFrame = z.looseObject({
  type: z.literal("system"),
  subtype: z.enum(SYSTEM_SUBTYPES),
  session_id: text.nullish(),
  model: text.nullish(),
  permissionMode: text.nullish(),
  claude_code_version: text.nullish(),
  status: text.nullish(),
  attempt: z.number().nullish(),
  max_retries: z.number().nullish(),
  retry_delay_ms: z.number().nullish(),
  error_status: z.number().nullish(),
  error: text.nullish(),
  tool_use_id: text.nullish(),
  tool_name: text.nullish(),
  message: text.nullish(),
  task_id: text.nullish(),
  task_type: text.nullish(),
  parent_task_id: text.nullish(),
  description: text.nullish(),
  subagent_type: text.nullish(),
  prompt: text.nullish(),
  summary: text.nullish(),
  title: text.nullish(),
  compact_metadata: z.looseObject({ trigger: text.nullish() }).nullish(),
  patch: z.looseObject({ status: text.nullish() }).nullish(),
  usage: z.looseObject({ total_tokens: z.number().nullish(), tool_uses: z.number().nullish() }).nullish(),
  tasks: z.array(z.looseObject({ task_id: text, task_type: text.nullish(), description: text.nullish() })).nullish(),
});
export type SystemFrame = z.infer<typeof SystemFrame>;

/** Only the envelope is checked here: a malformed request is still a request, and gets an answer. */
export const ControlRequestFrame = z.looseObject({
  type: z.literal("control_request"),
  request_id: text,
  request: z.looseObject({ subtype: text }).catch({ subtype: "unreadable" }),
});
export type ControlRequestFrame = z.infer<typeof ControlRequestFrame>;

export const PermissionUpdate = z.looseObject({
  type: text,
  mode: text.optional(),
  behavior: text.optional(),
  rules: z.array(z.looseObject({ toolName: text, ruleContent: text.optional() })).optional(),
  directories: z.array(text).optional(),
});
export type PermissionUpdate = z.infer<typeof PermissionUpdate>;

export const CanUseTool = z.looseObject({
  subtype: z.literal("can_use_tool"),
  tool_name: text,
  tool_use_id: text,
  input: record,
  description: text.nullish(),
  blocked_path: text.nullish(),
  decision_reason: text.nullish(),
  agent_id: text.nullish(),
  permission_suggestions: z.array(PermissionUpdate).nullish(),
  suppress_always_allow_rule: z.boolean().nullish(),
  requires_user_interaction: z.boolean().nullish(),
});
export type CanUseTool = z.infer<typeof CanUseTool>;

export const Elicitation = z.looseObject({
  subtype: z.literal("elicitation"),
  mcp_server_name: text,
  message: text,
  url: text.nullish(),
  requested_schema: z.looseObject({}).nullish(),
  property_order: z.array(text).nullish(),
});
export type Elicitation = z.infer<typeof Elicitation>;

const RpcMessage = z.looseObject({
  id: z.union([text, z.number()]).nullish(),
  method: text,
  params: record.nullish(),
});
export type RpcMessage = z.infer<typeof RpcMessage>;

/** A message of MCP to a server that lives outside of the CLI. */
export const McpMessage = z.looseObject({
  subtype: z.literal("mcp_message"),
  server_name: text,
  message: RpcMessage,
});

const ControlResponseFrame = z.looseObject({
  type: z.literal("control_response"),
  response: z.looseObject({ subtype: text, request_id: text, error: text.nullish() }),
});
export type ControlResponseFrame = z.infer<typeof ControlResponseFrame>;

const LifecycleFrame = z.looseObject({ type: z.literal("command_lifecycle"), command_uuid: text, state: text });

const ToolProgressFrame = z.looseObject({
  type: z.literal("tool_progress"),
  tool_use_id: text,
  elapsed_time_seconds: z.number(),
});
export type ToolProgressFrame = z.infer<typeof ToolProgressFrame>;

const ControlCancelFrame = z.looseObject({ type: z.literal("control_cancel_request"), request_id: text });

/** Kinds that are known and say nothing the wire needs today. Named, so that a new kind shows as unknown. */
const IGNORED_TYPES = [
  "keep_alive",
  // What hooks did in a process that takes up a deferred call.
  "attachment",
  "tool_use_summary",
  "conversation_reset",
  "rate_limit_event",
] as const;
const IgnoredFrame = z.looseObject({ type: z.enum(IGNORED_TYPES) });

const SCHEMAS = {
  stream_event: StreamFrame,
  assistant: AssistantFrame,
  user: UserFrame,
  result: ResultFrame,
  system: SystemFrame,
  control_request: ControlRequestFrame,
  control_response: ControlResponseFrame,
  control_cancel_request: ControlCancelFrame,
  command_lifecycle: LifecycleFrame,
  tool_progress: ToolProgressFrame,
} as const;

export type ClaudeFrame = z.infer<(typeof SCHEMAS)[keyof typeof SCHEMAS]> | z.infer<typeof IgnoredFrame>;

/** Reads one line. Text deltas, nine tenths of all lines, pass a hand-written check; the rest goes through its schema. */
export function parseFrame(raw: unknown): ClaudeFrame | undefined {
  if (typeof raw !== "object" || raw === null) return undefined;
  const { type } = raw as { type?: unknown };
  if (typeof type !== "string") return undefined;
  if (type === "stream_event" && isDelta(raw)) return raw as ClaudeFrame;
  if ((IGNORED_TYPES as readonly string[]).includes(type)) return raw as ClaudeFrame;
  if (!Object.hasOwn(SCHEMAS, type)) return undefined;
  const result = SCHEMAS[type as keyof typeof SCHEMAS].safeParse(raw);
  return result.success ? result.data : undefined;
}

function isDelta(raw: object): boolean {
  const { event } = raw as { event?: { type?: unknown; index?: unknown; delta?: Record<string, unknown> } };
  if (event?.type !== "content_block_delta" || typeof event.index !== "number") return false;
  const { delta } = event;
  if (typeof delta !== "object" || delta === null) return false;
  if (delta.type === "text_delta") return typeof delta.text === "string";
  if (delta.type === "input_json_delta") return typeof delta.partial_json === "string";
  return delta.type === "thinking_delta" && typeof delta.thinking === "string";
}

/** The name of a line's kind as drift reports use it: type, and what tells apart lines of that type. */
export function frameKind(raw: unknown): string {
  if (typeof raw !== "object" || raw === null) return typeof raw;
  const { type, subtype, event, request, response } = raw as Record<string, unknown>;
  const detail = subtype ?? property(event, "type") ?? property(request, "subtype") ?? property(response, "subtype");
  return detail === undefined ? String(type) : `${String(type)}/${String(detail)}`;
}

function property(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
