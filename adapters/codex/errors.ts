import type { MessageError, MessageErrorName } from "../../schemas/index.js";
import type { AgentExit } from "../contract.js";
import { exitError as exitErrorOf, logOfFailure } from "../shared/agent-exit.js";
import type { Outcome } from "../shared/end-turn.js";
import { isRecord } from "../shared/is-record.js";
import type { ResponseFrame, TurnError } from "./frame.js";

interface Failure {
  readonly name: MessageErrorName;
  readonly retryable: boolean;
}

const REFUSED: Failure = { name: "refusal", retryable: false };
const OVERLOADED: Failure = { name: "overloaded", retryable: true };
const UNKNOWN: Failure = { name: "unknown", retryable: false };
const NETWORK: Failure = { name: "network", retryable: true };

/** `codexErrorInfo` where it is a word. `internalServerError` is any 5xx, for which the app-server says "high demand". */
const WORDS: Readonly<Record<string, Failure>> = {
  contextWindowExceeded: { name: "context_overflow", retryable: false },
  sessionBudgetExceeded: { name: "usage_limit", retryable: false },
  usageLimitExceeded: { name: "usage_limit", retryable: false },
  rateLimitExceeded: { name: "rate_limit", retryable: true },
  flexUnavailable: OVERLOADED,
  serverOverloaded: OVERLOADED,
  policyCapacityUnavailable: OVERLOADED,
  internalServerError: OVERLOADED,
  modelNotFound: { name: "invalid_request", retryable: false },
  badRequest: { name: "invalid_request", retryable: false },
  inferenceHookDenied: REFUSED,
  cyberPolicy: REFUSED,
  bioPolicy: REFUSED,
  misalignmentPolicyViolation: REFUSED,
  unauthorized: { name: "auth", retryable: false },
  tooManyDenials: REFUSED,
  sandboxError: UNKNOWN,
  threadRollbackFailed: UNKNOWN,
};

const STATUSES: Record<number, Failure> = {
  400: { name: "invalid_request", retryable: false },
  401: { name: "auth", retryable: false },
  402: { name: "usage_limit", retryable: false },
  403: { name: "auth", retryable: false },
  404: { name: "invalid_request", retryable: false },
  408: { name: "timeout", retryable: true },
  413: { name: "context_overflow", retryable: false },
  429: { name: "rate_limit", retryable: true },
};

/** `other` is everything else, told only in the message: there the API's own words are looked for. */
const MESSAGES: readonly (readonly [RegExp, Failure])[] = [
  [/max_output_tokens/, { name: "output_length", retryable: true }],
  [/content_filter|refus/i, REFUSED],
  [/Missing environment variable|invalid_api_key|unauthorized/i, { name: "auth", retryable: false }],
  [/model_not_found|invalid_request_error|"type":\s*"invalid_request/, { name: "invalid_request", retryable: false }],
  [/idle timeout|timed? ?out/i, { name: "timeout", retryable: true }],
  [/stream disconnected|stream closed|connection|network/i, NETWORK],
];

export function turnError(error: TurnError): MessageError {
  const info = error.codexErrorInfo;
  const details = error.additionalDetails ? { additionalDetails: error.additionalDetails } : {};
  const native = { ...(info != null && { codexErrorInfo: info }), ...details };
  return { ...failureOf(error), message: error.message, data: { native } };
}

function failureOf({ codexErrorInfo: info, message }: TurnError): Failure {
  if (typeof info === "string" && Object.hasOwn(WORDS, info)) return WORDS[info] ?? UNKNOWN;
  const status = statusOf(info);
  if (status !== undefined)
    return status === null ? NETWORK : (STATUSES[status] ?? (status >= 500 ? OVERLOADED : UNKNOWN));
  return MESSAGES.find(([pattern]) => pattern.test(message))?.[1] ?? UNKNOWN;
}

/** The HTTP status that a variant carries; null when the connection failed before there was one. */
function statusOf(info: unknown): number | null | undefined {
  if (!isRecord(info)) return undefined;
  const variant = Object.values(info).find(isRecord);
  if (!variant || !("httpStatusCode" in variant)) return undefined;
  return typeof variant.httpStatusCode === "number" ? variant.httpStatusCode : null;
}

/** How a turn ended. Only its status says it: `error` notifications also come for what is tried again. */
export function outcomeOf(status: string | null | undefined, error: TurnError | null | undefined): Outcome {
  if (status === "interrupted") return { finish: "aborted" };
  if (status !== "failed") return {};
  const known = turnError(error ?? { message: "Codex ended the turn without a reason" });
  if (known.name === "refusal") return { finish: "refusal", error: known };
  return { finish: known.name === "output_length" ? "length" : "error", error: known };
}

/** A request of ours that was refused; the app-server uses one code for nearly everything. */
export function requestError(error: NonNullable<ResponseFrame["error"]>): MessageError {
  const { code, data } = error;
  const message = error.message.split(", expected one of")[0] ?? error.message;
  const native = { code, ...(data !== undefined && { data }) };
  return { name: "invalid_request", message, retryable: false, data: { native } };
}

export function exitError(exit: AgentExit): MessageError {
  return exitErrorOf(exit, "Codex", withoutColours(logOfFailure(exit)));
}

/** The app-server's log is coloured also where no terminal reads it. */
function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
  return text.replace(/\u001b\[[0-9;]*m/g, "");
}

const ATTEMPT = /(\d+)\/\d+/;

/**
 * What `session.status` says of a retry. "Reconnecting... 2/5" names the attempt; "waiting for network" does not, and comes
 * every few seconds without an end: that is one attempt more than `before`.
 */
export function retryOf(error: TurnError, before: number): { attempt: number; message: string } {
  const details = error.additionalDetails ? `: ${error.additionalDetails}` : "";
  const named = ATTEMPT.exec(error.message)?.[1];
  return { attempt: named === undefined ? before + 1 : Number(named), message: error.message + details };
}
