import assert from "node:assert/strict";
import { message, say, text } from "../../anthropic/script.js";
import type { ScenarioDirs } from "../../scenario.js";
import { ALWAYS, REJECT_INTERRUPT } from "../../stories.js";
import type { ClaudeScenario } from "../claude-scenario.js";
import { bash } from "../native-tools.js";
import { ask, decideNext, lastToolResults, putFile } from "../steps.js";

const touch = (file: string) => bash(`touch ${file}`, `Create ${file}`);

// A script of the project is a command the CLI has no opinion on: what it suggests for "always" is one plain rule.
const COUNT = bash("sh count.sh", "Count");

function countScript({ cwd }: ScenarioDirs): Promise<void> {
  return putFile(cwd, "count.sh", "printf x >> count\n");
}

export const permissionScenarios: readonly ClaudeScenario[] = [
  {
    name: "bash-once",
    title: "A command is asked for, allowed once and runs.",
    requirements: ["permission.once", "tool.completed", "tool.output"],
    script: () => ({
      main: [message([text("I create it."), bash("touch made.txt && echo made", "Create made.txt")]), say("Created.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      const [result] = lastToolResults(driver.model);
      assert.deepEqual([result?.id, result?.isError], ["toolu_0001", false]);
      assert.match(result?.text ?? "", /^made\n/);
    },
  },
  {
    name: "bash-reject-message",
    title: "A command is rejected with a message; the model reads it and goes on.",
    requirements: ["permission.reject", "permission.reject-message"],
    script: () => ({ main: [message([touch("made.txt")]), say("Then I will not.")] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      await decideNext(driver, { decision: "reject", message: "Use another name, please." });
      await driver.idle();
      const [result] = lastToolResults(driver.model);
      assert.equal(result?.isError, true);
      assert.match(result?.text ?? "", /another name/);
    },
  },
  {
    ...REJECT_INTERRUPT,
    name: "bash-reject-interrupt",
    script: () => ({ main: [message([touch("made.txt")])] }),
  },
  {
    ...ALWAYS,
    name: "bash-always",
    setup: countScript,
    script: () => ({ main: [message([COUNT]), say("Once."), message([COUNT]), say("Twice.")] }),
  },
  {
    name: "bash-always-other-command",
    title: "A command is always allowed; one that the rule does not cover is still asked for.",
    requirements: ["permission.always", "permission.always-is-narrow"],
    setup: countScript,
    script: () => ({
      main: [message([COUNT]), message([bash("mkfifo pipe", "Make a pipe")]), say("No pipe, then.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Count, then make a pipe.");
      await decideNext(driver, { decision: "always" });
      await decideNext(driver, { decision: "reject" });
      await driver.idle();
      assert.equal(lastToolResults(driver.model).at(-1)?.isError, true);
    },
  },
  {
    name: "bash-always-file-command",
    title:
      "A command that makes a file is always allowed; the CLI suggests a folder and acceptEdits mode beside the rule.",
    requirements: ["permission.always", "permission.always-wide-suggestion"],
    script: () => ({ main: [message([touch("a.txt")]), say("Created.")] }),
    drive: async (driver) => {
      await driver.prompt("Create a.txt.");
      await decideNext(driver, { decision: "always" });
      await driver.idle();
      assert.equal(lastToolResults(driver.model)[0]?.isError, false);
    },
  },
  {
    name: "session-rule-allows",
    title: "A rule of the session allows a command that the CLI asks for.",
    requirements: ["permission.rule-allow"],
    session: { permission: [{ permission: "bash", pattern: "*", action: "allow" }] },
    script: () => ({ main: [message([touch("a.txt")]), say("Created.")] }),
    drive: async (driver) => {
      await ask(driver, "Create a.txt.");
      assert.equal(lastToolResults(driver.model)[0]?.isError, false);
    },
  },
  {
    name: "session-rule-denies",
    title: "A rule of the session denies a command that the CLI asks for.",
    requirements: ["permission.rule-deny"],
    session: { permission: [{ permission: "bash", pattern: "*", action: "deny" }] },
    script: () => ({ main: [message([touch("a.txt")]), say("Not allowed.")] }),
    drive: async (driver) => {
      await ask(driver, "Create a.txt.");
      assert.equal(lastToolResults(driver.model)[0]?.isError, true);
    },
  },
  {
    name: "late-reply",
    title: "A second answer to the same question is refused; the first one stands.",
    requirements: ["permission.first-wins"],
    script: () => ({ main: [message([touch("a.txt")]), say("Created.")] }),
    drive: async (driver) => {
      await driver.prompt("Create a.txt.");
      const { block } = await decideNext(driver, { decision: "once" });
      await driver.expectError("conflict", driver.reply(block.id, { decision: "reject" }));
      await driver.idle();
      assert.equal(lastToolResults(driver.model)[0]?.isError, false);
    },
  },
];
