import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { emptyStream, message, say, text } from "../../anthropic/script.js";
import type { Driver } from "../../scenario.js";
import type { ClaudeScenario } from "../claude-scenario.js";
import { bash } from "../native-tools.js";
import { ask, mainRequests, showsText, showsToolInput } from "../steps.js";

const ONE_RETRY = { CLAUDE_CODE_MAX_RETRIES: "1" };

/** Lets the client see the first part of the answer before the stream breaks, then waits for the second answer. */
async function breakAfter(driver: Driver, shown: string): Promise<void> {
  await driver.prompt("Answer me.");
  await driver.until(showsText(shown));
  driver.model.open("break");
  await driver.idle();
}

export const streamFaultScenarios: readonly ClaudeScenario[] = [
  {
    name: "stream-error-mid-text",
    title: "The API reports an error in the middle of a text; the CLI asks again without streaming.",
    requirements: ["retry.stream-error", "retry.non-streaming", "text.abandoned", "text.without-deltas"],
    env: ONE_RETRY,
    script: () => ({
      main: [
        message([text("A part of", { gate: "break", fault: { type: "overloaded_error", message: "Overloaded" } })]),
        say("The whole answer."),
      ],
    }),
    drive: (driver) => breakAfter(driver, "A part of"),
  },
  {
    name: "stream-cut-mid-text",
    title: "The connection breaks in the middle of the first text, and the answer begins anew.",
    requirements: ["retry.stream-cut", "text.abandoned"],
    env: ONE_RETRY,
    script: () => ({
      main: [message([text("A part of", { gate: "break", fault: "cut" })]), say("The whole answer.")],
    }),
    drive: (driver) => breakAfter(driver, "A part of"),
  },
  {
    name: "stream-cut-after-block",
    title: "The connection breaks in the second text: the first stays, and the model goes on.",
    requirements: ["retry.stream-cut", "text.abandoned", "text.kept"],
    env: ONE_RETRY,
    script: () => ({
      main: [
        message([text("A whole text."), text("A part of", { gate: "break", fault: "cut" })]),
        say("The rest of the answer."),
      ],
    }),
    drive: (driver) => breakAfter(driver, "A part of"),
  },
  {
    name: "stream-cut-in-tool-input",
    title: "The connection breaks in the input of a tool call, which is abandoned without a result.",
    requirements: ["retry.stream-cut", "tool.abandoned"],
    env: ONE_RETRY,
    script: () => ({
      main: [
        message([
          text("I run it."),
          bash("touch never.txt", "Create", { chunk: 12, after: 2, gate: "break", fault: "cut" }),
        ]),
        say("I did not, after all."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Run it.");
      await driver.until(showsToolInput);
      driver.model.open("break");
      await driver.idle();
      await assert.rejects(access(join(driver.cwd, "never.txt")), "the tool never runs");
    },
  },
  {
    name: "stream-empty",
    title: "A stream ends without a word; the CLI asks again without streaming, so the answer has no deltas.",
    requirements: ["retry.non-streaming", "text.without-deltas"],
    env: ONE_RETRY,
    script: () => ({ main: [emptyStream(), say("Not streamed.")] }),
    drive: async (driver) => {
      await ask(driver, "Hi.");
      assert.equal(mainRequests(driver.model), 2);
    },
  },
];
