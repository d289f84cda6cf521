import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { message, say } from "../../anthropic/script.js";
import { userTextIn } from "../../anthropic/seen.js";
import type { FullDriver } from "../../scenario.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { bash } from "../native-tools.js";
import { ask, decideNext, lastRequest, lastToolResults, mainRequests, sessionOf, textsOf } from "../steps.js";

async function end(driver: FullDriver): Promise<void> {
  driver.killAgent("SIGTERM");
  await driver.agentExited();
}

/** Forks, and sends the fork a prompt. */
async function fork(driver: FullDriver, messageID?: string): Promise<string> {
  const { session } = await driver.request("session.fork", messageID === undefined ? {} : { messageID });
  const sessionID = session.id;
  await driver.request("session.prompt", { sessionID, parts: [{ type: "text", text: "Go another way." }] });
  await driver.idle(sessionID);
  return sessionID;
}

export const sessionScenarios: readonly ClaudeFullScenario[] = [
  {
    name: "resume-without-prompt",
    title: "A session whose agent has ended is resumed; its agent waits for a prompt and knows the conversation.",
    requirements: ["session.resume", "process.resume"],
    script: () => ({ main: [say("First answer."), say("Second answer.")] }),
    drive: async (driver) => {
      await ask(driver, "This is the first prompt.");
      await end(driver);
      await driver.request("session.resume");
      assert(driver.agentRuns(), "the agent runs");
      assert.equal(mainRequests(driver.model), 1, "the model is not asked");
      await ask(driver, "And now?");
      assert.match(userTextIn(lastRequest(driver.model)), /This is the first prompt\./);
      assert.deepEqual(await textsOf(driver), ["First answer.", "Second answer."]);
    },
  },
  {
    name: "bash-rebuilt",
    title: "While a command waits, its session is built anew from what is stored; it is allowed and runs.",
    requirements: ["permission.rebuilt"],
    script: () => ({ main: [message([bash("touch made.txt && echo made", "Create made.txt")]), say("Created.")] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      const [waiting] = await driver.blocked();
      driver.rebuild();
      assert.deepEqual(await driver.blocked(), [waiting]);
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /^made\n/);
    },
  },
  {
    name: "fork-whole",
    title: "A session is forked with all its history; both go on by themselves.",
    requirements: ["session.fork"],
    script: () => ({ main: [say("First answer."), say("Answer of the fork."), say("Answer of the first.")] }),
    drive: async (driver) => {
      await ask(driver, "This is the first prompt.");
      const forked = await fork(driver);
      assert.match(userTextIn(lastRequest(driver.model)), /This is the first prompt\./);
      assert.deepEqual(await textsOf(driver, forked), ["First answer.", "Answer of the fork."]);
      await ask(driver, "Stay here.");
      assert.doesNotMatch(userTextIn(lastRequest(driver.model)), /Go another way\./);
      assert.deepEqual(await textsOf(driver), ["First answer.", "Answer of the first."]);
    },
  },
  {
    name: "fork-from-message",
    title: "A session is forked at its second prompt: the fork knows only what came before it.",
    requirements: ["session.fork", "session.fork-from-message"],
    script: () => ({ main: [say("First answer."), say("Second answer."), say("Answer of the fork.")] }),
    drive: async (driver) => {
      await ask(driver, "This is the first prompt.");
      const second = await driver.prompt("This is the second prompt.");
      await driver.idle();
      const forked = await fork(driver, second);
      const heard = userTextIn(lastRequest(driver.model));
      assert.match(heard, /This is the first prompt\./);
      assert.doesNotMatch(heard, /This is the second prompt\./);
      assert.deepEqual(await textsOf(driver, forked), ["First answer.", "Answer of the fork."]);
    },
  },
  {
    name: "history-lost",
    title: "The agent's history is gone: the next prompt fails and says so, the one after it begins anew.",
    requirements: ["session.history-lost"],
    script: () => ({ main: [say("First answer."), say("Third answer.")] }),
    drive: async (driver) => {
      await ask(driver, "This is the first prompt.");
      await end(driver);
      await rm(join(driver.home, ".claude", "projects"), { recursive: true });
      await ask(driver, "This is the second prompt.");
      assert((await sessionOf(driver)).error !== undefined, "the failure is on the session");
      assert.equal(mainRequests(driver.model), 1, "the second prompt is not answered");
      await driver.agentExited();
      await ask(driver, "This is the third prompt.");
      assert.equal((await sessionOf(driver)).error, undefined);
      assert.doesNotMatch(userTextIn(lastRequest(driver.model)), /first prompt/);
    },
  },
];
