import assert from "node:assert/strict";
import { join } from "node:path";
import { message, say, text } from "../../anthropic/script.js";
import { userTextIn } from "../../anthropic/seen.js";
import type { Driver } from "../../scenario.js";
import type { ClaudeScenario } from "../claude-scenario.js";
import { bash } from "../native-tools.js";
import { ask, decideNext, fileAppears, showsText } from "../steps.js";

const FIRST = "This is the first prompt.";
const TALE = message([text("Once upon a time there was", { after: 1, gate: "tale" })]);

/** After the agent has died the next prompt starts it anew, with the conversation so far. */
async function goOn(driver: Driver): Promise<void> {
  await driver.idle();
  await ask(driver, "And now?");
  const last = driver.model.requests.findLast((request) => request.lane === "main");
  assert(last !== undefined && userTextIn(last).includes(FIRST), "the conversation is taken up again");
}

export const processScenarios: readonly ClaudeScenario[] = [
  {
    name: "sigterm-mid-tool",
    title: "The CLI is terminated while a command runs; the next prompt resumes the session.",
    requirements: ["process.exit-mid-tool", "process.resume"],
    script: () => ({
      main: [message([bash("mkfifo never && touch started && cat never", "Wait")]), say("I am back.")],
    }),
    drive: async (driver) => {
      await driver.prompt(FIRST);
      await decideNext(driver, { decision: "once" });
      await fileAppears(join(driver.cwd, "started"));
      driver.killAgent("SIGTERM");
      await goOn(driver);
    },
  },
  {
    name: "sigkill-mid-stream",
    title: "The CLI is killed in the middle of its second answer; the next prompt resumes the session.",
    requirements: ["process.exit-mid-stream", "process.resume"],
    script: () => ({ main: [say("First answer."), TALE, say("I am back.")] }),
    drive: async (driver) => {
      await ask(driver, FIRST);
      await driver.prompt("Tell a tale.");
      await driver.until(showsText("Once upon"));
      driver.killAgent("SIGKILL");
      await goOn(driver);
    },
  },
  {
    name: "sigkill-while-blocked",
    title: "The CLI is killed while a command waits for permission; the next prompt resumes the session.",
    requirements: ["process.exit-blocked", "process.resume"],
    script: () => ({
      main: [say("First answer."), message([bash("touch made.txt", "Create made.txt")]), say("I am back.")],
    }),
    drive: async (driver) => {
      await ask(driver, FIRST);
      await driver.prompt("Create made.txt.");
      const [pending] = await driver.blocked();
      assert(pending !== undefined, "a tool is blocked");
      driver.killAgent("SIGKILL");
      await driver.idle();
      await driver.expectError("conflict", driver.reply(pending.block.id, { decision: "once" }));
      await goOn(driver);
    },
  },
  {
    name: "sigkill-in-first-turn",
    title:
      "The CLI is killed before it has written its session to disk: there is nothing to resume, the next prompt works.",
    requirements: ["process.exit-mid-stream", "process.restart-without-history"],
    script: () => ({ main: [TALE, say("Who are you?")] }),
    drive: async (driver) => {
      await driver.prompt("Tell a tale.");
      await driver.until(showsText("Once upon"));
      driver.killAgent("SIGKILL");
      await driver.idle();
      await ask(driver, "And now?");
    },
  },
];
