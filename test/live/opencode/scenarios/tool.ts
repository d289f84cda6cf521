import assert from "node:assert/strict";
import { message, rawToolUse, say, text, toolUse } from "../../anthropic/script.js";
import { bash, edit, read } from "../native-tools.js";
import type { OpencodeScenario } from "../opencode-scenario.js";
import { ask, lastToolResults, putFile, toolStatesOf, toolsOf } from "../steps.js";

export const toolScenarios: readonly OpencodeScenario[] = [
  {
    name: "read-file",
    title: "A file is read without being asked for, between two texts.",
    requirements: ["tool.read", "tool.between-texts"],
    setup: ({ cwd }) => putFile(cwd, "notes.txt", "alpha\n"),
    script: ({ cwd }) => ({
      main: [message([text("I look."), read(cwd, "notes.txt"), text("I wait.")]), say("Alpha.")],
    }),
    drive: async (driver) => {
      await ask(driver, "What is in the notes?");
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /alpha/);
    },
  },
  {
    name: "bash-fails",
    title: "A command fails with an exit code: an error with its output.",
    requirements: ["tool.exit-code"],
    session: { mode: "yolo" },
    script: () => ({ main: [message([bash("echo out; exit 3")]), say("It failed.")] }),
    drive: async (driver) => {
      await ask(driver, "Fail.");
      const [tool] = await toolsOf(driver);
      assert(tool?.state.status === "error" && /out/.test(tool.state.error));
    },
  },
  {
    name: "edit-without-match",
    title: "A change of a text that is not in the file is an error.",
    requirements: ["tool.error"],
    session: { mode: "yolo" },
    setup: ({ cwd }) => putFile(cwd, "notes.txt", "alpha\n"),
    script: ({ cwd }) => ({ main: [message([edit(cwd, "notes.txt", "omega", "OMEGA")]), say("Not there.")] }),
    drive: async (driver) => {
      await ask(driver, "Change omega.");
      assert.deepEqual(await toolStatesOf(driver), ["edit error"]);
    },
  },
  {
    name: "unknown-tool",
    title: "The model calls a tool that does not exist.",
    requirements: ["tool.unknown"],
    script: () => ({ main: [message([toolUse("teleport", { where: "home" })]), say("No such tool.")] }),
    drive: async (driver) => {
      await ask(driver, "Teleport.");
      assert.deepEqual(await toolStatesOf(driver), ["teleport error"]);
    },
  },
  {
    name: "invalid-input",
    title: "A call with a wrong input is an error, and the model corrects itself.",
    requirements: ["tool.invalid-input"],
    script: () => ({ main: [message([toolUse("read", { nonsense: true })]), say("Wrong input.")] }),
    drive: async (driver) => {
      await ask(driver, "Read something.");
      assert.deepEqual(await toolStatesOf(driver), ["read error"]);
    },
  },
  {
    name: "unparsable-input",
    title: "A call whose input is no JSON is an error.",
    requirements: ["tool.unparsable-input"],
    script: () => ({ main: [message([rawToolUse("read", '{"filePath": "no')]), say("Broken.")] }),
    drive: async (driver) => {
      await ask(driver, "Read something.");
      assert.deepEqual(await toolStatesOf(driver), ["read error"]);
    },
  },
  {
    name: "bash-output-streams",
    title: "The output of a command that runs streams into its part.",
    requirements: ["tool.output"],
    session: { mode: "yolo" },
    script: () => ({ main: [message([bash("mkfifo go; echo first; cat go; echo second")]), say("Done.")] }),
    drive: async (driver) => {
      await driver.prompt("Speak twice.");
      await driver.until(
        (event) =>
          event.type === "message.part.delta" &&
          event.properties.field === "state.metadata.output" &&
          event.properties.delta.includes("first"),
      );
      await putFile(driver.cwd, "go", "middle\n");
      await driver.idle();
      const [tool] = await toolsOf(driver);
      assert(tool?.state.status === "completed");
      assert.equal(tool.state.output, "first\nmiddle\nsecond\n");
    },
  },
];
