import assert from "node:assert/strict";
import { httpError, message, say } from "../../anthropic/script.js";
import type { ClaudeScenario } from "../claude-scenario.js";
import { bash } from "../native-tools.js";
import { ask, mainRequests, showsRetry } from "../steps.js";

const ONE_RETRY = { CLAUDE_CODE_MAX_RETRIES: "1" };
const NO_RETRY = { CLAUDE_CODE_MAX_RETRIES: "0" };
const noModel = httpError(404, "not_found_error", "model: claude-nope-9");
const overloaded = httpError(529, "overloaded_error", "Overloaded");
// The API says so with status 400 and these words; the CLI makes the billing error of it by reading them.
const NO_CREDIT = "Your credit balance is too low to access the Anthropic API.";

export const apiErrorScenarios: readonly ClaudeScenario[] = [
  {
    name: "api-401",
    title: "The API key is refused; the next prompt fails the same way.",
    requirements: ["error.auth"],
    env: NO_RETRY,
    script: () => {
      const refused = httpError(401, "authentication_error", "invalid x-api-key");
      return { main: [refused, refused] };
    },
    drive: async (driver) => {
      await ask(driver, "Hi.");
      await ask(driver, "Hi again.");
    },
  },
  {
    name: "api-404-model",
    title: "The model does not exist, neither for the stream nor for the CLI's second try without streaming.",
    requirements: ["error.invalid-request", "error.model"],
    session: { model: "claude-nope-9" },
    env: NO_RETRY,
    script: () => ({ main: [noModel, noModel] }),
    drive: (driver) => ask(driver, "Hi."),
  },
  {
    name: "api-429-then-ok",
    title: "A rate limit is waited for, then the answer comes.",
    requirements: ["error.rate-limit", "retry.status"],
    env: ONE_RETRY,
    script: () => ({
      main: [httpError(429, "rate_limit_error", "Slow down", { "retry-after": "1" }), say("Finally.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Hi.");
      await driver.until(showsRetry);
      await driver.idle();
    },
  },
  {
    name: "api-429-exhausted",
    title: "A rate limit does not go away.",
    requirements: ["error.rate-limit"],
    env: NO_RETRY,
    script: () => ({ main: [httpError(429, "rate_limit_error", "Slow down", { "retry-after": "1" })] }),
    drive: (driver) => ask(driver, "Hi."),
  },
  {
    name: "api-529-exhausted",
    title: "The API stays overloaded until the retries are used up.",
    requirements: ["error.overloaded", "retry.status"],
    env: ONE_RETRY,
    script: () => ({ main: [overloaded, overloaded] }),
    drive: async (driver) => {
      await driver.prompt("Hi.");
      await driver.until(showsRetry);
      await driver.idle();
    },
  },
  {
    name: "api-500-then-ok",
    title: "The API fails once, then answers.",
    requirements: ["retry.status"],
    env: ONE_RETRY,
    script: () => ({ main: [httpError(500, "api_error", "Internal server error"), say("Works now.")] }),
    drive: async (driver) => {
      await driver.prompt("Hi.");
      await driver.until(showsRetry);
      await driver.idle();
    },
  },
  {
    name: "api-error-after-tool",
    title: "The API fails for good after a tool has run; what was done before stays.",
    requirements: ["error.after-tool", "turn.after-error"],
    env: NO_RETRY,
    script: () => ({
      main: [message([bash("ls", "List files")]), httpError(500, "api_error", "Internal server error"), say("Back.")],
    }),
    drive: async (driver) => {
      await ask(driver, "List the files.");
      await ask(driver, "Are you there?");
    },
  },
  {
    name: "api-connection-refused",
    title: "Nobody listens at the API's address.",
    requirements: ["error.network", "retry.status"],
    // Port 1 is reserved and, on loopback, closed.
    env: { ...ONE_RETRY, ANTHROPIC_BASE_URL: "http://127.0.0.1:1" },
    script: () => ({}),
    drive: async (driver) => {
      await ask(driver, "Hi.");
      assert.equal(mainRequests(driver.model), 0);
    },
  },
  {
    name: "api-no-credit",
    title: "The account has no credit left.",
    requirements: ["error.usage-limit"],
    env: NO_RETRY,
    script: () => ({ main: [httpError(400, "invalid_request_error", NO_CREDIT)] }),
    drive: (driver) => ask(driver, "Hi."),
  },
  {
    name: "api-prompt-too-long",
    title: "The prompt is too long for the model and there is nothing to compact.",
    requirements: ["error.context-overflow"],
    env: NO_RETRY,
    script: () => ({
      main: [httpError(400, "invalid_request_error", "prompt is too long: 212345 tokens > 200000 maximum")],
    }),
    drive: (driver) => ask(driver, "Hi."),
  },
];
