import assert from "node:assert/strict";
import { join } from "node:path";
import { answer, hang, httpError, say, text } from "../../model-server/script.js";
import { ask, ENDLESS, endEndless, fileAppears, showsText, textsOf } from "../../steps.js";
import type { AcpAgent } from "../acp-agent.js";
import type { AcpScenario, AcpStories } from "../acp-scenario.js";
import { allow, asksFor } from "../steps.js";

const TALE = answer([text("Once upon a time there was", { chunk: 10, after: 1, gate: "tale" })]);

export const endingStories: AcpStories = (agent) => [
  {
    name: "abort-mid-stream",
    title: "The turn is aborted in the middle of a text; the next prompt is answered.",
    requirements: ["abort.mid-stream", "turn.finish-aborted", "turn.after-abort"],
    script: () => ({ main: [TALE, say("Here I am.")] }),
    drive: async (driver) => {
      await driver.prompt("Tell a tale.");
      await driver.until(showsText("Once upon"));
      await driver.abort();
      await driver.idle();
      await ask(driver, "Are you there?");
      assert.equal((await textsOf(driver)).at(-1), "Here I am.");
    },
  },
  {
    name: "abort-mid-tool",
    title: "The turn is aborted while a command runs.",
    requirements: ["abort.mid-tool", "turn.finish-aborted"],
    script: () => ({ main: [answer([agent.tools.shell(ENDLESS)])] }),
    drive: async (driver) => {
      await driver.prompt("Wait for it.");
      await allow(agent, driver, "shell");
      await fileAppears(join(driver.cwd, "started"));
      await driver.abort();
      await driver.idle();
      await endEndless(driver.cwd);
    },
  },
  ...(asksFor(agent, "shell") ? [blockedStory(agent), killedBlockedStory(agent)] : []),
  {
    name: "abort-before-first-token",
    title: "The turn is aborted while the model has not said anything yet.",
    requirements: ["abort.before-first-token"],
    script: () => ({ main: [hang("asked")] }),
    drive: async (driver) => {
      await driver.prompt("Think about it.");
      await driver.model.reached("asked");
      await driver.abort();
      await driver.idle();
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
    name: "error-auth",
    title: "The model's API does not accept the key.",
    requirements: ["error.auth"],
    script: () => ({ main: times(agent.habits.tries.auth, httpError(401, "no such key")) }),
    drive: (driver) => ask(driver, "Hello?"),
  },
  {
    name: "error-request",
    title: "The model's API refuses the request; the next prompt is answered.",
    requirements: ["error.invalid-request", "turn.after-error"],
    script: () => ({ main: [...times(agent.habits.tries.request, httpError(400, "bad request")), say("Here I am.")] }),
    drive: async (driver) => {
      await ask(driver, "Hello?");
      await ask(driver, "Are you there?");
      assert.equal((await textsOf(driver)).at(-1), "Here I am.");
    },
  },
  {
    name: "sigkill-mid-tool",
    title: "The agent is killed while a command runs.",
    requirements: ["process.exit-mid-tool"],
    script: () => ({ main: [answer([agent.tools.shell(ENDLESS)])] }),
    drive: async (driver) => {
      await driver.prompt("Wait for it.");
      await allow(agent, driver, "shell");
      await fileAppears(join(driver.cwd, "started"));
      driver.killAgent("SIGKILL");
      await driver.idle();
      await endEndless(driver.cwd);
    },
  },
  {
    name: "refusal",
    title: "The model refuses.",
    requirements: ["turn.finish-refusal"],
    script: () => ({ main: times(agent.habits.tries.refusal, say("No.", { finish: "refusal" })) }),
    drive: (driver) => ask(driver, "Do something bad."),
  },
  {
    name: "sigkill-mid-stream",
    title: "The agent is killed in the middle of its second answer; the next prompt is answered.",
    requirements: ["process.exit-mid-stream"],
    script: () => ({ main: [say("First answer."), TALE, say("I am back.")] }),
    drive: async (driver) => {
      await ask(driver, "Hello?");
      await driver.prompt("Tell a tale.");
      await driver.until(showsText("Once upon"));
      driver.killAgent("SIGKILL");
      await driver.idle();
      await agent.beforeResume?.(driver);
      await ask(driver, "And now?");
      assert.equal((await textsOf(driver)).at(-1), "I am back.");
    },
  },
];

function blockedStory(agent: AcpAgent): AcpScenario {
  return {
    name: "abort-blocked",
    title: "The turn is aborted while a command waits for permission; a later answer is refused.",
    requirements: ["abort.blocked", "permission.withdrawn"],
    script: () => ({ main: [answer([agent.tools.shell("touch made.txt")])] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      const [pending] = await driver.blocked();
      assert(pending !== undefined, "a tool is blocked");
      await driver.abort();
      await driver.idle();
      await driver.expectError("conflict", driver.reply(pending.block.id, { decision: "once" }));
    },
  };
}

function killedBlockedStory(agent: AcpAgent): AcpScenario {
  return {
    name: "sigkill-while-blocked",
    title: "The agent is killed while a command waits for permission.",
    requirements: ["process.exit-blocked"],
    script: () => ({ main: [answer([agent.tools.shell("touch made.txt")])] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      const [pending] = await driver.blocked();
      assert(pending !== undefined, "a tool is blocked");
      driver.killAgent("SIGKILL");
      await driver.idle();
      await driver.expectError("conflict", driver.reply(pending.block.id, { decision: "once" }));
    },
  };
}

function times<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}
