import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { message, say } from "../../anthropic/script.js";
import { bash, edit, read, write } from "../native-tools.js";
import type { OpencodeScenario } from "../opencode-scenario.js";
import { ask, decideNext, putFile, toolStatesOf } from "../steps.js";

const isThere = (directory: string, file: string) =>
  access(join(directory, file)).then(
    () => true,
    () => false,
  );

export const modeScenarios: readonly OpencodeScenario[] = [
  {
    name: "accept-edits-mode",
    title: "In acceptEdits mode a file is written unasked, and a command is asked for.",
    requirements: ["mode.acceptEdits"],
    session: { mode: "acceptEdits" },
    script: ({ cwd }) => ({
      main: [message([write(cwd, "a.txt", "a\n")]), message([bash("touch b.txt")]), say("Both.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Write, then run.");
      const { tool } = await decideNext(driver, { decision: "once" });
      assert.equal(tool, "bash");
      await driver.idle();
    },
  },
  {
    name: "plan-mode",
    title: "In plan mode the agent reads and answers; it has no way to write, and commands are asked for.",
    requirements: ["mode.plan"],
    session: { mode: "plan" },
    setup: ({ cwd }) => putFile(cwd, "notes.txt", "alpha\n"),
    script: ({ cwd }) => ({
      main: [
        message([read(cwd, "notes.txt")]),
        message([edit(cwd, "notes.txt", "alpha", "omega")]),
        message([bash("touch b.txt")]),
        say("This is the plan."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Plan.");
      const { tool } = await decideNext(driver, { decision: "reject", message: "Not now." });
      assert.equal(tool, "bash");
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["read completed", "edit error", "bash error"]);
    },
  },
  {
    name: "read-only-mode",
    title: "In read-only mode nothing is written and no command runs, and nothing is asked.",
    requirements: ["mode.read-only", "permission.denied-by-mode"],
    session: { mode: "read-only" },
    script: ({ cwd }) => ({
      main: [message([write(cwd, "a.txt", "a\n")]), message([bash("touch b.txt")]), say("I may not.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Write, then run.");
      assert.deepEqual([await isThere(driver.cwd, "a.txt"), await isThere(driver.cwd, "b.txt")], [false, false]);
      assert.deepEqual(await toolStatesOf(driver), ["write error", "bash error"]);
    },
  },
  {
    name: "bypass-mode",
    title: "In bypassPermissions mode nothing is asked.",
    requirements: ["mode.bypassPermissions"],
    session: { mode: "bypassPermissions" },
    config: { permission: { bash: "ask" } },
    script: ({ cwd }) => ({
      main: [message([write(cwd, "a.txt", "a\n")]), message([bash("touch b.txt")]), say("Both.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Write, then run.");
      assert.deepEqual(await toolStatesOf(driver), ["write completed", "bash completed"]);
    },
  },
  {
    name: "bypass-keeps-denials",
    title: "In bypassPermissions mode what the user's configuration denies stays denied.",
    requirements: ["permission.user-denial-kept", "permission.decided-by-agent"],
    session: { mode: "bypassPermissions" },
    config: { permission: { bash: { "*": "allow", "touch *": "deny" } } },
    script: () => ({ main: [message([bash("touch b.txt")]), say("I may not.")] }),
    drive: async (driver) => {
      await ask(driver, "Run it.");
      assert.equal(await isThere(driver.cwd, "b.txt"), false);
    },
  },
  {
    name: "mode-set",
    title: "The mode changes between two turns: what was asked for runs unasked, with the history as it was.",
    requirements: ["mode.set"],
    script: () => ({
      main: [message([bash("touch a.txt")]), say("One."), message([bash("touch b.txt")]), say("Two.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Create a.txt.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      await driver.request("session.setMode", { mode: "yolo" });
      await ask(driver, "Create b.txt.");
      assert.equal(await isThere(driver.cwd, "b.txt"), true);
    },
  },
  {
    name: "mode-unsupported",
    title: "A mode that OpenCode lacks is refused, and the old one stays.",
    requirements: ["mode.unsupported"],
    script: () => ({ main: [message([bash("touch a.txt")]), say("Created.")] }),
    drive: async (driver) => {
      await driver.expectError("not_supported", driver.request("session.setMode", { mode: "auto" }));
      await driver.prompt("Create a.txt.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
    },
  },
];
