import assert from "node:assert/strict";
import { access, rm } from "node:fs/promises";
import { join } from "node:path";
import { hang, output, say, text } from "../../openai/script.js";
import { userTextIn } from "../../openai/seen.js";
import type { FullDriver } from "../../scenario.js";
import type { CodexScenario } from "../codex-scenario.js";
import { exec } from "../native-tools.js";
import { ask, fileAppears, lastRequest, mainRequests, sessionOf, showsText, textsOf } from "../steps.js";

async function end(driver: FullDriver): Promise<void> {
  driver.killAgent("SIGTERM");
  await driver.agentExited();
}

export const processScenarios: readonly CodexScenario[] = [
  {
    name: "sigkill-mid-stream",
    title: "The app-server is killed in the middle of a text; the next prompt brings it back with its history.",
    requirements: ["process.exit-mid-stream", "process.resume"],
    script: () => ({
      main: [
        say("I will remember 7."),
        output([text("Once upon a time there was", { after: 1, gate: "tale" })]),
        say("It was 7."),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "Remember 7.");
      await driver.prompt("Tell a tale.");
      await driver.until(showsText("Once upon"));
      driver.killAgent("SIGKILL");
      await driver.idle();
      await ask(driver, "Which number was it?");
      assert.match(userTextIn(lastRequest(driver.model)), /Remember 7\./);
    },
  },
  {
    name: "sigterm-mid-tool",
    title: "The app-server is ended while a command runs.",
    requirements: ["process.exit-mid-tool"],
    session: { mode: "yolo" },
    script: () => ({ main: [output([exec("mkfifo never && touch started && cat never", { yieldMs: 20_000 })])] }),
    drive: async (driver) => {
      await driver.prompt("Wait for it.");
      await fileAppears(join(driver.cwd, "started"));
      await driver.until((event) => event.type === "message.part.updated" && event.properties.part.type === "tool");
      driver.killAgent("SIGTERM");
      await driver.idle();
    },
  },
  {
    name: "sigkill-while-blocked",
    title: "The app-server is killed while a command waits for permission.",
    requirements: ["process.exit-blocked"],
    script: () => ({ main: [output([exec("touch made.txt")])] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      const [pending] = await driver.blocked();
      assert(pending);
      driver.killAgent("SIGKILL");
      await driver.idle();
      await driver.expectError("conflict", driver.reply(pending.block.id, { decision: "once" }));
    },
  },
  {
    name: "sigkill-in-first-turn",
    title: "The app-server is killed in its very first turn, which is on disk already: the next prompt resumes it.",
    requirements: ["process.exit-mid-stream", "process.resume"],
    script: () => ({ main: [hang("asked"), say("Here I am.")] }),
    drive: async (driver) => {
      await driver.prompt("Hello?");
      await driver.model.reached("asked");
      driver.killAgent("SIGKILL");
      await driver.idle();
      await ask(driver, "Are you there?");
      assert.match(userTextIn(lastRequest(driver.model)), /Hello\?/);
    },
  },
  {
    name: "nothing-to-resume",
    title: "What the killed app-server had written is gone, and no turn had ended: the next prompt starts anew.",
    requirements: ["process.restart-without-history"],
    script: () => ({ main: [hang("asked"), say("Here I am.")] }),
    drive: async (driver) => {
      await driver.prompt("Hello?");
      await driver.model.reached("asked");
      driver.killAgent("SIGKILL");
      await driver.idle();
      await rm(join(driver.home, ".codex/sessions"), { recursive: true });
      await ask(driver, "Are you there?");
    },
  },
  {
    name: "history-is-gone",
    title:
      "A conversation that had a history is gone from the disk: that is an error, and only the prompt after it begins anew.",
    requirements: ["session.history-lost"],
    script: () => ({ main: [say("First answer."), say("A new beginning.")] }),
    drive: async (driver) => {
      await ask(driver, "One.");
      await end(driver);
      await rm(join(driver.home, ".codex/sessions"), { recursive: true });
      await ask(driver, "Two.");
      const { session } = await driver.request("session.get");
      assert.equal(session.error?.name, "invalid_request");
      await ask(driver, "Three.");
    },
  },
  {
    name: "queued-prompt-survives-exit",
    title: "The app-server is killed while a prompt waits: the prompt goes to the next process.",
    requirements: ["turn.queue", "process.exit-mid-stream"],
    script: () => ({
      main: [output([text("Once upon a time there was", { after: 1, gate: "tale" })]), say("Second answer.")],
    }),
    drive: async (driver) => {
      await driver.prompt("First.");
      await driver.until(showsText("Once upon"));
      await driver.prompt("Second.", { delivery: "queue" });
      driver.killAgent("SIGKILL");
      await driver.idle();
      assert.equal(mainRequests(driver.model), 2);
    },
  },
  {
    name: "bad-config",
    title: "The user's configuration is broken: the turn fails with what the CLI says of it.",
    requirements: ["process.bad-config"],
    config: "[nonsense",
    script: () => ({ main: [] }),
    drive: async (driver) => {
      await ask(driver, "Hello?");
      const { session } = await driver.request("session.get");
      assert.match(session.error?.message ?? "", /configuration/);
    },
  },
  {
    name: "resume-keeps-sandbox",
    title: "The CLI that resumes a conversation would give it another sandbox: it has the one of its mode.",
    requirements: ["process.resume", "session.resume-policy"],
    session: { mode: "safe-yolo" },
    script: () => ({ main: [say("First answer."), output([exec("touch made.txt")]), say("Made.")] }),
    drive: async (driver) => {
      await ask(driver, "One.");
      await end(driver);
      await ask(driver, "Make it.");
      await access(join(driver.cwd, "made.txt"));
      const native = (await sessionOf(driver)).metadata?.native as { approvalPolicy?: unknown; sandbox?: unknown };
      assert.deepEqual([native.approvalPolicy, native.sandbox], ["never", "workspaceWrite"]);
    },
  },
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
      await ask(driver, "And now?");
      assert.match(userTextIn(lastRequest(driver.model)), /This is the first prompt\./);
      assert.deepEqual(await textsOf(driver), ["First answer.", "Second answer."]);
    },
  },
];
