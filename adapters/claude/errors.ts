import type { MessageError, MessageErrorName } from "../../schemas/index.js";
import type { AgentExit } from "../contract.js";
import { exitError as exitErrorOf } from "../shared/agent-exit.js";
import type { Outcome } from "../shared/end-turn.js";
import type { ResultFrame } from "./frame.js";

interface Failure {
  readonly name: MessageErrorName;
  readonly retryable: boolean;
}

/** `assistant.error` and `api_error_type` values seen, and those in the CLI's type declarations. */
const NATIVE_ERRORS: Record<string, Failure> = {
  authentication_failed: { name: "auth", retryable: false },
  authentication_error: { name: "auth", retryable: false },
  permission_error: { name: "auth", retryable: false },
  oauth_org_not_allowed: { name: "auth", retryable: false },
  billing_error: { name: "usage_limit", retryable: false },
  rate_limit: { name: "rate_limit", retryable: true },
  rate_limit_error: { name: "rate_limit", retryable: true },
  overloaded: { name: "overloaded", retryable: true },
  overloaded_error: { name: "overloaded", retryable: true },
  server_error: { name: "unknown", retryable: true },
  api_error: { name: "unknown", retryable: true },
  invalid_request: { name: "invalid_request", retryable: false },
  invalid_request_error: { name: "invalid_request", retryable: false },
  model_not_found: { name: "invalid_request", retryable: false },
  not_found_error: { name: "invalid_request", retryable: false },
  max_output_tokens: { name: "output_length", retryable: true },
  connection_failed: { name: "network", retryable: true },
  prompt_too_long: { name: "context_overflow", retryable: false },
};

const TERMINAL_ERRORS: Record<string, Failure> = {
  prompt_too_long: { name: "context_overflow", retryable: false },
  max_turns: { name: "usage_limit", retryable: true },
  budget_exhausted: { name: "usage_limit", retryable: false },
};

const STATUS_ERRORS: Record<number, Failure> = {
  401: { name: "auth", retryable: false },
  402: { name: "usage_limit", retryable: false },
  403: { name: "auth", retryable: false },
  408: { name: "timeout", retryable: true },
  429: { name: "rate_limit", retryable: true },
  529: { name: "overloaded", retryable: true },
};

const UNKNOWN: Failure = { name: "unknown", retryable: false };

export interface NativeError {
  readonly error?: string | null | undefined;
  readonly api_error?: string | null | undefined;
  readonly api_error_status?: number | null | undefined;
  readonly api_error_type?: string | null | undefined;
}

/** An API failure as the CLI reports it on a synthetic assistant line or on a result, from the most telling field. */
export function apiError(native: NativeError, message: string, refused: boolean): MessageError {
  const failure: Failure = refused
    ? { name: "refusal", retryable: false }
    : (lookup(native.api_error) ??
      STATUS_ERRORS[native.api_error_status ?? 0] ??
      lookup(native.error) ??
      lookup(native.api_error_type) ??
      UNKNOWN);
  return { ...failure, message, data: { native: definedOnly(native) } };
}

function lookup(name: string | null | undefined): Failure | undefined {
  return name != null && Object.hasOwn(NATIVE_ERRORS, name) ? NATIVE_ERRORS[name] : undefined;
}

function definedOnly(native: NativeError): Record<string, unknown> {
  const { error, api_error, api_error_status, api_error_type } = native;
  const fields = { error, api_error, api_error_status, api_error_type };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
}

/**
 * How a turn ended. `subtype` lies ("success" for API failures, "error" for the user's own interrupt), so only
 * `terminal_reason` and `is_error` count, and the diagnostics of an interrupt are not shown. `told` is the error that the
 * turn's last message has already: a result repeats an API failure without the name that tells most.
 */
export function outcomeOf(result: ResultFrame, told?: MessageError): Outcome {
  const reason = result.terminal_reason ?? "";
  if (reason.startsWith("aborted")) return { finish: "aborted" };
  if (!result.is_error) return {};
  const refused = result.stop_reason === "refusal";
  const message =
    result.result || (result.errors ?? []).join("\n") || `Claude Code ended the turn: ${reason || result.subtype}`;
  const terminal = TERMINAL_ERRORS[reason];
  const error: MessageError = terminal
    ? { ...terminal, message, data: { native: { terminal_reason: reason } } }
    : (told ?? apiError(result, message, refused));
  return { finish: refused ? "refusal" : "error", error };
}

/** However the CLI ended, what its stderr says is told. */
export function exitError(exit: AgentExit): MessageError {
  return exitErrorOf(exit, "Claude Code", exit.stderr);
}

/** A 401 that the CLI is still retrying, and the like: what `session.status` says. */
export function retryMessage(error: string | null | undefined, status: number | null | undefined): string {
  const what =
    error && error !== "unknown" ? error.replaceAll("_", " ") : status == null ? "connection failed" : "request failed";
  return status == null ? what : `${what} (HTTP ${status})`;
}
