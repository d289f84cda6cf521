import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { hang, message, say, text } from "../../anthropic/script.js";
import { ABORT_BEFORE_FIRST_TOKEN, ABORT_IDLE, ABORT_MID_STREAM, ABORT_WHILE_BLOCKED } from "../../stories.js";
import type { ClaudeScenario } from "../claude-scenario.js";
import { bash } from "../native-tools.js";
import { decideNext, ENDLESS, fileAppears, mainRequests, showsToolInput } from "../steps.js";

export const abortScenarios: readonly ClaudeScenario[] = [
  {
    ...ABORT_BEFORE_FIRST_TOKEN,
    script: () => ({ main: [hang("asked")] }),
  },
  {
    ...ABORT_MID_STREAM,
    script: () => ({
      main: [message([text("Once upon a time there was", { after: 1, gate: "tale" })]), say("Here I am.")],
    }),
  },
  {
    name: "abort-mid-tool-input",
    title: "The turn is aborted while the model writes the input of a tool call, which then never runs.",
    requirements: ["abort.mid-tool-input", "tool.abandoned"],
    script: () => ({
      main: [message([text("I run it."), bash("touch never.txt", "Create", { chunk: 12, after: 1, gate: "input" })])],
    }),
    drive: async (driver) => {
      await driver.prompt("Run it.");
      await driver.until(showsToolInput);
      await driver.abort();
      await driver.idle();
      await assert.rejects(access(join(driver.cwd, "never.txt")), "the tool never runs");
    },
  },
  {
    name: "abort-mid-tool",
    title: "The turn is aborted while a command runs.",
    requirements: ["abort.mid-tool", "turn.finish-aborted"],
    script: () => ({ main: [message([bash(ENDLESS, "Wait")])] }),
    drive: async (driver) => {
      await driver.prompt("Wait for it.");
      await decideNext(driver, { decision: "once" });
      await fileAppears(join(driver.cwd, "started"));
      await driver.abort();
      await driver.idle();
      assert.equal(mainRequests(driver.model), 1, "the model is not asked again");
    },
  },
  {
    ...ABORT_WHILE_BLOCKED,
    script: () => ({ main: [message([bash("touch made.txt", "Create made.txt")])] }),
  },
  {
    ...ABORT_IDLE,
    script: () => ({ main: [say("First."), say("Second.")] }),
  },
];
