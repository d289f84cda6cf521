import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { message, say, text } from "../../anthropic/script.js";
import { bash, edit, write } from "../native-tools.js";
import type { OpencodeScenario } from "../opencode-scenario.js";
import { ask, decideNext, lastToolResults, mainRequests, putFile, sessionOf, toolStatesOf } from "../steps.js";

const touch = (file: string) => bash(`touch ${file}`, `Create ${file}`);

export const permissionScenarios: readonly OpencodeScenario[] = [
  {
    name: "bash-once",
    title: "A command is asked for, allowed once and runs.",
    requirements: ["permission.once", "tool.completed", "tool.output"],
    script: () => ({
      main: [message([text("I create it."), bash("touch made.txt && echo made", "Create made.txt")]), say("Created.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      const { block } = await decideNext(driver, { decision: "once" });
      assert.deepEqual(block.type === "permission" && block.patterns, ["touch made.txt", "echo made"]);
      await driver.idle();
      const [result] = lastToolResults(driver.model);
      assert.match(result?.text ?? "", /^made\n/);
    },
  },
  {
    name: "bash-rebuilt",
    title: "A command waits while the session is built anew from what is stored, and is then allowed.",
    requirements: ["permission.rebuilt"],
    script: () => ({ main: [message([touch("made.txt")]), say("Created.")] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      await driver.blocked();
      driver.rebuild();
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      await access(join(driver.cwd, "made.txt"));
    },
  },
  {
    name: "bash-reject",
    title: "A command is rejected without a word, which ends the turn: the model is not asked again.",
    requirements: ["permission.reject"],
    script: () => ({ main: [message([touch("made.txt")]), say("Never mind.")] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      await decideNext(driver, { decision: "reject" });
      await driver.idle();
      assert.equal(mainRequests(driver.model), 1);
      await assert.rejects(access(join(driver.cwd, "made.txt")), "it never ran");
      await ask(driver, "Forget it.");
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
      assert.match(result?.text ?? "", /another name/);
    },
  },
  {
    name: "bash-reject-interrupt",
    title: "A command is rejected together with the whole turn.",
    requirements: ["permission.reject-interrupt"],
    script: () => ({ main: [message([touch("made.txt")])] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      await decideNext(driver, { decision: "reject", message: "Stop here.", interrupt: true });
      await driver.idle();
      assert.equal(mainRequests(driver.model), 1, "the model is not asked again");
    },
  },
  {
    name: "bash-always",
    title: "A command is always allowed: the same one later in the session is not asked for again.",
    requirements: ["permission.always", "permission.not-asked-again"],
    script: () => ({
      main: [message([bash("printf x >> count")]), say("Once."), message([bash("printf x >> count")]), say("Twice.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Count.");
      await decideNext(driver, { decision: "always" });
      await driver.idle();
      await ask(driver, "Count again.");
      assert.equal(await readFile(join(driver.cwd, "count"), "utf8"), "xx");
      assert((await sessionOf(driver)).permission?.some(({ source }) => source === "approval"));
    },
  },
  {
    name: "bash-always-other-command",
    title: "A command is always allowed; one that the pattern does not cover is still asked for.",
    requirements: ["permission.always", "permission.always-is-narrow"],
    script: () => ({
      main: [message([bash("printf x >> count")]), message([bash("mkfifo pipe")]), say("No pipe, then.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Count, then make a pipe.");
      await decideNext(driver, { decision: "always" });
      await decideNext(driver, { decision: "reject", message: "No pipes." });
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["bash completed", "bash error"]);
    },
  },
  {
    name: "two-at-once",
    title: "Two commands of one response wait at once and are decided in the other order.",
    requirements: ["permission.concurrent", "permission.any-order", "tool.parallel"],
    script: () => ({ main: [message([touch("a.txt"), touch("b.txt")]), say("Both.")] }),
    drive: async (driver) => {
      await driver.prompt("Create two files.");
      const [first, second] = await driver.blocked(2);
      assert(first && second);
      await driver.reply(second.block.id, { decision: "once" });
      await driver.reply(first.block.id, { decision: "once" });
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["bash completed", "bash completed"]);
    },
  },
  {
    name: "always-unblocks-sibling",
    title: "Two commands wait; to allow one always lets the other go, which its pattern covers.",
    requirements: ["permission.always-unblocks-sibling"],
    script: () => ({ main: [message([touch("a.txt"), touch("b.txt")]), say("Both.")] }),
    drive: async (driver) => {
      await driver.prompt("Create two files.");
      const [first] = await driver.blocked(2);
      assert(first);
      await driver.reply(first.block.id, { decision: "always" });
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["bash completed", "bash completed"]);
    },
  },
  {
    name: "reject-cascades",
    title: "Two commands wait; to reject one takes the other with it.",
    requirements: ["permission.reject-cascades"],
    script: () => ({ main: [message([touch("a.txt"), touch("b.txt")])] }),
    drive: async (driver) => {
      await driver.prompt("Create two files.");
      const [first] = await driver.blocked(2);
      assert(first);
      await driver.reply(first.block.id, { decision: "reject" });
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["bash error", "bash error"]);
    },
  },
  {
    name: "asked-in-sequence",
    title: "Two responses ask one after another.",
    requirements: ["permission.sequence", "tool.sequence"],
    script: () => ({ main: [message([touch("a.txt")]), message([touch("b.txt")]), say("Both.")] }),
    drive: async (driver) => {
      await driver.prompt("Create two files.");
      await decideNext(driver, { decision: "once" });
      await decideNext(driver, { decision: "once" });
      await driver.idle();
    },
  },
  {
    name: "outside-directory",
    title: "A file outside of the project is asked for twice: for its folder, and for the change.",
    requirements: ["permission.outside-directory", "permission.sequence", "tool.write"],
    script: ({ home }) => ({ main: [message([write(home, "note.txt", "outside\n")]), say("Written.")] }),
    drive: async (driver) => {
      await driver.prompt("Write a note at home.");
      const folder = await decideNext(driver, { decision: "once" });
      assert.equal(folder.block.type === "permission" && folder.block.permission, "external_directory");
      const change = await decideNext(driver, { decision: "once" });
      assert.equal(change.block.type === "permission" && change.block.permission, "edit");
      await driver.idle();
      const [tool] = await toolStatesOf(driver);
      assert.equal(tool, "write completed");
    },
  },
  {
    name: "session-rule-allows",
    title: "A rule of the session allows a command that OpenCode asks for.",
    requirements: ["permission.rule-allow"],
    session: { permission: [{ permission: "bash", pattern: "*", action: "allow" }] },
    script: () => ({ main: [message([touch("a.txt")]), say("Created.")] }),
    drive: async (driver) => {
      await ask(driver, "Create a.txt.");
      assert.deepEqual(await toolStatesOf(driver), ["bash completed"]);
    },
  },
  {
    name: "session-rule-denies",
    title: "A rule of the session denies a command; the model reads why and goes on.",
    requirements: ["permission.rule-deny"],
    session: { permission: [{ permission: "bash", pattern: "*", action: "deny" }] },
    script: () => ({ main: [message([touch("a.txt")]), say("Not allowed.")] }),
    drive: async (driver) => {
      await ask(driver, "Create a.txt.");
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /permission rule denies/);
    },
  },
  {
    name: "user-rule-denies",
    title: "What the user's own configuration denies stays denied in a mode that asks.",
    requirements: ["permission.user-denial-kept"],
    config: { permission: { bash: "deny" } },
    script: () => ({ main: [message([touch("a.txt")]), say("There is no such tool.")] }),
    drive: async (driver) => {
      await ask(driver, "Create a.txt.");
      await assert.rejects(access(join(driver.cwd, "a.txt")), "it never ran");
    },
  },
  {
    name: "user-rule-allows",
    title: "A command that the user's own configuration allows by a pattern is not asked for.",
    requirements: ["permission.user-pattern-kept"],
    config: { permission: { bash: { "*": "ask", "touch *": "allow" } } },
    script: () => ({ main: [message([touch("a.txt")]), say("Created.")] }),
    drive: async (driver) => {
      await ask(driver, "Create a.txt.");
      assert.deepEqual(await toolStatesOf(driver), ["bash completed"]);
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
    },
  },
  {
    name: "write-new-file",
    title: "A new file is asked for with its diff, and written.",
    requirements: ["diff.new-file", "tool.write"],
    script: ({ cwd }) => ({ main: [message([write(cwd, "poem.txt", "Roses\n")]), say("Written.")] }),
    drive: async (driver) => {
      await driver.prompt("Write a poem.");
      const { block } = await decideNext(driver, { decision: "once" });
      assert(block.type === "permission" && /\+Roses/.test(String(block.metadata.diff)));
      assert.deepEqual(block.patterns, ["poem.txt"]);
      await driver.idle();
    },
  },
  {
    name: "edit-file",
    title: "A file is read and changed; the ask carries the diff.",
    requirements: ["diff.edit", "tool.edit"],
    setup: ({ cwd }) => putFile(cwd, "notes.txt", "alpha\nbeta\n"),
    script: ({ cwd }) => ({ main: [message([edit(cwd, "notes.txt", "beta", "BETA")]), say("Changed.")] }),
    drive: async (driver) => {
      await driver.prompt("Shout beta.");
      const { block } = await decideNext(driver, { decision: "once" });
      assert(block.type === "permission" && /-beta\n\+BETA/.test(String(block.metadata.diff)));
      await driver.idle();
      assert.equal(await readFile(join(driver.cwd, "notes.txt"), "utf8"), "alpha\nBETA\n");
    },
  },
];
