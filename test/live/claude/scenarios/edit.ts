import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { message, say } from "../../anthropic/script.js";
import type { ClaudeScenario } from "../claude-scenario.js";
import { edit, read, write } from "../native-tools.js";
import { ask, decideNext, lastToolResults, putFile } from "../steps.js";

const HELLO = "line one\nline two\nline three\n";

export const editScenarios: readonly ClaudeScenario[] = [
  {
    name: "write-new-file",
    title: "A new file is asked for with its diff, and written.",
    requirements: ["permission.once", "diff.new-file", "tool.write"],
    script: ({ cwd }) => ({ main: [message([write(cwd, "hello.txt", HELLO)]), say("Written.")] }),
    drive: async (driver) => {
      await driver.prompt("Write hello.txt.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.equal(await readFile(join(driver.cwd, "hello.txt"), "utf8"), HELLO);
    },
  },
  {
    name: "write-over-file",
    title: "A file that was read before is written anew; the diff shows what goes.",
    requirements: ["diff.edit", "tool.write"],
    script: ({ cwd }) => ({
      main: [message([read(cwd, "hello.txt")]), message([write(cwd, "hello.txt", "new\n")]), say("Replaced.")],
    }),
    setup: ({ cwd }) => putFile(cwd, "hello.txt", HELLO),
    drive: async (driver) => {
      await driver.prompt("Replace hello.txt.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.equal(await readFile(join(driver.cwd, "hello.txt"), "utf8"), "new\n");
    },
  },
  {
    name: "edit-file",
    title: "A file is read, then edited after a question with its diff.",
    requirements: ["permission.once", "diff.edit", "tool.edit"],
    script: ({ cwd }) => ({
      main: [
        message([read(cwd, "hello.txt")]),
        message([edit(cwd, "hello.txt", "line two", "line 2")]),
        say("Edited."),
      ],
    }),
    setup: ({ cwd }) => putFile(cwd, "hello.txt", HELLO),
    drive: async (driver) => {
      await driver.prompt("Change line two.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.match(await readFile(join(driver.cwd, "hello.txt"), "utf8"), /line 2/);
    },
  },
  {
    name: "edit-without-match",
    title: "An edit whose old text is not in the file fails.",
    requirements: ["tool.error", "tool.edit"],
    script: ({ cwd }) => ({
      main: [
        message([read(cwd, "hello.txt")]),
        message([edit(cwd, "hello.txt", "line nine", "line 9")]),
        say("No such line."),
      ],
    }),
    setup: ({ cwd }) => putFile(cwd, "hello.txt", HELLO),
    drive: async (driver) => {
      await ask(driver, "Change line nine.");
      assert.equal(lastToolResults(driver.model).at(-1)?.isError, true);
    },
  },
  {
    name: "edit-always",
    title: "Edits are always allowed: the agent's mode becomes acceptEdits and the next edit is not asked for.",
    requirements: ["permission.always", "permission.not-asked-again", "mode.changed-by-agent"],
    script: ({ cwd }) => ({
      main: [
        message([write(cwd, "list.txt", "one\n")]),
        message([edit(cwd, "list.txt", "one", "1")]),
        say("Both done."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Write a list, then change it.");
      await decideNext(driver, { decision: "always" });
      await driver.idle();
      assert.equal(await readFile(join(driver.cwd, "list.txt"), "utf8"), "1\n");
    },
  },
  {
    name: "write-reject",
    title: "A new file is rejected and not written.",
    requirements: ["permission.reject", "diff.new-file"],
    script: ({ cwd }) => ({ main: [message([write(cwd, "hello.txt", HELLO)]), say("Not written.")] }),
    drive: async (driver) => {
      await driver.prompt("Write hello.txt.");
      await decideNext(driver, { decision: "reject" });
      await driver.idle();
      assert.equal(lastToolResults(driver.model)[0]?.isError, true);
      await assert.rejects(access(join(driver.cwd, "hello.txt")), "no file is written");
    },
  },
];
