import assert from "node:assert/strict";
import { answer, say, text } from "../../model-server/script.js";
import { ask, mainRequests, showsText, textsOf } from "../../steps.js";
import type { AcpStories } from "../acp-scenario.js";
import { assertRemembers } from "../steps.js";

const SLOW = answer([text("First answer, at leisure.", { chunk: 12, after: 1, gate: "slow" })]);

export const sessionStories: AcpStories = (agent) => [
  {
    name: "resume",
    title: "The agent has ended between two turns; the next prompt brings it back with its history.",
    requirements: ["process.resume"],
    script: () => ({ main: [say("A fine word."), say("Heliotrope.")] }),
    drive: async (driver) => {
      await ask(driver, "Remember heliotrope.");
      await agent.written?.(driver, "A fine word.");
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
  {
    name: "busy",
    title: "A prompt that does not want to wait is refused while a turn runs.",
    requirements: ["turn.busy"],
    script: () => ({ main: [SLOW] }),
    drive: async (driver) => {
      await driver.prompt("First.");
      await driver.until(showsText("First answer"));
      await driver.expectError("busy", driver.prompt("Second.", { delivery: "reject" }));
      driver.model.open("slow");
      await driver.idle();
    },
  },
  {
    name: "abort-with-queue",
    title: "An abort ends the running turn and drops the prompt that waits.",
    requirements: ["abort.queued"],
    script: () => ({ main: [SLOW] }),
    drive: async (driver) => {
      await driver.prompt("First.");
      await driver.until(showsText("First answer"));
      await driver.prompt("Second.", { delivery: "queue" });
      await driver.abort();
      await driver.idle();
      assert.equal(mainRequests(driver.model), 1);
    },
  },
  {
    name: "resume-without-prompt",
    title: "A session whose agent has ended is resumed; its agent waits for a prompt and knows the conversation.",
    requirements: ["session.resume"],
    script: () => ({ main: [say("A fine word."), say("Heliotrope.")] }),
    drive: async (driver) => {
      await ask(driver, "Remember heliotrope.");
      await agent.written?.(driver, "A fine word.");
      driver.killAgent("SIGTERM");
      await driver.agentExited();
      await agent.beforeResume?.(driver);
      await driver.request("session.resume");
      assert(driver.agentRuns(), "the agent runs");
      assert.equal(mainRequests(driver.model), 1, "the model is not asked");
      await ask(driver, "Which word?");
      assertRemembers(driver.model, "heliotrope");
    },
  },
  {
    name: "fork",
    title: "A session is forked with all its history, and the fork goes on by itself.",
    requirements: ["session.fork"],
    script: () => ({ main: [say("A fine word."), say("Heliotrope.")] }),
    drive: async (driver) => {
      await ask(driver, "Remember heliotrope.");
      const { session } = await driver.request("session.fork");
      await driver.request("session.prompt", { sessionID: session.id, parts: [{ type: "text", text: "Which word?" }] });
      await driver.idle(session.id);
      assertRemembers(driver.model, "heliotrope");
      assert.deepEqual(await textsOf(driver, session.id), ["A fine word.", "Heliotrope."]);
    },
  },
];
