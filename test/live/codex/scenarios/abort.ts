import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { hang, output, say, text } from "../../openai/script.js";
import { ABORT_BEFORE_FIRST_TOKEN, ABORT_IDLE, ABORT_MID_STREAM, ABORT_WHILE_BLOCKED } from "../../stories.js";
import type { CodexScenario } from "../codex-scenario.js";
import { exec } from "../native-tools.js";
import { ask, ENDLESS, fileAppears, mainRequests, showsText } from "../steps.js";

export const abortScenarios: readonly CodexScenario[] = [
  {
    ...ABORT_BEFORE_FIRST_TOKEN,
    script: () => ({ main: [hang("asked")] }),
  },
  {
    name: "abort-at-once",
    title: "The prompt is aborted before the program is up: the model is never asked, the next prompt is.",
    requirements: ["abort.starting", "turn.finish-aborted", "turn.after-abort"],
    script: () => ({ main: [say("Here I am.")] }),
    drive: async (driver) => {
      await driver.prompt("Never mind.");
      await driver.abort();
      await ask(driver, "Are you there?");
    },
  },
  {
    ...ABORT_MID_STREAM,
    script: () => ({
      main: [output([text("Once upon a time there was", { after: 1, gate: "tale" })]), say("Here I am.")],
    }),
  },
  {
    name: "abort-mid-tool-input",
    title: "The turn is aborted while the model writes the input of a command, which then never runs.",
    requirements: ["abort.mid-tool-input"],
    script: () => ({
      main: [output([text("I run it."), exec("touch never.txt", { chunk: 12, after: 1, gate: "input" })])],
    }),
    drive: async (driver) => {
      await driver.prompt("Run it.");
      await driver.until(showsText("I run it"));
      await driver.model.reached("input");
      await driver.abort();
      await driver.idle();
      await assert.rejects(access(join(driver.cwd, "never.txt")), "the tool never runs");
    },
  },
  {
    name: "abort-mid-tool",
    title: "The turn is aborted while a command runs, and the command is ended with it.",
    requirements: ["abort.mid-tool", "turn.finish-aborted"],
    session: { mode: "yolo" },
    script: () => ({ main: [output([exec(ENDLESS, { yieldMs: 20_000 })]), say("Here I am.")] }),
    drive: async (driver) => {
      await driver.prompt("Wait for it.");
      await fileAppears(join(driver.cwd, "started"));
      await driver.until((event) => event.type === "message.part.updated" && event.properties.part.type === "tool");
      await driver.abort();
      await driver.idle();
      assert.equal(mainRequests(driver.model), 1, "the model is not asked again");
      await ask(driver, "Are you there?");
    },
  },
  {
    ...ABORT_WHILE_BLOCKED,
    script: () => ({ main: [output([exec("touch made.txt")])] }),
  },
  {
    ...ABORT_IDLE,
    script: () => ({ main: [say("First."), say("Second.")] }),
  },
  {
    name: "abort-drops-queue",
    title: "An abort drops the prompt that waits.",
    requirements: ["abort.queued", "turn.queue"],
    script: () => ({ main: [output([text("First answer, at leisure.", { chunk: 12, after: 1, gate: "slow" })])] }),
    drive: async (driver) => {
      await driver.prompt("First.");
      await driver.until(showsText("First answer"));
      await driver.prompt("Second.", { delivery: "queue" });
      await driver.abort();
      await driver.idle();
      assert.equal(mainRequests(driver.model), 1);
    },
  },
];
