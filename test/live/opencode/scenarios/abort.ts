import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { hang, message, say, text } from "../../anthropic/script.js";
import { bash } from "../native-tools.js";
import type { OpencodeScenario } from "../opencode-scenario.js";
import { ask, END_OF_ENDED_COMMAND, ENDLESS, fileAppears, mainRequests, showsText, toolStatesOf } from "../steps.js";

export const abortScenarios: readonly OpencodeScenario[] = [
  {
    name: "abort-at-once",
    title: "The prompt is aborted before the server is up: the model is never asked, the next prompt is.",
    requirements: ["turn.finish-aborted", "turn.after-abort"],
    script: () => ({ main: [say("Here I am.")] }),
    drive: async (driver) => {
      await driver.prompt("Never mind.");
      await driver.abort();
      await ask(driver, "Are you there?");
    },
  },
  {
    name: "abort-before-first-token",
    title: "The turn is aborted while the model has not said anything yet.",
    requirements: ["abort.before-first-token", "turn.finish-aborted"],
    script: () => ({ main: [hang("asked"), say("Here I am.")] }),
    drive: async (driver) => {
      await driver.prompt("Think about it.");
      await driver.model.reached("asked");
      await driver.abort();
      await driver.idle();
      await ask(driver, "Are you there?");
    },
  },
  {
    name: "abort-mid-stream",
    title: "The turn is aborted in the middle of a text; the next prompt is answered.",
    requirements: ["abort.mid-stream", "turn.finish-aborted", "turn.after-abort"],
    script: () => ({
      main: [message([text("Once upon a time there was", { chunk: 12, after: 1, gate: "tale" })]), say("Here I am.")],
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
    title: "The turn is aborted while the model writes the input of a command, which then never runs.",
    requirements: ["abort.mid-tool-input", "tool.abandoned"],
    script: () => ({
      main: [message([text("I run it."), bash("touch never.txt", "Run", { chunk: 12, after: 1, gate: "input" })])],
    }),
    drive: async (driver) => {
      await driver.prompt("Run it.");
      await driver.model.reached("input");
      await driver.until((event) => event.type === "message.part.updated" && event.properties.part.type === "tool");
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
    unsteady: END_OF_ENDED_COMMAND,
    script: () => ({ main: [message([bash(ENDLESS)]), say("Here I am.")] }),
    drive: async (driver) => {
      await driver.prompt("Wait for it.");
      await fileAppears(join(driver.cwd, "started"));
      await driver.abort();
      await driver.idle();
      assert.equal(mainRequests(driver.model), 1, "the model is not asked again");
      assert.deepEqual(await toolStatesOf(driver), ["bash error"]);
      await ask(driver, "Are you there?");
    },
  },
  {
    name: "abort-while-blocked",
    title: "The turn is aborted while a command waits for permission; a later answer is refused.",
    requirements: ["abort.blocked", "permission.withdrawn"],
    script: () => ({ main: [message([bash("touch made.txt")])] }),
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
  {
    name: "queue",
    title: "Two prompts wait for the turn that runs, and run after it in their order.",
    requirements: ["turn.queue", "turn.queue-order", "turn.busy"],
    script: () => ({
      main: [message([text("First answer.", { chunk: 6, after: 1, gate: "slow" })]), say("Second."), say("Third.")],
    }),
    drive: async (driver) => {
      await driver.prompt("First.");
      await driver.until(showsText("First"));
      await driver.prompt("Second.", { delivery: "queue" });
      await driver.prompt("Third.");
      await driver.expectError("busy", driver.prompt("Now!", { delivery: "reject" }));
      driver.model.open("slow");
      await driver.idle();
      assert.equal(mainRequests(driver.model), 3);
    },
  },
  {
    name: "abort-drops-queue",
    title: "An abort drops the prompt that waits.",
    requirements: ["abort.queued", "turn.queue"],
    script: () => ({ main: [message([text("First answer, at leisure.", { chunk: 12, after: 1, gate: "slow" })])] }),
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
