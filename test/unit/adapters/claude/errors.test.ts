import { describe, expect, test } from "vitest";
import { apiError, exitError, outcomeOf, retryMessage } from "../../../../adapters/claude/errors.js";
import type { MessageError } from "../../../../schemas/index.js";

type Row = readonly [
  what: string,
  result: object,
  finish: string | undefined,
  name: string | undefined,
  retryable?: boolean,
];

const api = (change: object) => ({
  subtype: "success",
  is_error: true,
  terminal_reason: "api_error",
  result: "text",
  ...change,
});
const cut = (reason: string) => ({
  subtype: "error_during_execution",
  is_error: true,
  terminal_reason: reason,
  errors: ["[ede_diagnostic] x"],
});

const OUTCOMES: readonly Row[] = [
  ["a normal end", { subtype: "success", is_error: false, terminal_reason: "completed" }, undefined, undefined],
  ["401", api({ api_error_status: 401, api_error_type: "authentication_error" }), "error", "auth", false],
  ["403", api({ api_error_status: 403, api_error_type: "permission_error" }), "error", "auth", false],
  [
    "404 of the model",
    api({ api_error_status: 404, api_error_type: "not_found_error" }),
    "error",
    "invalid_request",
    false,
  ],
  ["400", api({ api_error_status: 400, api_error_type: "invalid_request_error" }), "error", "invalid_request", false],
  ["402", api({ api_error_status: 402 }), "error", "usage_limit", false],
  [
    "no credit, by name",
    api({ api_error_status: 400, api_error_type: "billing_error" }),
    "error",
    "usage_limit",
    false,
  ],
  ["429", api({ api_error_status: 429, api_error_type: "rate_limit_error" }), "error", "rate_limit", true],
  ["529", api({ api_error_status: 529, api_error_type: "overloaded_error" }), "error", "overloaded", true],
  ["500", api({ api_error_status: 500, api_error_type: "api_error" }), "error", "unknown", true],
  ["408", api({ api_error_status: 408 }), "error", "timeout", true],
  ["no connection", api({ api_error: "connection_failed" }), "error", "network", true],
  ["max_tokens again and again", api({ api_error: "max_output_tokens" }), "error", "output_length", true],
  ["a refusal", api({ stop_reason: "refusal" }), "refusal", "refusal", false],
  ["an error without a name", api({}), "error", "unknown", false],
  ["a name nobody knows", api({ api_error_type: "toString" }), "error", "unknown", false],
  [
    "a context that can't be compacted",
    api({ terminal_reason: "prompt_too_long" }),
    "error",
    "context_overflow",
    false,
  ],
  ["an interrupt while streaming", cut("aborted_streaming"), "aborted", undefined],
  ["an interrupt in a tool", cut("aborted_tools"), "aborted", undefined],
  [
    "a message that cut the turn",
    { subtype: "success", is_error: false, terminal_reason: "aborted_streaming" },
    "aborted",
    undefined,
  ],
  [
    "max turns",
    { subtype: "error_max_turns", is_error: true, terminal_reason: "max_turns" },
    "error",
    "usage_limit",
    true,
  ],
  [
    "the budget",
    { subtype: "error_max_budget_usd", is_error: true, terminal_reason: "budget_exhausted" },
    "error",
    "usage_limit",
    false,
  ],
  [
    "a hook that defers",
    { subtype: "success", is_error: false, terminal_reason: "tool_deferred" },
    undefined,
    undefined,
  ],
  ["a local command", { subtype: "success", is_error: false }, undefined, undefined],
  [
    "a failed start",
    { subtype: "error_during_execution", is_error: true, errors: ["No conversation found"] },
    "error",
    "unknown",
    false,
  ],
];

describe("how a turn ended", () => {
  test.each(OUTCOMES)("%s", (_, result, finish, name, retryable) => {
    const outcome = outcomeOf({ type: "result", ...(result as object) });
    expect(outcome.finish).toBe(finish);
    expect(outcome.error?.name).toBe(name);
    expect(outcome.error?.retryable).toBe(retryable);
  });

  test("the message is the agent's text, then its errors, and never empty", () => {
    const message = (change: object) => outcomeOf({ type: "result", ...api(change) }).error?.message;
    expect(message({ result: "said", errors: ["listed"] })).toBe("said");
    expect(message({ result: "", errors: ["one", "two"] })).toBe("one\ntwo");
    expect(message({ result: null })).toContain("api_error");
  });

  test("an API failure has the error that its answer told, the reason of the end is more telling", () => {
    const told: MessageError = { name: "auth", message: "Not logged in", retryable: false };
    const error = (change: object) => outcomeOf({ type: "result", ...api(change) }, told).error;
    expect(error({})).toEqual(told);
    expect(error({ terminal_reason: "prompt_too_long" })?.name).toBe("context_overflow");
  });

  test("the agent's own error is kept, without what it left out", () => {
    const error = outcomeOf({ type: "result", ...api({ api_error_status: 401, api_error: null }) }).error;
    expect(error?.data).toEqual({ native: { api_error_status: 401 } });
  });
});

describe("errors on a synthetic answer", () => {
  test.each([
    ["authentication_failed", "auth", false],
    ["oauth_org_not_allowed", "auth", false],
    ["billing_error", "usage_limit", false],
    ["rate_limit", "rate_limit", true],
    ["overloaded", "overloaded", true],
    ["server_error", "unknown", true],
    ["invalid_request", "invalid_request", false],
    ["model_not_found", "invalid_request", false],
    ["max_output_tokens", "output_length", true],
    ["unknown", "unknown", false],
  ] as const)("%s is %s", (error, name, retryable) => {
    expect(apiError({ error }, "text", false)).toMatchObject({ name, retryable, message: "text" });
  });

  test("the most telling field wins: what broke, the status, then names", () => {
    const all = {
      api_error: "connection_failed",
      api_error_status: 429,
      error: "server_error",
      api_error_type: "api_error",
    };
    expect(apiError(all, "", false).name).toBe("network");
    expect(apiError({ ...all, api_error: null }, "", false).name).toBe("rate_limit");
    expect(apiError(all, "", true).name).toBe("refusal");
  });
});

describe("an exit in the middle of a turn", () => {
  test.each([
    [
      "a code, with what stderr said",
      { code: 1, signal: null, stderr: " why \n" },
      /exited with code 1.*: why$/,
      false,
    ],
    ["a signal", { code: null, signal: "SIGKILL", stderr: "" }, /ended by SIGKILL/, true],
    ["code 0", { code: 0, signal: null, stderr: "" }, /exited with code 0/, false],
    ["no start", { code: null, signal: null, stderr: "", error: "no such program" }, /^no such program$/, false],
    ["the gateway's own end", { code: 0, signal: null, stderr: "", lost: true }, /gateway was stopped/, true],
  ] as const)("%s", (_, exit, message, retryable) => {
    const error = exitError(exit);
    expect(error).toMatchObject({ name: "agent_exited", retryable });
    expect(error.message).toMatch(message);
  });
});

test.each([
  ["overloaded", 529, "overloaded (HTTP 529)"],
  ["rate_limit", 429, "rate limit (HTTP 429)"],
  ["unknown", 500, "request failed (HTTP 500)"],
  ["unknown", null, "connection failed"],
  [undefined, undefined, "connection failed"],
])("a retry after %s, %s is told as %s", (error, status, message) => {
  expect(retryMessage(error, status)).toBe(message);
});
