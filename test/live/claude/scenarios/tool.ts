import assert from "node:assert/strict";
import { message, say, text, thinking, toolUse } from "../../anthropic/script.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { bash, edit, read, write } from "../native-tools.js";
import { ask, decideNext, lastToolResults, putFile, showsOutput, showsToolInput } from "../steps.js";

/** About 3 kB of output, from a command that the CLI runs unasked. */
const BIG_OUTPUT = "Line of a big file.\n".repeat(150);

export const toolScenarios: readonly ClaudeFullScenario[] = [
  {
    name: "tool-input-streaming",
    title: "The input of a tool call is visible while the model still writes it.",
    requirements: ["tool.input-streaming"],
    script: () => ({
      main: [message([bash("ls -1", "List files", { chunk: 12, after: 2, gate: "writing" })]), say("One file.")],
    }),
    setup: ({ cwd }) => putFile(cwd, "only.txt", "alone\n"),
    drive: async (driver) => {
      await driver.prompt("List the files.");
      await driver.model.reached("writing");
      await driver.until(showsToolInput);
      driver.model.open("writing");
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /only\.txt/);
    },
  },
  {
    name: "read-file",
    title: "A file of the project is read without a question.",
    requirements: ["tool.read", "tool.completed"],
    script: ({ cwd }) => ({ main: [message([text("I look."), read(cwd, "notes.txt")]), say("It says hello.")] }),
    setup: ({ cwd }) => putFile(cwd, "notes.txt", "hello\nworld\n"),
    drive: async (driver) => {
      await ask(driver, "Read notes.txt.");
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /hello/);
    },
  },
  {
    name: "read-missing-file",
    title: "A read of a file that does not exist fails and the model is told.",
    requirements: ["tool.error"],
    script: ({ cwd }) => ({ main: [message([read(cwd, "missing.txt")]), say("There is none.")] }),
    drive: async (driver) => {
      await ask(driver, "Read missing.txt.");
      assert.equal(lastToolResults(driver.model)[0]?.isError, true);
    },
  },
  {
    name: "search",
    title: "The native build has no Glob and no Grep: both are refused, and the model searches by shell.",
    requirements: ["tool.search", "tool.unknown", "tool.parallel"],
    script: () => ({
      main: [
        message([
          toolUse("Glob", { pattern: "*.txt" }),
          toolUse("Grep", { pattern: "needle", output_mode: "content" }),
        ]),
        message([bash("find . -name '*.txt'", "Find by name"), bash("grep -n needle hay.txt", "Find by content")]),
        say("Found both."),
      ],
    }),
    setup: ({ cwd }) => putFile(cwd, "hay.txt", "hay\na needle\nhay\n"),
    drive: async (driver) => {
      await ask(driver, "Find the needle.");
      // The two commands only read, so they run side by side: their results stand in the order of their ends.
      const results = new Map(lastToolResults(driver.model).map((result) => [result.id, result.text]));
      assert.match(results.get("toolu_0003") ?? "", /^\.\/hay\.txt/);
      assert.match(results.get("toolu_0004") ?? "", /^2:a needle/);
    },
  },
  {
    name: "big-output",
    title: "A command prints 3 kB, which arrive whole.",
    requirements: ["tool.output"],
    script: () => ({ main: [message([bash("cat big.txt", "Print the file")]), say("Long.")] }),
    setup: ({ cwd }) => putFile(cwd, "big.txt", BIG_OUTPUT),
    drive: async (driver) => {
      await ask(driver, "Print big.txt.");
      // The CLI appends reminders of its own to what the model reads.
      assert(lastToolResults(driver.model)[0]?.text.startsWith(BIG_OUTPUT.trim()), "the model reads all of it");
    },
  },
  {
    name: "saved-output",
    title:
      "A command prints more than the CLI shows its model: the whole, which the CLI keeps in a file, is on the tool.",
    requirements: ["tool.saved-output"],
    env: { BASH_MAX_OUTPUT_LENGTH: "1000" },
    script: () => ({ main: [message([bash("cat big.txt", "Print the file")]), say("Long.")] }),
    setup: ({ cwd }) => putFile(cwd, "big.txt", BIG_OUTPUT),
    drive: async (driver) => {
      await ask(driver, "Print big.txt.");
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /^<persisted-output>/);
      await driver.until(showsOutput(BIG_OUTPUT.trim()));
    },
  },
  {
    name: "tools-in-sequence",
    title: "A command, a new file and an edit of it stand in one message and are asked for one after another.",
    requirements: ["tool.sequence", "permission.sequence", "diff.new-file", "diff.edit"],
    script: ({ cwd }) => ({
      main: [
        message([
          bash("mkdir made", "Make a folder"),
          write(cwd, "made/list.txt", "one\ntwo\n"),
          edit(cwd, "made/list.txt", "two", "2"),
        ]),
        say("All three done."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Make a list.");
      for (let count = 0; count < 3; count += 1) await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.deepEqual(
        lastToolResults(driver.model).map((result) => result.isError),
        [false, false, false],
      );
    },
  },
  {
    name: "tools-between-texts",
    title: "Thinking, two texts and two commands alternate in one message; a tool ends before the next block begins.",
    requirements: ["tool.parallel", "tool.between-texts", "text.multi-block", "usage.step"],
    script: () => ({
      main: [
        message(
          [
            thinking("Two looks."),
            text("First look."),
            bash("ls", "Look"),
            text("Second look.", { chunk: 6, after: 1, gate: "first result" }),
            bash("ls -a", "Look again"),
          ],
          { usage: { output: 77 } },
        ),
        say("Seen twice."),
      ],
    }),
    setup: ({ cwd }) => putFile(cwd, "here.txt", "x\n"),
    drive: async (driver) => {
      await driver.prompt("Look twice.");
      await driver.until(
        (event) =>
          event.type === "message.part.updated" &&
          event.properties.part.type === "tool" &&
          event.properties.part.state.status === "completed",
      );
      driver.model.open("first result");
      await driver.idle();
      assert.equal(lastToolResults(driver.model).length, 2);
    },
  },
];
