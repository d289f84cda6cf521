import assert from "node:assert/strict";
import { emptyStream, httpError, message, say, text, thinking } from "../../anthropic/script.js";
import { read } from "../native-tools.js";
import type { OpencodeScenario } from "../opencode-scenario.js";
import { ask, lastRequest, putFile, sessionOf, showsRetry, showsText, textsOf } from "../steps.js";

function fails(
  name: string,
  status: number,
  type: string,
  text: string,
  error: string,
  requirement: string,
): OpencodeScenario {
  return {
    name,
    title: `The API answers with ${status}: the turn ends with the error ${error}, and the next prompt works.`,
    requirements: [requirement, "turn.after-error"],
    script: () => ({ main: [httpError(status, type, text), say("Better now.")] }),
    drive: async (driver) => {
      await ask(driver, "Hello?");
      assert.equal((await sessionOf(driver)).error?.name, error);
      await ask(driver, "And now?");
      assert.equal((await sessionOf(driver)).error, undefined);
    },
  };
}

function retried(name: string, status: number, type: string, text: string, requirement: string): OpencodeScenario {
  return {
    name,
    title: `The API answers with ${status} once: the retry shows as the session's status, then the turn goes on.`,
    requirements: [requirement, "retry.status"],
    script: () => ({ main: [httpError(status, type, text, { "retry-after-ms": "20" }), say("Recovered.")] }),
    drive: async (driver) => {
      await driver.prompt("Hello?");
      await driver.until(showsRetry);
      await driver.idle();
      assert.deepEqual(await textsOf(driver), ["Recovered."]);
    },
  };
}

export const apiErrorScenarios: readonly OpencodeScenario[] = [
  fails("api-401", 401, "authentication_error", "invalid x-api-key", "auth", "error.auth"),
  fails("api-404-model", 404, "not_found_error", "model: model-1", "invalid_request", "error.model"),
  fails("api-400", 400, "invalid_request_error", "This is refused.", "invalid_request", "error.invalid-request"),
  fails(
    "api-no-credit",
    400,
    "invalid_request_error",
    "Your credit balance is too low to access the API.",
    "usage_limit",
    "error.usage-limit",
  ),
  retried("api-429-then-ok", 429, "rate_limit_error", "Too many requests", "error.rate-limit"),
  retried("api-529-then-ok", 529, "overloaded_error", "Overloaded", "error.overloaded"),
  {
    name: "abort-in-retry",
    title: "The turn is aborted while a request is tried again.",
    requirements: ["turn.finish-aborted", "retry.status"],
    script: () => ({ main: [httpError(500, "api_error", "Internal", { "retry-after": "30" }), say("Here I am.")] }),
    drive: async (driver) => {
      await driver.prompt("Hello?");
      await driver.until(showsRetry);
      await driver.abort();
      await driver.idle();
      await ask(driver, "Are you there?");
    },
  },
  {
    name: "api-error-after-tool",
    title: "The request behind a tool's result fails: the tool stays completed, the turn ends with the error.",
    requirements: ["error.after-tool"],
    setup: ({ cwd }) => putFile(cwd, "notes.txt", "alpha\n"),
    script: ({ cwd }) => ({
      main: [message([read(cwd, "notes.txt")]), httpError(400, "invalid_request_error", "This is refused.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Read the notes.");
      assert.equal((await sessionOf(driver)).error?.name, "invalid_request");
    },
  },
  {
    name: "stream-error",
    title: "An error inside the stream: what was said stays, and the request is tried again.",
    requirements: ["retry.stream-error"],
    script: () => ({
      main: [
        message([text("I begin", { fault: { type: "overloaded_error", message: "Overloaded" } })]),
        say("I begin anew."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Begin.");
      await driver.idle();
    },
  },
  {
    name: "stream-cut",
    title: "The connection is cut in the middle of a text.",
    requirements: ["retry.stream-cut", "text.abandoned", "text.kept"],
    script: () => ({
      main: [
        message([thinking("Whole."), text("I begin to", { after: 1, gate: "cut", fault: "cut" })]),
        say("Anew."),
        say("Then I end."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Begin.");
      await driver.until(showsText("I begin"));
      driver.model.open("cut");
      await driver.idle();
      await ask(driver, "And then?");
      assert(
        !JSON.stringify(lastRequest(driver.model).body).includes("I begin to"),
        "it is no part of the conversation",
      );
    },
  },
  {
    name: "empty-answer",
    title: "The stream of an answer ends without a word.",
    requirements: ["retry.stream-cut"],
    script: () => ({ main: [emptyStream(), say("Now I speak.")] }),
    drive: async (driver) => {
      await driver.prompt("Speak.");
      await driver.idle();
    },
  },
  {
    name: "length-limit",
    title: "A response hits its length limit.",
    requirements: ["turn.finish-length"],
    script: () => ({ main: [message([text("Cut off in the")], { stopReason: "max_tokens" })] }),
    drive: (driver) => ask(driver, "Tell me everything."),
  },
  {
    name: "refusal",
    title: "The model refuses.",
    requirements: ["turn.finish-refusal", "error.refusal"],
    script: () => ({ main: [message([text("No.")], { stopReason: "refusal" })] }),
    drive: (driver) => ask(driver, "Do something bad."),
  },
];
