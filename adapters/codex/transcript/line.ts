import { z } from "zod";
import { isRecord } from "../../shared/is-record.js";
import { isKnownItem } from "./item.js";

/** What is read of the lines of a rollout. Every object is open: the rest is kept and ignored. */

const text = z.string();
const count = z.number();

const Totals = z.looseObject({
  input_tokens: count,
  cached_input_tokens: count,
  cache_write_input_tokens: count.nullish(),
  output_tokens: count,
  reasoning_output_tokens: count,
  total_tokens: count,
});
export type RolloutTotals = z.infer<typeof Totals>;

const Sandbox = z.looseObject({ type: text });

const LINES = {
  session_meta: z.looseObject({
    id: text,
    parent_thread_id: text.nullish(),
    forked_from_id: text.nullish(),
    cwd: text.nullish(),
    cli_version: text.nullish(),
    originator: text.nullish(),
    model_provider: text.nullish(),
    agent_nickname: text.nullish(),
    subagent_history_start_ordinal: count.nullish(),
  }),
  turn_context: z.looseObject({
    model: text.nullish(),
    effort: text.nullish(),
    approval_policy: z.unknown().optional(),
    sandbox_policy: Sandbox.nullish(),
  }),
} as const;

const ErrorInfo = z.union([text, z.record(text, z.unknown())]);

const EVENTS = {
  task_started: z.looseObject({ turn_id: text, collaboration_mode_kind: text.nullish() }),
  task_complete: z.looseObject({
    turn_id: text,
    error: z.looseObject({ message: text, codex_error_info: ErrorInfo.nullish() }).nullish(),
  }),
  turn_aborted: z.looseObject({ turn_id: text.nullish(), reason: text.nullish() }),
  token_count: z.looseObject({
    info: z
      .looseObject({ total_token_usage: Totals, last_token_usage: Totals, model_context_window: count.nullish() })
      .nullish(),
    rate_limits: z.record(text, z.unknown()).nullish(),
  }),
  thread_settings_applied: z.looseObject({
    thread_settings: z.looseObject({ model: text.nullish(), model_provider_id: text.nullish() }),
  }),
  item_completed: z.looseObject({
    turn_id: text,
    item: z.looseObject({ type: text, id: text }),
    started_at_ms: count.nullish(),
  }),
  // What stands in place of items where the history is not in pages.
  user_message: z.looseObject({
    message: text,
    images: z.array(text).nullish(),
    local_images: z.array(text).nullish(),
  }),
  agent_message: z.looseObject({ message: text, phase: text.nullish() }),
  agent_reasoning: z.looseObject({ text }),
  agent_reasoning_raw_content: z.looseObject({ text }),
  patch_apply_end: z.looseObject({
    call_id: text,
    changes: z.record(text, z.unknown()),
    status: text.nullish(),
    success: z.boolean().nullish(),
  }),
  context_compacted: z.looseObject({}),
} as const;

/** Items as the model and the CLI exchange them. */
const RESPONSE_ITEMS = {
  function_call: z.looseObject({ call_id: text, name: text, namespace: text.nullish(), arguments: text }),
  custom_tool_call: z.looseObject({ call_id: text, name: text, input: text }),
  function_call_output: z.looseObject({ call_id: text, output: z.unknown() }),
  custom_tool_call_output: z.looseObject({ call_id: text, output: z.unknown() }),
  image_generation_call: z.looseObject({ id: text, revised_prompt: text.nullish(), result: text.nullish() }),
} as const;

type Lines = typeof LINES;
type Events = typeof EVENTS;
type ResponseItems = typeof RESPONSE_ITEMS;
export type LineOf<K extends keyof Lines> = z.infer<Lines[K]>;
export type EventOf<K extends keyof Events> = z.infer<Events[K]>;
export type ResponseItemOf<K extends keyof ResponseItems> = z.infer<ResponseItems[K]>;

export type RolloutLine =
  | { [K in keyof Lines]: { kind: K; payload: LineOf<K> } }[keyof Lines]
  | { [K in keyof Events]: { kind: K; payload: EventOf<K> } }[keyof Events]
  | { [K in keyof ResponseItems]: { kind: K; payload: ResponseItemOf<K> } }[keyof ResponseItems];

/** What the CLI keeps for itself, or what another line tells better. Named, so that a new kind shows as unknown. */
const IGNORED = new Set([
  "compacted",
  "inter_agent_communication_metadata",
  "retained_context",
  "token_usage_record",
  "world_state",
  "event_msg/mcp_tool_call_end",
  "event_msg/sub_agent_activity",
  "event_msg/view_image_tool_call",
  "event_msg/web_search_end",
  "response_item/additional_tools",
  "response_item/agent_message",
  "response_item/message",
  "response_item/reasoning",
  "response_item/tool_search_call",
  "response_item/tool_search_output",
  "response_item/web_search_call",
]);

/** `undefined` is a kind that is not known or malformed. */
export function readLine(raw: unknown): RolloutLine | "ignored" | undefined {
  if (!isRecord(raw) || !isRecord(raw.payload) || typeof raw.type !== "string") return undefined;
  const { type, payload } = raw;
  if (IGNORED.has(type) || IGNORED.has(lineKind(raw))) return "ignored";
  if (isUnknownItem(payload)) return undefined;
  if (type === "event_msg") return readPayload(EVENTS, payload.type, payload);
  if (type === "response_item") return readPayload(RESPONSE_ITEMS, payload.type, payload);
  return readPayload(LINES, type, payload);
}

function isUnknownItem({ type, item }: Record<string, unknown>): boolean {
  return type === "item_completed" && isRecord(item) && !isKnownItem(String(item.type));
}

function readPayload(
  schemas: Readonly<Record<string, z.ZodType>>,
  kind: unknown,
  payload: Record<string, unknown>,
): RolloutLine | undefined {
  const schema = typeof kind === "string" && Object.hasOwn(schemas, kind) ? schemas[kind] : undefined;
  const parsed = schema?.safeParse(payload);
  return parsed?.success ? ({ kind, payload: parsed.data } as RolloutLine) : undefined;
}

/** The name of a line's kind as reports of unknown ones use it. */
export function lineKind(raw: unknown): string {
  if (!isRecord(raw)) return typeof raw;
  const { type, payload } = raw;
  if (!isRecord(payload) || (type !== "event_msg" && type !== "response_item")) return String(type);
  const item = payload.type === "item_completed" && isRecord(payload.item) ? [payload.item.type] : [];
  return [type, payload.type, ...item].join("/");
}
