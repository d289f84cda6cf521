import assert from "node:assert/strict";
import { message, say } from "../../anthropic/script.js";
import type { ClaudeScenario } from "../claude-scenario.js";
import { bash, read, write } from "../native-tools.js";
import { ask, decideNext, lastToolResults, putFile } from "../steps.js";

const DENY_TOUCH = JSON.stringify({ permissions: { deny: ["Bash(touch:*)"] } });
const ALLOW_TOUCH = JSON.stringify({ permissions: { allow: ["Bash(touch:*)"] } });
const touch = () => message([bash("touch made.txt", "Create made.txt")]);

export const modeScenarios: readonly ClaudeScenario[] = [
  {
    name: "accept-edits-mode",
    title: "In acceptEdits mode a file is written unasked, a command still asks.",
    requirements: ["mode.acceptEdits", "permission.decided-by-agent"],
    session: { mode: "acceptEdits" },
    script: ({ cwd }) => ({
      main: [message([write(cwd, "free.txt", "free\n")]), message([bash("git init -q .", "Init")]), say("Done.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Write free.txt and make a repository.");
      const { tool } = await decideNext(driver, { decision: "reject" });
      assert.equal(tool, "bash", "only the command is asked for");
      await driver.idle();
    },
  },
  {
    name: "plan-mode-reads",
    title: "In plan mode the agent only reads and answers.",
    requirements: ["mode.plan", "tool.read"],
    session: { mode: "plan" },
    script: ({ cwd }) => ({ main: [message([read(cwd, "notes.txt")]), say("The plan: nothing to do.")] }),
    setup: ({ cwd }) => putFile(cwd, "notes.txt", "all is well\n"),
    drive: async (driver) => {
      await ask(driver, "Plan the work in notes.txt.");
      assert.equal(lastToolResults(driver.model)[0]?.isError, false);
    },
  },
  {
    name: "read-only-mode",
    title: "In read-only mode a command that writes fails and nobody is asked.",
    requirements: ["mode.read-only", "permission.denied-by-mode"],
    session: { mode: "read-only" },
    script: () => ({ main: [touch(), say("I may not.")] }),
    drive: async (driver) => {
      await ask(driver, "Create made.txt.");
      assert.equal(lastToolResults(driver.model)[0]?.isError, true);
    },
  },
  {
    name: "project-deny-rule",
    title: "A deny rule in the project's own settings fails a command and nobody is asked.",
    requirements: ["permission.decided-by-agent", "permission.denied-by-project"],
    setup: ({ cwd }) => putFile(cwd, ".claude/settings.json", DENY_TOUCH),
    script: () => ({ main: [touch(), say("It is forbidden.")] }),
    drive: async (driver) => {
      await ask(driver, "Create made.txt.");
      assert.equal(lastToolResults(driver.model)[0]?.isError, true);
    },
  },
  {
    name: "user-allow-rule",
    title: "An allow rule in the user's own settings runs a command and nobody is asked.",
    requirements: ["permission.decided-by-agent", "permission.allowed-by-user-settings"],
    setup: ({ home }) => putFile(home, ".claude/settings.json", ALLOW_TOUCH),
    script: () => ({ main: [touch(), say("Created.")] }),
    drive: async (driver) => {
      await ask(driver, "Create made.txt.");
      assert.equal(lastToolResults(driver.model)[0]?.isError, false);
    },
  },
  {
    name: "untrusted-project-allow-rule",
    title: "An allow rule in the settings of a project that nobody trusted yet is ignored: the command is asked for.",
    requirements: ["permission.untrusted-project"],
    setup: ({ cwd }) => putFile(cwd, ".claude/settings.json", ALLOW_TOUCH),
    script: () => ({ main: [touch(), say("Then not.")] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      await decideNext(driver, { decision: "reject" });
      await driver.idle();
    },
  },
];
