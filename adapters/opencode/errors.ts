import type { Finish, MessageError, MessageErrorName } from "../../schemas/index.js";
import type { AgentExit } from "../contract.js";
import { exitError as exitErrorOf } from "../shared/agent-exit.js";
import { isRecord } from "../shared/is-record.js";
import type { NativeError } from "./frame.js";

interface Failure {
  readonly name: MessageErrorName;
  readonly retryable: boolean;
}

const INVALID: Failure = { name: "invalid_request", retryable: false };
const OVERLOADED: Failure = { name: "overloaded", retryable: true };
const NETWORK: Failure = { name: "network", retryable: true };
const UNKNOWN: Failure = { name: "unknown", retryable: false };

const NAMES: Readonly<Record<string, Failure>> = {
  ProviderAuthError: { name: "auth", retryable: false },
  MessageOutputLengthError: { name: "output_length", retryable: true },
  MessageAbortedError: { name: "aborted", retryable: true },
  ContextOverflowError: { name: "context_overflow", retryable: false },
  ContentFilterError: { name: "refusal", retryable: false },
  StructuredOutputError: INVALID,
  ProviderModelNotFoundError: INVALID,
  ProviderInitError: INVALID,
  BadRequest: INVALID,
  NotFoundError: INVALID,
};

const STATUSES: Readonly<Record<number, Failure>> = {
  400: INVALID,
  401: { name: "auth", retryable: false },
  402: { name: "usage_limit", retryable: false },
  403: { name: "auth", retryable: false },
  404: INVALID,
  408: { name: "timeout", retryable: true },
  413: { name: "context_overflow", retryable: false },
  422: INVALID,
  429: { name: "rate_limit", retryable: true },
};

/** What a provider says in its own words. */
const MESSAGES: readonly (readonly [RegExp, Failure])[] = [
  [/prompt is too long|context (length|window)|maximum context/i, { name: "context_overflow", retryable: false }],
  [/credit balance|insufficient.*(credit|quota|balance)/i, { name: "usage_limit", retryable: false }],
];
const GUESSES: readonly (readonly [RegExp, Failure])[] = [
  [/model.*not found|not found.*model/i, INVALID],
  [/overloaded/i, OVERLOADED],
  [/timed? ?out/i, { name: "timeout", retryable: true }],
  [/unable to connect|connection|ECONN|socket|network|fetch failed/i, NETWORK],
];

export function errorOf(error: NativeError): MessageError {
  // Headers are of no use to anybody, and hold the time of day.
  const { responseHeaders: _, ...data } = error.data;
  const message = typeof data.message === "string" && data.message !== "" ? data.message : error.name;
  return { ...failureOf(error, message), message, data: { native: { name: error.name, data } } };
}

function failureOf({ name, data }: NativeError, message: string): Failure {
  const told = NAMES[name] ?? MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
  if (told) return told;
  const { statusCode, isRetryable } = data;
  if (typeof statusCode === "number") return STATUSES[statusCode] ?? (statusCode >= 500 ? OVERLOADED : UNKNOWN);
  const guess = GUESSES.find(([pattern]) => pattern.test(message))?.[1];
  if (guess) return guess;
  return name === "APIError" && isRetryable === true ? NETWORK : UNKNOWN;
}

const FINISHES: Readonly<Record<string, Finish>> = {
  stop: "stop",
  "tool-calls": "tool-calls",
  length: "length",
  "content-filter": "refusal",
  error: "error",
};

/** How a response ended. One that was given up, such as by an abort in the middle of a retry, has neither word. */
export function finishOf(finish: string | null, error: MessageError | null): Finish {
  if (error) return finishOfError(error);
  return finish === null ? "aborted" : (FINISHES[finish] ?? "stop");
}

export function finishOfError({ name }: MessageError): Finish {
  if (name === "aborted") return "aborted";
  if (name === "refusal") return "refusal";
  return name === "output_length" ? "length" : "error";
}

/** A request of ours that the server refused: the body says why, in one of two shapes. */
export function refusalOf(status: number, body: unknown): MessageError {
  const data = isRecord(body) && isRecord(body.data) ? body.data : {};
  const told = [data.message, isRecord(body) ? body.message : body].find((text) => typeof text === "string");
  const message = typeof told === "string" && told !== "" ? told : `OpenCode answered with status ${status}`;
  const name = isRecord(body) && typeof body.name === "string" ? body.name : "";
  const failure = NAMES[name] ?? (status < 500 ? (STATUSES[status] ?? INVALID) : UNKNOWN);
  return { ...failure, message, data: { native: { status, ...(name && { name }) } } };
}

export function lostRequest(failure: string): MessageError {
  return { name: "protocol", message: `OpenCode did not answer: ${failure}`, retryable: true };
}

/** However the server ended, the next prompt starts another one. */
export function exitError(exit: AgentExit): MessageError {
  const error = exitErrorOf(exit, "OpenCode");
  return exit.error === undefined ? { ...error, retryable: true } : error;
}
