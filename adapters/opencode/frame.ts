import { z } from "zod";
import { isRecord } from "../shared/is-record.js";
import { isUnreadEvent } from "./unread-events.js";

/** What is read of the server's events and answers. Everything keeps what it does not know. */

const text = z.string();
const record = z.record(text, z.unknown());
const count = z.number().catch(0);

const NativeTokens = z.looseObject({
  input: count,
  output: count,
  reasoning: count,
  cache: z.looseObject({ read: count, write: count }).catch({ read: 0, write: 0 }),
});
export type NativeTokens = z.infer<typeof NativeTokens>;

const NativeError = z.looseObject({ name: text, data: record.catch({}) });
export type NativeError = z.infer<typeof NativeError>;

const Span = z.looseObject({ start: z.number().optional(), end: z.number().optional() });

const NativeDiff = z.looseObject({
  file: text.optional(),
  patch: text.optional(),
  additions: count,
  deletions: count,
  status: text.optional(),
});
export type NativeDiff = z.infer<typeof NativeDiff>;

export const NativeSession = z.looseObject({
  id: text,
  parentID: text.nullish(),
  title: text.optional(),
  agent: text.nullish(),
  version: text.optional(),
  summary: z
    .looseObject({ additions: count, deletions: count, files: count, diffs: z.array(NativeDiff).nullish() })
    .nullish(),
  share: z.looseObject({ url: text }).nullish(),
  revert: record.nullish(),
});
export type NativeSession = z.infer<typeof NativeSession>;

const UserInfo = z.looseObject({
  id: text,
  sessionID: text,
  role: z.literal("user"),
  summary: z
    .looseObject({ title: text.optional(), body: text.optional(), diffs: z.array(NativeDiff).catch([]) })
    .nullish()
    .catch(null),
});
export type UserInfo = z.infer<typeof UserInfo>;

const AssistantInfo = z.looseObject({
  id: text,
  sessionID: text,
  role: z.literal("assistant"),
  parentID: text,
  modelID: text,
  providerID: text,
  agent: text.optional(),
  mode: text.optional(),
  variant: text.nullish(),
  summary: z.boolean().nullish().catch(null),
  cost: count,
  tokens: NativeTokens.optional(),
  finish: text.nullish(),
  error: NativeError.nullish(),
  time: z.looseObject({ completed: z.number().optional() }),
});
export type AssistantInfo = z.infer<typeof AssistantInfo>;

export const NativeInfo = z.discriminatedUnion("role", [UserInfo, AssistantInfo]);
export type NativeInfo = z.infer<typeof NativeInfo>;

const partBase = { id: text, sessionID: text, messageID: text };
const NativeFile = z.looseObject({ mime: text, url: text, filename: text.nullish(), source: z.unknown().optional() });
export type NativeFile = z.infer<typeof NativeFile>;

const NativeToolState = z.looseObject({
  status: z.enum(["pending", "running", "completed", "error"]),
  input: record.catch({}),
  output: text.optional(),
  error: text.optional(),
  title: text.nullish(),
  metadata: record.nullish(),
  attachments: z.array(NativeFile).nullish().catch(null),
});
export type NativeToolState = z.infer<typeof NativeToolState>;

const textPart = <const T extends string>(type: T) =>
  z.looseObject({
    ...partBase,
    type: z.literal(type),
    text,
    synthetic: z.boolean().nullish(),
    ignored: z.boolean().nullish(),
    metadata: record.nullish(),
    time: Span.nullish(),
  });

export const NativePart = z.discriminatedUnion("type", [
  textPart("text"),
  textPart("reasoning"),
  z.looseObject({ ...partBase, type: z.literal("tool"), tool: text, callID: text, state: NativeToolState }),
  z.looseObject({ ...partBase, type: z.literal("step-start"), snapshot: text.nullish() }),
  z.looseObject({
    ...partBase,
    type: z.literal("step-finish"),
    reason: text.optional(),
    snapshot: text.nullish(),
    cost: count,
    tokens: NativeTokens,
  }),
  z.looseObject({
    ...partBase,
    type: z.literal("compaction"),
    auto: z.boolean().catch(false),
    overflow: z.boolean().nullish(),
  }),
  z.looseObject({ ...partBase, type: z.literal("patch"), hash: text, files: z.array(text) }),
  z.looseObject({ ...partBase, type: z.literal("snapshot"), snapshot: text }),
  z.looseObject({ ...partBase, type: z.literal("agent"), name: text }),
  z.looseObject({
    ...partBase,
    type: z.literal("subtask"),
    prompt: text,
    description: text,
    agent: text,
    command: text.nullish(),
  }),
  z.looseObject({ ...partBase, type: z.literal("file"), ...NativeFile.shape }),
  z.looseObject({ ...partBase, type: z.literal("retry"), attempt: z.number().int(), error: NativeError }),
]);
export type NativePart = z.infer<typeof NativePart>;
export type NativePartOf<T extends NativePart["type"]> = Extract<NativePart, { type: T }>;

const ToolPlace = z.looseObject({ messageID: text, callID: text });
export type ToolPlace = z.infer<typeof ToolPlace>;

export const PermissionRequest = z.looseObject({
  id: text,
  sessionID: text,
  permission: text,
  patterns: z.array(text).catch([]),
  always: z.array(text).catch([]),
  metadata: record.catch({}),
  tool: ToolPlace.nullish(),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

const NativeQuestion = z.looseObject({
  question: text,
  header: text.catch(""),
  options: z.array(z.looseObject({ label: text, description: text.catch("") })).catch([]),
  multiple: z.boolean().nullish(),
  custom: z.boolean().nullish(),
});
export type NativeQuestion = z.infer<typeof NativeQuestion>;

export const QuestionRequest = z.looseObject({
  id: text,
  sessionID: text,
  questions: z.array(NativeQuestion),
  tool: ToolPlace.nullish(),
});
export type QuestionRequest = z.infer<typeof QuestionRequest>;

export const NativeStatus = z.looseObject({
  type: text,
  attempt: z.number().int().optional(),
  message: text.optional(),
  next: z.number().optional(),
});
export type NativeStatus = z.infer<typeof NativeStatus>;

const ofSession = { sessionID: text };
const NativeTodo = z.looseObject({ content: text, status: text.catch(""), priority: text.catch("") });
export type NativeTodo = z.infer<typeof NativeTodo>;

const EVENTS = {
  "session.created": z.looseObject({ info: NativeSession }),
  "session.updated": z.looseObject({ info: NativeSession }),
  "session.status": z.looseObject({ ...ofSession, status: NativeStatus }),
  "session.error": z.looseObject({ sessionID: text.nullish(), error: NativeError.nullish() }),
  "session.compacted": z.looseObject(ofSession),
  "session.diff": z.looseObject({ ...ofSession, diff: z.array(NativeDiff).catch([]) }),
  "message.updated": z.looseObject({ info: NativeInfo }),
  "message.part.updated": z.looseObject({ part: NativePart }),
  "message.part.delta": z.looseObject({ ...ofSession, messageID: text, partID: text, field: text, delta: text }),
  "permission.asked": PermissionRequest,
  "permission.replied": z.looseObject({ ...ofSession, requestID: text, reply: text }),
  "question.asked": QuestionRequest,
  "question.replied": z.looseObject({ ...ofSession, requestID: text, answers: z.array(z.array(text)).catch([]) }),
  "question.rejected": z.looseObject({ ...ofSession, requestID: text }),
  "todo.updated": z.looseObject({ ...ofSession, todos: z.array(NativeTodo) }),
  "file.edited": z.looseObject({ file: text }),
} as const satisfies Record<string, z.ZodType>;

/** The types of events that are read. */
export const READ_EVENTS = Object.keys(EVENTS);

type Events = typeof EVENTS;
export type EventType = keyof Events;
export type PropertiesOf<T extends EventType> = z.infer<Events[T]>;
export type EventFrame = { [T in EventType]: { kind: "event"; type: T; properties: PropertiesOf<T> } }[EventType];

export type AnswerFrame =
  | { kind: "answer"; token: string; status: number; body: unknown }
  /** The request was lost on its way, or its answer was. */
  | { kind: "failure"; token: string; failure: string };

export type OpencodeFrame =
  | EventFrame
  | AnswerFrame
  /** The server is there; `again` after a break of the stream. */
  | { kind: "stream"; again: boolean }
  | { kind: "unread"; type: string };

export function parseFrame(raw: unknown): OpencodeFrame | undefined {
  if (!isRecord(raw)) return undefined;
  if (raw.stream === "open" || raw.stream === "reopened") return { kind: "stream", again: raw.stream === "reopened" };
  if (typeof raw.token === "string") return parseAnswer(raw.token, raw);
  return typeof raw.type === "string" ? parseEvent(raw.type, raw.properties) : undefined;
}

function parseAnswer(token: string, raw: Record<string, unknown>): AnswerFrame | undefined {
  const { status, body = null, failure } = raw;
  if (typeof failure === "string") return { kind: "failure", token, failure };
  return typeof status === "number" ? { kind: "answer", token, status, body } : undefined;
}

function parseEvent(type: string, properties: unknown): OpencodeFrame | undefined {
  if (!Object.hasOwn(EVENTS, type)) return isUnreadEvent(type) ? { kind: "unread", type } : undefined;
  const parsed = EVENTS[type as EventType].safeParse(properties);
  return parsed.success ? ({ kind: "event", type, properties: parsed.data } as EventFrame) : undefined;
}

/** A short name of a frame's kind. */
export function frameKind(raw: unknown): string {
  if (!isRecord(raw)) return typeof raw;
  if (typeof raw.type !== "string") return "token" in raw ? "answer" : "?";
  const part = isRecord(raw.properties) && isRecord(raw.properties.part) ? ` ${String(raw.properties.part.type)}` : "";
  return `${raw.type}${part}`;
}

/** Deltas of one part that were read together are one. */
export function joinFrames(earlier: OpencodeFrame, later: OpencodeFrame): OpencodeFrame | undefined {
  if (earlier.kind !== "event" || earlier.type !== "message.part.delta") return undefined;
  if (later.kind !== "event" || later.type !== "message.part.delta") return undefined;
  const { partID, field, delta } = earlier.properties;
  if (later.properties.partID !== partID || later.properties.field !== field) return undefined;
  return { ...later, properties: { ...later.properties, delta: delta + later.properties.delta } };
}
