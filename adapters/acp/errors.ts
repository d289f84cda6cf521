import type { MessageError, MessageErrorName } from "../../schemas/index.js";
import type { Outcome } from "../shared/end-turn.js";
import { isRecord } from "../shared/is-record.js";
import { at } from "./content.js";
import type { RpcError } from "./frame.js";

interface Failure {
  readonly name: MessageErrorName;
  readonly retryable: boolean;
}

const AUTH: Failure = { name: "auth", retryable: false };
const INVALID: Failure = { name: "invalid_request", retryable: false };
const RATE_LIMIT: Failure = { name: "rate_limit", retryable: true };
const OVERLOADED: Failure = { name: "overloaded", retryable: true };
const UNKNOWN: Failure = { name: "unknown", retryable: false };

const AUTH_REQUIRED = -32000;

/** Codes of JSON-RPC and of the protocol; some agents put the status of the HTTP answer there. */
const CODES: Readonly<Record<number, Failure>> = {
  [AUTH_REQUIRED]: AUTH,
  [-32002]: INVALID,
  [-32600]: INVALID,
  [-32601]: INVALID,
  [-32602]: INVALID,
  [-32800]: { name: "aborted", retryable: false },
};

const STATUSES: Readonly<Record<number, Failure>> = {
  400: INVALID,
  401: AUTH,
  402: { name: "usage_limit", retryable: false },
  403: AUTH,
  404: INVALID,
  408: { name: "timeout", retryable: true },
  413: { name: "context_overflow", retryable: false },
  429: RATE_LIMIT,
  529: OVERLOADED,
};

/** Most failures have one code for all: the message tells more. */
const MESSAGES: readonly (readonly [RegExp, Failure])[] = [
  [/rate.?limit|too many requests|quota|\b429\b/i, RATE_LIMIT],
  [/unauthori[sz]ed|invalid api key|authenticat|\b401\b|UNAUTHENTICATED/i, AUTH],
  [/overloaded|unavailable|\b(?:500|502|503|529)\b|server error/i, OVERLOADED],
  [/max_output_tokens|output token/i, { name: "output_length", retryable: true }],
  [/context (?:length|window)|too long|too many tokens/i, { name: "context_overflow", retryable: false }],
  [/timed? ?out/i, { name: "timeout", retryable: true }],
  [/ECONN|ENOTFOUND|fetch failed|connection|network|socket|stream/i, { name: "network", retryable: true }],
  [/\brefus(?:ed|al)\b|content.?filter|\bsafety\b/i, { name: "refusal", retryable: false }],
  [/model.*not (?:found|exist)|\b400\b|\b404\b|invalid/i, INVALID],
];

/** A request of ours that failed. `login` tells how a person signs in. */
export function requestError(error: RpcError, login: string | null): MessageError {
  const details = detailsOf(error);
  const failure = failureOf(error, details);
  const hint = failure.name === "auth" && login !== null ? `; ${login}` : "";
  const native = { code: error.code, message: error.message, ...(error.data !== undefined && { data: error.data }) };
  return { ...failure, message: details + hint, data: { native } };
}

function failureOf(error: RpcError, message: string): Failure {
  const status = [error.code, at(error.data, "status"), at(error.data, "statusCode")].find(
    (code) => typeof code === "number" && code >= 400 && code < 600,
  );
  if (typeof status === "number") return STATUSES[status] ?? (status >= 500 ? OVERLOADED : UNKNOWN);
  const kind = at(error.data, "errorKind");
  const word = `${typeof kind === "string" ? kind : ""} ${message}`;
  const told = MESSAGES.find(([pattern]) => pattern.test(word))?.[1];
  // The code for "not signed in" also stands for failures of the model's API, which the message names.
  if (error.code === AUTH_REQUIRED && told && told !== INVALID) return told;
  return CODES[error.code] ?? told ?? UNKNOWN;
}

/** The message may be "Internal error" with the reason in the data, or the API's answer as JSON. */
function detailsOf({ message, data }: RpcError): string {
  const details = [at(data, "details"), at(data, "message"), data].find(
    (text) => typeof text === "string" && text !== "",
  );
  const text = /^internal error$/i.test(message) && typeof details === "string" ? details : message;
  return innerMessage(text) || "The agent failed without a reason";
}

function innerMessage(text: string): string {
  if (!text.trimStart().startsWith("{")) return text;
  try {
    const value: unknown = JSON.parse(text);
    const inner = at(value, "error.message") ?? at(value, "message");
    return typeof inner === "string" ? inner : text;
  } catch {
    return text;
  }
}

/** The ways to sign in that an agent names, as an advice. It is never asked to begin one: that may wait for a browser. */
export function loginAdvice(methods: unknown, program: string): string | null {
  const list = Array.isArray(methods) ? methods.filter(isRecord) : [];
  const advice = list.map((method) => adviceOf(method, program)).filter((text) => text !== "");
  return advice.length === 0 ? null : `sign in with the agent's own program: ${[...new Set(advice)].join(", or ")}`;
}

function adviceOf(method: Record<string, unknown>, program: string): string {
  const terminal = at(method, ["_meta", "terminal-auth"]);
  const args = [at(terminal, "args"), method.args, at(method, "_meta.args")].find(Array.isArray);
  if (args) return `run \`${[program, ...args].join(" ")}\``;
  return String(method.description ?? method.name ?? "");
}

/** How a turn ended, by the reason the agent gives for it. */
export function outcomeOf(stopReason: unknown): Outcome {
  switch (stopReason) {
    case "cancelled":
      return { finish: "aborted" };
    case "max_tokens":
    case "max_turn_requests":
      return { finish: "length" };
    case "refusal":
      return {
        finish: "refusal",
        error: { name: "refusal", message: "The model refused to go on", retryable: false },
      };
    default:
      return { finish: "stop" };
  }
}

export function errorOutcome(error: MessageError): Outcome {
  if (error.name === "aborted") return { finish: "aborted" };
  if (error.name === "refusal") return { finish: "refusal", error };
  return { finish: error.name === "output_length" ? "length" : "error", error };
}
