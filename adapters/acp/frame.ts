import { z } from "zod";
import { tokenOf } from "../contract.js";
import { isRecord } from "../shared/is-record.js";
import {
  parseRequest,
  type RefusedFrame,
  type RequestFrame as RpcRequestFrame,
  rpcIdOf,
  rpcTokenOf,
} from "../shared/json-rpc.js";

/**
 * What this adapter reads of the protocol. An odd field counts as one that is missing, an unknown one is kept: no message
 * is dropped for what one vendor has put into it.
 */

const text = z.string();
const maybeText = text.nullish().catch(undefined);
const maybeNumber = z.number().nullish().catch(undefined);
const maybeList = z.array(z.unknown()).nullish().catch(undefined);
const maybeRecord = z.record(text, z.unknown()).nullish().catch(undefined);
const meta = { _meta: maybeRecord };

const Chunk = z.looseObject({ content: z.unknown(), messageId: maybeText, ...meta });
export type Chunk = z.infer<typeof Chunk>;

export const ToolCallFields = z.looseObject({
  toolCallId: text,
  title: maybeText,
  name: maybeText,
  kind: maybeText,
  status: maybeText,
  content: maybeList,
  locations: maybeList,
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  ...meta,
});
export type ToolCallFields = z.infer<typeof ToolCallFields>;

const SessionMessage = z.looseObject({
  messageId: text,
  senderSessionId: maybeText,
  recipientSessionId: maybeText,
  content: maybeList,
});

const UPDATES = {
  user_message_chunk: Chunk,
  agent_message_chunk: Chunk,
  agent_thought_chunk: Chunk,
  tool_call: ToolCallFields,
  tool_call_update: ToolCallFields,
  plan: z.looseObject({ entries: maybeList }),
  plan_update: z.looseObject({ plan: maybeRecord }),
  plan_removed: z.looseObject({}),
  available_commands_update: z.looseObject({ availableCommands: maybeList }),
  current_mode_update: z.looseObject({ currentModeId: text }),
  config_option_update: z.looseObject({ configOptions: maybeList }),
  session_info_update: z.looseObject({ title: maybeText }),
  usage_update: z.looseObject({ used: maybeNumber, size: maybeNumber, cost: maybeRecord, ...meta }),
  notice: z.looseObject({ severity: maybeText, title: maybeText, description: maybeText }),
  compaction_update: z.looseObject({ compactionId: text, status: maybeText, summary: maybeList, error: maybeText }),
  compaction_summary_chunk: z.looseObject({ compactionId: text, content: z.unknown() }),
  subagent_update: z.looseObject({
    sessionId: text,
    title: maybeText,
    description: maybeText,
    capabilities: maybeRecord,
    state: maybeRecord,
  }),
  session_message: SessionMessage,
  session_message_chunk: z.looseObject({ messageId: text, content: z.unknown() }),
} as const;

type Updates = typeof UPDATES;
export type UpdateKind = keyof Updates;
export type UpdateOf<K extends UpdateKind> = z.infer<Updates[K]>;
export type Update = { [K in UpdateKind]: { kind: K; fields: UpdateOf<K> } }[UpdateKind];

const REQUESTS = {
  "session/request_permission": z.looseObject({
    sessionId: text,
    toolCall: ToolCallFields,
    options: z
      .array(z.looseObject({ optionId: text, name: maybeText, kind: maybeText }))
      .nullish()
      .catch(undefined),
  }),
  "elicitation/create": z.looseObject({
    sessionId: maybeText,
    toolCallId: maybeText,
    mode: maybeText,
    message: maybeText,
    url: maybeText,
    elicitationId: maybeText,
    requestedSchema: z.unknown().optional(),
  }),
} as const;

type Requests = typeof REQUESTS;
export type RequestMethod = keyof Requests;
export type RequestParams<M extends RequestMethod> = z.infer<Requests[M]>;
export type RequestFrame = RpcRequestFrame<Requests>;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface ResponseFrame {
  kind: "response";
  /** The id we gave; in a recording that of whoever asked. */
  id: string | number;
  result?: unknown;
  error?: RpcError | undefined;
}

export interface UpdateFrame {
  kind: "update";
  sessionID: string;
  update: Update;
}

export type AcpFrame =
  | UpdateFrame
  | RequestFrame
  | ResponseFrame
  | RefusedFrame
  /** The agent does not wait for the answer to this request any more. */
  | { kind: "withdrawn"; token: string }
  /** The person has done what a URL asked for. */
  | { kind: "elicitationComplete"; elicitationID: string }
  /** A notification of the vendor. */
  | { kind: "notification"; method: string };

const ErrorObject = z.looseObject({
  code: z.number().catch(-32603),
  message: text.catch(""),
  data: z.unknown().optional(),
});
const UpdateParams = z.looseObject({ sessionId: text, update: z.looseObject({ sessionUpdate: text }) });

export function parseFrame(raw: unknown, known: (method: string) => boolean): AcpFrame | undefined {
  if (!isRecord(raw)) return undefined;
  const { method, params } = raw;
  const id = rpcIdOf(raw.id);
  const token = rpcTokenOf(raw);
  if (typeof method !== "string") return id === undefined ? undefined : parseResponse(id, raw);
  return token === undefined ? parseNotification(method, params, known) : parseRequest(REQUESTS, token, method, params);
}

/** A result may be anything, also null: the answer to `session/load` often is. */
function parseResponse(id: string | number, raw: Record<string, unknown>): ResponseFrame | undefined {
  if (isRecord(raw.error)) return { kind: "response", id, error: ErrorObject.parse(raw.error) };
  return "result" in raw ? { kind: "response", id, result: raw.result } : undefined;
}

function parseNotification(method: string, params: unknown, known: (method: string) => boolean): AcpFrame | undefined {
  const fields = isRecord(params) ? params : {};
  switch (method) {
    case "session/update":
      return parseUpdate(fields);
    case "$/cancel_request": {
      const id = rpcIdOf(fields.requestId);
      return id === undefined ? undefined : { kind: "withdrawn", token: tokenOf(id) };
    }
    case "elicitation/complete":
      return { kind: "elicitationComplete", elicitationID: String(fields.elicitationId ?? "") };
    default:
      return known(method) ? { kind: "notification", method } : undefined;
  }
}

function parseUpdate(params: Record<string, unknown>): UpdateFrame | undefined {
  const parsed = UpdateParams.safeParse(params);
  if (!parsed.success) return undefined;
  const { sessionId: sessionID, update } = parsed.data;
  const kind = update.sessionUpdate;
  if (!Object.hasOwn(UPDATES, kind)) return undefined;
  const fields = UPDATES[kind as UpdateKind].safeParse(update);
  return fields.success ? { kind: "update", sessionID, update: { kind, fields: fields.data } as Update } : undefined;
}

/** A short name of a frame's kind. */
export function frameKind(raw: unknown): string {
  if (!isRecord(raw)) return typeof raw;
  if (typeof raw.method !== "string") return "id" in raw ? "response" : "?";
  const update = isRecord(raw.params) && isRecord(raw.params.update) ? raw.params.update.sessionUpdate : undefined;
  return typeof update === "string" ? `${raw.method}:${update}` : raw.method;
}
