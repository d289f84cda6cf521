import { z } from "zod";
import { isRecord } from "../../shared/is-record.js";

/** What is read of the lines that `codex exec --json` prints. Every object is open: the rest is kept and ignored. */

const text = z.string();
const count = z.number();
const status = text.nullish();

const Usage = z.looseObject({
  input_tokens: count,
  cached_input_tokens: count,
  cache_write_input_tokens: count.nullish(),
  output_tokens: count,
  reasoning_output_tokens: count.nullish(),
});
export type ExecUsage = z.infer<typeof Usage>;

const ITEMS = {
  agent_message: z.looseObject({ id: text, text }),
  reasoning: z.looseObject({ id: text, text }),
  command_execution: z.looseObject({
    id: text,
    command: text,
    aggregated_output: text.nullish(),
    exit_code: count.nullish(),
    status,
  }),
  file_change: z.looseObject({ id: text, changes: z.array(z.looseObject({ path: text, kind: text })), status }),
  mcp_tool_call: z.looseObject({
    id: text,
    server: text,
    tool: text,
    arguments: z.unknown().optional(),
    result: z.record(text, z.unknown()).nullish(),
    error: z.looseObject({ message: text }).nullish(),
    status,
  }),
  collab_tool_call: z.looseObject({
    id: text,
    tool: text,
    prompt: text.nullish(),
    receiver_thread_ids: z.array(text).nullish(),
    agents_states: z.record(text, z.unknown()).nullish(),
    status,
  }),
  web_search: z.looseObject({ id: text, query: text.nullish(), action: z.record(text, z.unknown()).nullish() }),
  todo_list: z.looseObject({ id: text, items: z.array(z.looseObject({ text, completed: z.boolean() })) }),
  /** A warning: it ends nothing. */
  error: z.looseObject({ id: text, message: text }),
} as const;

type Items = typeof ITEMS;
export type ExecItem = { [K in keyof Items]: { type: K } & z.infer<Items[K]> }[keyof Items];
export type ExecItemOf<K extends keyof Items> = Extract<ExecItem, { type: K }>;

const LINES = {
  "thread.started": z.looseObject({ thread_id: text }),
  "turn.started": z.looseObject({}),
  "turn.completed": z.looseObject({ usage: Usage.nullish() }),
  "turn.failed": z.looseObject({ error: z.looseObject({ message: text }) }),
  error: z.looseObject({ message: text }),
} as const;

type Lines = typeof LINES;
type ItemMoment = "item.started" | "item.updated" | "item.completed";
export type ExecLine =
  | { [K in keyof Lines]: { type: K } & z.infer<Lines[K]> }[keyof Lines]
  | { type: ItemMoment; item: ExecItem };

const MOMENTS: ReadonlySet<string> = new Set<ItemMoment>(["item.started", "item.updated", "item.completed"]);

/** `undefined` is a kind that is not known or malformed. */
export function readExecLine(raw: unknown): ExecLine | undefined {
  if (!isRecord(raw) || typeof raw.type !== "string") return undefined;
  const { type } = raw;
  if (MOMENTS.has(type)) {
    const item = isRecord(raw.item) ? parse(ITEMS, raw.item.type, raw.item) : undefined;
    return item && ({ type, item } as ExecLine);
  }
  return parse(LINES, type, raw) as ExecLine | undefined;
}

function parse(
  schemas: Readonly<Record<string, z.ZodType>>,
  type: unknown,
  raw: Record<string, unknown>,
): Record<string, unknown> | undefined {
  if (typeof type !== "string" || !Object.hasOwn(schemas, type)) return undefined;
  return schemas[type]?.safeParse(raw).data as Record<string, unknown> | undefined;
}

/** The name of a line's kind as reports of unknown ones use it. */
export function execLineKind(raw: unknown): string {
  if (!isRecord(raw)) return typeof raw;
  return isRecord(raw.item) ? `${String(raw.type)}/${String(raw.item.type)}` : String(raw.type);
}
