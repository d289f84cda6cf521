import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { hang, message, say, text } from "../../anthropic/script.js";
import type { ClaudeScenario } from "../claude-scenario.js";
import { bash } from "../native-tools.js";
import { ask, decideNext, fileAppears, mainRequests, showsText } from "../steps.js";

/** Tells by a file that it runs, then waits for a writer that never comes: it ends only when it is killed. */
const ENDLESS = "mkfifo never && touch started && cat never";

export const abortScenarios: readonly ClaudeScenario[] = [
  {
    name: "abort-before-first-token",
    title: "The turn is aborted while the model has not said anything yet.",
    requirements: ["abort.before-first-token", "turn.finish-aborted"],
    script: () => ({ main: [hang("asked")] }),
    drive: async (driver) => {
      await driver.prompt("Think about it.");
      await driver.model.reached("asked");
      await driver.abort();
      await driver.idle();
    },
  },
  {
    name: "abort-mid-stream",
    title: "The turn is aborted in the middle of a text; the next prompt is answered.",
    requirements: ["abort.mid-stream", "turn.finish-aborted", "turn.after-abort"],
    script: () => ({
      main: [message([text("Once upon a time there was", { after: 1, gate: "tale" })]), say("Here I am.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Tell a tale.");
      await driver.until(showsText("Once upon"));
      await driver.abort();
      await driver.idle();
      await ask(driver, "Are you there?");
    },
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
      await driver.until((event) => event.type === "message.part.delta" && event.properties.field === "state.raw");
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
    name: "abort-while-blocked",
    title: "The turn is aborted while a command waits for permission; a later answer is refused.",
    requirements: ["abort.blocked", "permission.withdrawn"],
    script: () => ({ main: [message([bash("touch made.txt", "Create made.txt")])] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      const [pending] = await driver.blocked();
      assert(pending !== undefined, "a tool is blocked");
      await driver.abort();
      await driver.idle();
      await driver.expectError("conflict", driver.reply(pending.block.id, { decision: "once" }));
    },
  },
  {
    name: "abort-idle",
    title: "An abort between two turns changes nothing.",
    requirements: ["abort.idle"],
    script: () => ({ main: [say("First."), say("Second.")] }),
    drive: async (driver) => {
      await ask(driver, "One.");
      await driver.abort();
      await ask(driver, "Two.");
    },
  },
];
