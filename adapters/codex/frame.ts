import { z } from "zod";
import { isRecord } from "../shared/is-record.js";
import {
  parseRequest,
  type RefusedFrame,
  type RequestFrame as RpcRequestFrame,
  rpcIdOf,
  rpcTokenOf,
} from "../shared/json-rpc.js";
import type { ServerNotifications, ServerRequests } from "./native-types.js";
import { UNREAD_NOTIFICATIONS } from "./notifications.js";
import { reads } from "./reads.js";

/** What this adapter reads of the app-server's protocol. Every object is open: unknown fields are kept and ignored. */

const text = z.string();
const list = z.array(z.unknown());
const ofTurn = { threadId: text, turnId: text };
const ofItem = { ...ofTurn, itemId: text };
const delta = z.looseObject({ ...ofItem, delta: text });

export const TurnError = z.looseObject({
  message: text,
  codexErrorInfo: z.union([text, z.record(text, z.unknown())]).nullish(),
  additionalDetails: text.nullish(),
});
export type TurnError = z.infer<typeof TurnError>;

const Turn = z.looseObject({
  id: text,
  rootTurnId: text.nullish(),
  status: text.nullish(),
  error: TurnError.nullish(),
});
export type Turn = z.infer<typeof Turn>;

export const Thread = z.looseObject({
  id: text,
  parentThreadId: text.nullish(),
  forkedFromId: text.nullish(),
  cliVersion: text.nullish(),
});

const ThreadItem = z.looseObject({ type: text, id: text });
export type ThreadItem = z.infer<typeof ThreadItem>;

const FileUpdateChange = z.looseObject({
  path: text,
  kind: z.looseObject({ type: text, move_path: text.nullish() }),
  diff: text,
});
export type FileUpdateChange = z.infer<typeof FileUpdateChange>;

export const TokenTotals = z.looseObject({
  totalTokens: z.number(),
  inputTokens: z.number(),
  cachedInputTokens: z.number(),
  cacheWriteInputTokens: z.number().nullish(),
  outputTokens: z.number(),
  reasoningOutputTokens: z.number(),
});
export type TokenTotals = z.infer<typeof TokenTotals>;

const settings = {
  model: text.nullish(),
  modelProvider: text.nullish(),
  approvalPolicy: z.unknown().optional(),
};

const NOTIFICATIONS = reads<ServerNotifications>()({
  error: z.looseObject({ ...ofTurn, error: TurnError, willRetry: z.boolean() }),
  "thread/started": z.looseObject({ thread: Thread }),
  "thread/name/updated": z.looseObject({ threadId: text, threadName: text.nullish() }),
  "thread/settings/updated": z.looseObject({
    threadId: text,
    threadSettings: z.looseObject({ ...settings, sandboxPolicy: z.looseObject({ type: text }).nullish() }),
  }),
  "thread/tokenUsage/updated": z.looseObject({
    ...ofTurn,
    tokenUsage: z.looseObject({ total: TokenTotals, last: TokenTotals, modelContextWindow: z.number().nullish() }),
  }),
  "model/rerouted": z.looseObject({ ...ofTurn, toModel: text }),
  "account/rateLimits/updated": z.looseObject({ rateLimits: z.record(text, z.unknown()) }),
  "turn/started": z.looseObject({ threadId: text, turn: Turn }),
  "turn/completed": z.looseObject({ threadId: text, turn: Turn }),
  "turn/diff/updated": z.looseObject({ ...ofTurn, diff: text }),
  "turn/plan/updated": z.looseObject({ ...ofTurn, plan: z.array(z.looseObject({ step: text, status: text })) }),
  "item/started": z.looseObject({ ...ofTurn, item: ThreadItem }),
  "item/completed": z.looseObject({ ...ofTurn, item: ThreadItem }),
  "item/agentMessage/delta": delta,
  "item/plan/delta": delta,
  "item/commandExecution/outputDelta": delta,
  "item/reasoning/summaryPartAdded": z.looseObject({ ...ofItem, summaryIndex: z.number() }),
  "item/reasoning/summaryTextDelta": z.looseObject({ ...ofItem, delta: text, summaryIndex: z.number() }),
  "item/reasoning/textDelta": z.looseObject({ ...ofItem, delta: text, contentIndex: z.number() }),
  "item/fileChange/patchUpdated": z.looseObject({ ...ofItem, changes: z.array(FileUpdateChange) }),
  "item/mcpToolCall/progress": z.looseObject({ ...ofItem, message: text }),
  "item/autoApprovalReview/completed": z.looseObject({
    ...ofTurn,
    targetItemId: text.nullish(),
    review: z.looseObject({ status: text, rationale: text.nullish() }),
  }),
  "serverRequest/resolved": z.looseObject({ threadId: text, requestId: z.union([text, z.number()]) }),
});

const REQUESTS = reads<ServerRequests>()({
  "item/commandExecution/requestApproval": z.looseObject({
    ...ofItem,
    kind: text.nullish(),
    approvalId: text.nullish(),
    reason: text.nullish(),
    command: text.nullish(),
    cwd: text.nullish(),
    networkApprovalContext: z.looseObject({ host: text.nullish() }).nullish(),
    proposedExecpolicyAmendment: list.nullish(),
    availableDecisions: list.nullish(),
  }),
  "item/fileChange/requestApproval": z.looseObject({ ...ofItem, reason: text.nullish(), grantRoot: text.nullish() }),
  "item/permissions/requestApproval": z.looseObject({
    ...ofItem,
    reason: text.nullish(),
    permissions: z.record(text, z.unknown()),
  }),
  "item/tool/requestUserInput": z.looseObject({
    ...ofItem,
    questions: z.array(
      z.looseObject({
        id: text,
        header: text.nullish(),
        question: text,
        isOther: z.boolean().nullish(),
        isSecret: z.boolean().nullish(),
        options: z.array(z.looseObject({ label: text, description: text.nullish() })).nullish(),
      }),
    ),
  }),
  "mcpServer/elicitation/request": z.looseObject({
    threadId: text,
    turnId: text.nullish(),
    serverName: text,
    mode: text,
    message: text.nullish(),
    url: text.nullish(),
    requestedSchema: z.unknown().optional(),
    _meta: z.unknown().optional(),
  }),
  "item/tool/call": z.looseObject({
    threadId: text,
    turnId: text.nullish(),
    callId: text,
    namespace: text.nullish(),
    tool: text,
    arguments: z.unknown().optional(),
  }),
});

type Notifications = typeof NOTIFICATIONS;
type Requests = typeof REQUESTS;
/** Every method of the app-server that has a meaning here. */
export const READ_METHODS: ReadonlySet<string> = new Set([...Object.keys(NOTIFICATIONS), ...Object.keys(REQUESTS)]);
/** Requests that are answered with an error: of other ways to sign in, and of older versions. */
export const REFUSED_METHODS: ReadonlySet<string> = new Set([
  "account/chatgptAuthTokens/refresh",
  "applyPatchApproval",
  "attestation/generate",
  "execCommandApproval",
]);

export type NotificationMethod = keyof Notifications;
export type RequestMethod = keyof Requests;
export type NotificationParams<M extends NotificationMethod> = z.infer<Notifications[M]>;
export type RequestParams<M extends RequestMethod> = z.infer<Requests[M]>;

export type NotificationFrame = {
  [M in NotificationMethod]: { kind: "notification"; method: M; params: NotificationParams<M> };
}[NotificationMethod];
export type RequestFrame = RpcRequestFrame<Requests>;

export interface ResponseFrame {
  kind: "response";
  /** The id we gave; in a recording that of whoever asked. */
  id: string | number;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown } | undefined;
}

export type CodexFrame =
  | NotificationFrame
  | RequestFrame
  | ResponseFrame
  | RefusedFrame
  | { kind: "unread"; method: string };

const RpcError = z.looseObject({ code: z.number(), message: text, data: z.unknown().optional() });

export function parseFrame(raw: unknown): CodexFrame | undefined {
  if (!isRecord(raw)) return undefined;
  const { method, params } = raw;
  const id = rpcIdOf(raw.id);
  const token = rpcTokenOf(raw);
  if (typeof method !== "string") return id === undefined ? undefined : parseResponse(id, raw);
  return token === undefined ? parseNotification(method, params) : parseRequest(REQUESTS, token, method, params);
}

function parseResponse(id: string | number, raw: Record<string, unknown>): ResponseFrame | undefined {
  if ("result" in raw) return { kind: "response", id, result: raw.result };
  const error = RpcError.safeParse(raw.error);
  return error.success ? { kind: "response", id, error: error.data } : undefined;
}

function parseNotification(method: string, params: unknown): CodexFrame | undefined {
  if (!Object.hasOwn(NOTIFICATIONS, method)) {
    return UNREAD_NOTIFICATIONS.has(method) ? { kind: "unread", method } : undefined;
  }
  const parsed = NOTIFICATIONS[method as NotificationMethod].safeParse(params);
  return parsed.success ? ({ kind: "notification", method, params: parsed.data } as NotificationFrame) : undefined;
}

/** A short name of a frame's kind. */
export function frameKind(raw: unknown): string {
  if (!isRecord(raw)) return typeof raw;
  if (typeof raw.method !== "string") return "id" in raw ? "response" : "?";
  return raw.method;
}
