import type { z } from "zod";
import { type Command, tokenOf } from "../contract.js";
import { isRecord } from "./is-record.js";

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;

export function rpcIdOf(id: unknown): string | number | undefined {
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** Frames come with a token in place of a request's id; a recording that was made elsewhere shows the ids themselves. */
export function rpcTokenOf({ id, token }: Record<string, unknown>): string | undefined {
  const told = rpcIdOf(id);
  return typeof token === "string" ? token : told === undefined ? undefined : tokenOf(told);
}

type Schemas = Readonly<Record<string, z.ZodType>>;

/** A request of the agent, as the schema of its method reads it. */
export type RequestFrame<Requests extends Schemas> = {
  [M in keyof Requests]: { kind: "request"; token: string; method: M; params: z.infer<Requests[M]> };
}[keyof Requests];

/** A request that has no meaning here: it is answered with an error, for the agent waits without a limit. */
export interface RefusedFrame {
  kind: "refused";
  token: string;
  code: number;
  message: string;
}

export function parseRequest<Requests extends Schemas>(
  requests: Requests,
  token: string,
  method: string,
  params: unknown,
): RequestFrame<Requests> | RefusedFrame {
  const schema = Object.hasOwn(requests, method) ? requests[method] : undefined;
  if (!schema)
    return { kind: "refused", token, code: METHOD_NOT_FOUND, message: `agentwire does not answer ${method}` };
  const parsed = schema.safeParse(params);
  if (parsed.success) return { kind: "request", token, method, params: parsed.data } as RequestFrame<Requests>;
  return { kind: "refused", token, code: INVALID_PARAMS, message: `agentwire cannot read these params of ${method}` };
}

export type Reply = Extract<Command, { type: "reply" }>;

interface OpenAsk {
  readonly token: string;
  readonly blockID: string;
}

/** What a recording shows was answered to a request of the agent, as the reply it came from. */
export function observeReply<Ask extends OpenAsk>(
  asks: Readonly<Record<string, Ask>>,
  sent: Record<string, unknown>,
  verdictOf: (ask: Ask, result: Record<string, unknown>) => Partial<Reply>,
): Command | undefined {
  const id = rpcIdOf(sent.id);
  const ask = id !== undefined && Object.values(asks).find(({ token }) => token === tokenOf(id));
  if (!ask) return undefined;
  const base = { type: "reply", blockID: ask.blockID, decidedBy: "user" } as const;
  return { ...base, ...(isRecord(sent.result) ? verdictOf(ask, sent.result) : { decision: "reject" }) };
}
