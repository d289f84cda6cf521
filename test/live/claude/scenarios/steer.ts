import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { message, say, text } from "../../anthropic/script.js";
import { userTextIn } from "../../anthropic/seen.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { agent, bash } from "../native-tools.js";
import { ask, decideNext, fileAppears, lastRequest, lastToolResults, mainRequests, showsText } from "../steps.js";

/** Tells by a file that it runs, then waits for a line in a pipe. */
const PATIENT = "mkfifo go && touch started && cat go";
const SLOW = message([text("First answer, at leisure.", { chunk: 12, after: 1, gate: "slow" })]);

export const steerScenarios: readonly ClaudeFullScenario[] = [
  {
    name: "steer-during-text",
    title: "A prompt that steers cuts the running text short and is answered at once.",
    requirements: ["steer.text"],
    script: () => ({ main: [SLOW, say("Second answer.")] }),
    drive: async (driver) => {
      await driver.prompt("First.");
      await driver.until(showsText("First answer"));
      await driver.prompt("No, this instead.", { delivery: "steer" });
      await driver.until(showsText("Second answer."));
      await driver.idle();
      assert.match(userTextIn(lastRequest(driver.model)), /No, this instead\./);
      assert.equal(mainRequests(driver.model), 2);
    },
  },
  {
    name: "steer-during-tool",
    title: "A prompt that steers while a command runs reaches the model with the command's result.",
    requirements: ["steer.tool"],
    script: () => ({ main: [message([bash(PATIENT, "Wait")]), say("I heard you.")] }),
    drive: async (driver) => {
      await driver.prompt("First.");
      await decideNext(driver, { decision: "once" });
      await fileAppears(join(driver.cwd, "started"));
      await driver.prompt("And be brief.", { delivery: "steer" });
      await writeFile(join(driver.cwd, "go"), "gone\n");
      await driver.until(showsText("I heard you."));
      await driver.idle();
      // The CLI writes the prompt into the result.
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /^gone[\s\S]*And be brief\./);
      assert.equal(mainRequests(driver.model), 2);
    },
  },
  {
    name: "steer-own-turn",
    title: "A prompt steers into a turn that the agent began by itself: it is answered in a turn of its own.",
    requirements: ["steer.own-turn", "turn.own"],
    script: () => ({
      main: [
        message([agent("slow", "Count slowly", { background: true })]),
        say("It counts."),
        message([text("It counted to three, slowly.", { chunk: 12, after: 1, gate: "slow" })]),
        say("I heard you."),
      ],
      slow: [say("One, two, three.", { gate: "count" })],
    }),
    drive: async (driver) => {
      await driver.prompt("Count in the background.");
      await driver.until(showsText("It counts."));
      await driver.idle();
      driver.model.open("count");
      await driver.until(showsText("It counted"));
      const steered = await driver.prompt("Enough of that.", { delivery: "steer" });
      await driver.until(showsText("I heard you."));
      await driver.idle();
      const { messages } = await driver.request("session.messages", {});
      const last = messages.at(-1)?.info;
      assert(last?.role === "assistant" && last.parentID === steered, "the last answer is the prompt's");
    },
  },
  {
    name: "steer-dropped-by-abort",
    title: "A prompt that steers waits for the end of a command when the turn is aborted: it is never answered.",
    requirements: ["steer.aborted", "abort.queued"],
    script: () => ({ main: [message([bash(PATIENT, "Wait")]), say("Third answer.")] }),
    drive: async (driver) => {
      await driver.prompt("First.");
      await decideNext(driver, { decision: "once" });
      await fileAppears(join(driver.cwd, "started"));
      await driver.prompt("Second, which is dropped.", { delivery: "steer" });
      await driver.abort();
      await driver.idle();
      await ask(driver, "Third.");
      assert.equal(mainRequests(driver.model), 2, "the dropped prompt is no turn");
    },
  },
];
