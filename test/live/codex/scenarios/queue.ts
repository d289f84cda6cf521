import assert from "node:assert/strict";
import { output, say, text } from "../../openai/script.js";
import { userTextIn } from "../../openai/seen.js";
import { REFUSED_WHILE_BUSY } from "../../stories.js";
import type { CodexScenario } from "../codex-scenario.js";
import { exec } from "../native-tools.js";
import { ask, lastRequest, mainRequests, showsText, textsOf } from "../steps.js";

const SLOW = output([text("First answer, at leisure.", { chunk: 12, after: 1, gate: "slow" })]);

export const queueScenarios: readonly CodexScenario[] = [
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
      const second = driver.model.requests[1];
      assert(second !== undefined && !userTextIn(second).includes("Third."), "each prompt is a turn of its own");
    },
  },
  {
    ...REFUSED_WHILE_BUSY,
    script: () => ({ main: [SLOW] }),
  },
  {
    name: "steer-mid-text",
    title: "A prompt joins the running turn: the text that streams is cut, and the model answers anew.",
    requirements: ["steer.text"],
    script: () => ({ main: [SLOW, say("Second answer.")] }),
    drive: async (driver) => {
      await driver.prompt("First.");
      await driver.until(showsText("First answer"));
      await driver.prompt("Do it differently.", { delivery: "steer" });
      await driver.idle();
      assert.match(userTextIn(lastRequest(driver.model)), /Do it differently/);
      assert.equal((await textsOf(driver)).at(-1), "Second answer.");
    },
  },
  {
    name: "steer-while-blocked",
    title: "A prompt joins a turn whose command waits for permission: the model reads it behind the command's result.",
    requirements: ["steer.tool", "permission.once"],
    script: () => ({ main: [output([exec("touch made.txt")]), say("As you like.")] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      const [pending] = await driver.blocked();
      assert(pending);
      await driver.prompt("And be quick.", { delivery: "steer" });
      await driver.reply(pending.block.id, { decision: "once" });
      await driver.idle();
      assert.equal(mainRequests(driver.model), 2);
      assert.match(userTextIn(lastRequest(driver.model)), /And be quick/);
    },
  },
  {
    name: "steer-dropped-by-abort",
    title: "A prompt that joins a turn waits for a decision when the turn is aborted: it is never answered.",
    requirements: ["steer.aborted"],
    script: () => ({ main: [output([exec("touch made.txt")]), say("Third answer.")] }),
    drive: async (driver) => {
      await driver.prompt("First.");
      await driver.blocked();
      await driver.prompt("Second, which is dropped.", { delivery: "steer" });
      await driver.abort();
      await driver.idle();
      await ask(driver, "Third.");
      assert.equal(mainRequests(driver.model), 2, "the dropped prompt is no turn");
    },
  },
];
