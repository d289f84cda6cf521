import type { WireEvent } from "../../../../schemas/index.js";
import { call, emptyStream, httpError, output, type ScriptedResponse, say, text } from "../../openai/script.js";
import type { CodexScenario } from "../codex-scenario.js";
import { exec } from "../native-tools.js";
import { ask } from "../steps.js";

/** The CLI asks once more before it gives up. */
const TWICE = (response: ScriptedResponse) => [response, response];

/** A 5xx is tried again by the request and by the stream: two times two. */
const FOUR_TIMES = (response: ScriptedResponse) => [...TWICE(response), ...TWICE(response)];

function fails(
  name: string,
  title: string,
  requirements: readonly string[],
  responses: readonly ScriptedResponse[],
): CodexScenario {
  return {
    name,
    title,
    requirements,
    script: () => ({ main: responses }),
    drive: (driver) => ask(driver, "Hello?"),
  };
}

const failed = (code: string, message: string) => output([], { fault: { failed: { code, message } } });

/** A provider at whose port nobody listens. */
const NOWHERE = {
  config: `[model_providers.nowhere]
name = "Nowhere"
base_url = "http://127.0.0.1:9/v1"
env_key = "SCRIPTED_API_KEY"
wire_api = "responses"
supports_websockets = false
request_max_retries = 0
stream_max_retries = 0
`,
  provider: "nowhere",
} as const;

function showsRetry(attempt: number, message: RegExp): (event: WireEvent) => boolean {
  return ({ type, properties }) => {
    if (type !== "session.status" || properties.status.type !== "retry") return false;
    return properties.status.attempt === attempt && message.test(properties.status.message);
  };
}

export const apiErrorScenarios: readonly CodexScenario[] = [
  fails(
    "error-auth",
    "The API does not accept the key.",
    ["error.auth"],
    TWICE(
      httpError(401, {
        message: "Incorrect API key provided.",
        type: "invalid_request_error",
        code: "invalid_api_key",
      }),
    ),
  ),
  {
    name: "error-no-key",
    title: "The variable that holds the key is not set.",
    requirements: ["error.auth"],
    env: { SCRIPTED_API_KEY: "" },
    script: () => ({ main: [] }),
    drive: (driver) => ask(driver, "Hello?"),
  },
  fails(
    "error-model",
    "The API does not know the model.",
    ["error.model"],
    [httpError(404, { message: "The model does not exist.", type: "invalid_request_error", code: "model_not_found" })],
  ),
  fails(
    "error-invalid-request",
    "The API refuses the request.",
    ["error.invalid-request"],
    [httpError(400, { message: "Unknown parameter.", type: "invalid_request_error", code: "unknown_parameter" })],
  ),
  fails(
    "error-rate-limit",
    "The API limits the rate.",
    ["error.rate-limit"],
    [httpError(429, { message: "Slow down.", type: "rate_limit_error", code: "rate_limit_exceeded" })],
  ),
  fails(
    "error-overloaded",
    "The API is overloaded and stays so.",
    ["error.overloaded"],
    FOUR_TIMES(httpError(503, { message: "Try again later.", type: "server_error" })),
  ),
  fails(
    "error-usage-limit",
    "No credit is left.",
    ["error.usage-limit"],
    [failed("insufficient_quota", "You exceeded your current quota.")],
  ),
  fails(
    "error-context-overflow",
    "The conversation is too long.",
    ["error.context-overflow"],
    [failed("context_length_exceeded", "Your input exceeds the context window of this model.")],
  ),
  fails(
    "error-output-length",
    "The response hits its length limit.",
    ["error.output-length", "turn.finish-length"],
    [output([text("As long as it")], { fault: { incomplete: "max_output_tokens" } })],
  ),
  fails(
    "error-refusal",
    "The response is withheld by the provider's filter.",
    ["error.refusal", "turn.finish-refusal"],
    TWICE(output([text("I will")], { fault: { incomplete: "content_filter" } })),
  ),
  {
    name: "error-network",
    title: "The API cannot be reached.",
    requirements: ["error.network"],
    ...NOWHERE,
    script: () => ({ main: [] }),
    drive: (driver) => ask(driver, "Hello?"),
  },
  {
    ...NOWHERE,
    name: "retry-waits-for-network",
    title: "The API cannot be reached, and the CLI waits for it without an end: that is seen, until the user aborts.",
    requirements: ["retry.network", "retry.status", "turn.finish-aborted"],
    unboundedRetries: true,
    script: () => ({ main: [] }),
    drive: async (driver) => {
      await driver.prompt("Hello?");
      await driver.until(showsRetry(1, /waiting for network/));
      await driver.until(showsRetry(2, /waiting for network/));
      await driver.abort();
      await driver.idle();
    },
  },
  {
    name: "error-after-tool",
    title: "The API fails behind a tool's result.",
    requirements: ["error.after-tool"],
    session: { mode: "safe-yolo" },
    script: () => ({
      main: [output([exec("echo one")]), httpError(400, { message: "Too odd.", type: "invalid_request_error" })],
    }),
    drive: (driver) => ask(driver, "Run it."),
  },
  {
    name: "error-then-prompt",
    title: "A turn fails; the next one works.",
    requirements: ["turn.after-error"],
    script: () => ({
      main: [httpError(400, { message: "Too odd.", type: "invalid_request_error" }), say("Here I am.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Hello?");
      await ask(driver, "And now?");
    },
  },
  {
    name: "retry-stream-cut",
    title: "The connection is cut in the middle of a text; the CLI asks again, and the text is there once.",
    requirements: ["retry.stream-cut", "retry.status", "text.abandoned"],
    script: () => ({
      main: [
        output([text("Half of it, the other half.", { chunk: 12, after: 1, gate: "half", fault: "cut" })]),
        say("The whole of it."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Say it.");
      await driver.until((event) => event.type === "message.part.delta");
      driver.model.open("half");
      await driver.idle();
    },
  },
  {
    name: "retry-stream-cut-after-item",
    title: "The connection is cut behind a whole text: the text is kept, and the answer goes on.",
    requirements: ["text.kept", "retry.stream-cut"],
    script: () => ({
      main: [output([text("Said and done.")], { fault: "cut" }), say("There is more.")],
    }),
    drive: (driver) => ask(driver, "Say it."),
  },
  {
    name: "retry-stream-error",
    title: "The API reports an error inside the stream; the CLI asks again.",
    requirements: ["retry.stream-error", "retry.status"],
    script: () => ({
      main: [failed("server_error", "Something broke."), say("Here I am.")],
    }),
    drive: (driver) => ask(driver, "Hello?"),
  },
  {
    name: "retry-empty-stream",
    title: "A stream ends before it began; the CLI asks again.",
    requirements: ["retry.stream-error"],
    script: () => ({ main: [emptyStream(), say("Here I am.")] }),
    drive: (driver) => ask(driver, "Hello?"),
  },
  {
    name: "retry-cut-in-tool-input",
    title: "The connection is cut while the model writes a call: the call of the second answer runs, and no other.",
    requirements: ["retry.stream-cut"],
    session: { mode: "safe-yolo" },
    script: () => ({
      main: [
        output([exec("echo never", { chunk: 8, after: 1, fault: "cut" })]),
        output([call("exec_command", { cmd: "echo once" })]),
        say("Done."),
      ],
    }),
    drive: (driver) => ask(driver, "Run it."),
  },
];
