import assert from "node:assert/strict";
import { message, say, text } from "../../anthropic/script.js";
import { userTextIn } from "../../anthropic/seen.js";
import { REFUSED_WHILE_BUSY } from "../../stories.js";
import type { ClaudeScenario } from "../claude-scenario.js";
import { bash } from "../native-tools.js";
import { mainRequests, showsText } from "../steps.js";

const SLOW = message([text("First answer, at leisure.", { chunk: 12, after: 1, gate: "slow" })]);

export const queueScenarios: readonly ClaudeScenario[] = [
  {
    name: "queued-prompt",
    title: "A prompt that comes while a turn runs waits for its end and is then answered.",
    requirements: ["turn.queue"],
    script: () => ({ main: [SLOW, say("Second answer.")] }),
    drive: async (driver) => {
      await driver.prompt("First.");
      await driver.until(showsText("First answer"));
      await driver.prompt("Second.", { delivery: "queue" });
      driver.model.open("slow");
      await driver.idle();
      assert.equal(mainRequests(driver.model), 2);
    },
  },
  {
    name: "queued-prompts-in-order",
    title: "Two waiting prompts are answered one by one, in the order in which they came.",
    requirements: ["turn.queue", "turn.queue-order"],
    script: () => ({ main: [SLOW, say("Second answer."), say("Third answer.")] }),
    drive: async (driver) => {
      await driver.prompt("First.");
      await driver.until(showsText("First answer"));
      await driver.prompt("Second.", { delivery: "queue" });
      await driver.prompt("Third.", { delivery: "queue" });
      driver.model.open("slow");
      await driver.idle();
      const second = driver.model.requests.filter((request) => request.lane === "main")[1];
      assert(second !== undefined && !userTextIn(second).includes("Third."), "each prompt is a turn of its own");
    },
  },
  {
    name: "queued-prompt-during-tool",
    title: "A prompt that comes while a command waits for permission waits for the end of the turn.",
    requirements: ["turn.queue", "permission.once"],
    script: () => ({
      main: [message([bash("touch made.txt", "Create made.txt")]), say("Created."), say("Second answer.")],
    }),
    drive: async (driver) => {
      await driver.prompt("First.");
      const [pending] = await driver.blocked();
      assert(pending !== undefined, "a tool is blocked");
      await driver.prompt("Second.", { delivery: "queue" });
      await driver.reply(pending.block.id, { decision: "once" });
      await driver.idle();
    },
  },
  {
    name: "abort-with-queue",
    title: "An abort ends the running turn and drops the prompt that waits.",
    requirements: ["abort.queued", "turn.queue"],
    script: () => ({ main: [SLOW, say("Third answer.")] }),
    drive: async (driver) => {
      await driver.prompt("First.");
      await driver.until(showsText("First answer"));
      await driver.prompt("Second, which is never sent.", { delivery: "queue" });
      await driver.abort();
      await driver.idle();
      await driver.prompt("Third.");
      await driver.idle();
      const last = driver.model.requests.findLast((request) => request.lane === "main");
      assert(last !== undefined && !userTextIn(last).includes("never sent"), "the model never reads a dropped prompt");
    },
  },
  {
    ...REFUSED_WHILE_BUSY,
    script: () => ({ main: [SLOW] }),
  },
];
