import assert from "node:assert/strict";
import { ask, mainRequests, showsText } from "../../claude/steps.js";
import { answer, say, text } from "../../model-server/script.js";
import type { AcpStories } from "../acp-scenario.js";
import { assertRemembers } from "../steps.js";

export const sessionStories: AcpStories = (agent) => [
  {
    name: "resume",
    title: "The agent has ended between two turns; the next prompt brings it back with its history.",
    requirements: ["process.resume"],
    script: () => ({ main: [say("A fine word."), say("Heliotrope.")] }),
    drive: async (driver) => {
      await ask(driver, "Remember heliotrope.");
      driver.killAgent("SIGTERM");
      await driver.agentExited();
      await agent.beforeResume?.(driver);
      await ask(driver, "Which word?");
      assertRemembers(driver.model, "heliotrope");
    },
  },
  {
    name: "queue",
    title: "A prompt that comes while a turn runs waits for its end and is then answered.",
    requirements: ["turn.queue"],
    script: () => ({
      main: [answer([text("First answer, at leisure.", { chunk: 12, after: 1, gate: "slow" })]), say("Second answer.")],
    }),
    drive: async (driver) => {
      await driver.prompt("First.");
      await driver.until(showsText("First answer"));
      await driver.prompt("Second.", { delivery: "queue" });
      driver.model.open("slow");
      await driver.idle();
      assert.equal(mainRequests(driver.model), 2);
    },
  },
];
