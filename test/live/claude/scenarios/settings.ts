import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { WireEvent } from "../../../../schemas/index.js";
import { message, say, text } from "../../anthropic/script.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { write } from "../native-tools.js";
import { ask, decideNext, lastRequest, mainRequests, sessionOf, showsText } from "../steps.js";

/** Matches the event by which a client sees that so many thinking tokens are in force. */
const showsOption = (value: number) => (event: WireEvent) =>
  event.type === "session.updated" &&
  JSON.stringify(event.properties.info.metadata).includes(`"maxThinkingTokens":${value}`);

export const settingsScenarios: readonly ClaudeFullScenario[] = [
  {
    name: "set-mode-idle",
    title: "Between two turns the mode becomes acceptEdits: the file is written unasked.",
    requirements: ["mode.set"],
    script: ({ cwd }) => ({ main: [say("Ready."), message([write(cwd, "free.txt", "free\n")]), say("Written.")] }),
    drive: async (driver) => {
      await ask(driver, "Hello.");
      await driver.request("session.setMode", { mode: "acceptEdits" });
      assert.equal((await sessionOf(driver)).mode, "acceptEdits");
      await ask(driver, "Write free.txt.");
      assert.equal(await readFile(join(driver.cwd, "free.txt"), "utf8"), "free\n");
    },
  },
  {
    name: "set-mode-while-running",
    title: "In the middle of a turn the mode becomes acceptEdits: what comes after it is not asked for.",
    requirements: ["mode.set", "mode.set-while-running"],
    script: ({ cwd }) => ({
      main: [
        message([text("I write it, soon.", { chunk: 8, after: 1, gate: "soon" }), write(cwd, "free.txt", "free\n")]),
        say("Written."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Write free.txt.");
      await driver.until(showsText("I write"));
      await driver.request("session.setMode", { mode: "acceptEdits" });
      driver.model.open("soon");
      await driver.idle();
      assert.equal(await readFile(join(driver.cwd, "free.txt"), "utf8"), "free\n");
      assert.equal((await sessionOf(driver)).mode, "acceptEdits");
    },
  },
  {
    name: "set-mode-before-first-prompt",
    title: "The mode is changed before the agent has started: it starts in that mode.",
    requirements: ["mode.set"],
    script: ({ cwd }) => ({ main: [message([write(cwd, "free.txt", "free\n")]), say("Written.")] }),
    drive: async (driver) => {
      await driver.request("session.setMode", { mode: "acceptEdits" });
      await ask(driver, "Write free.txt.");
      assert.equal(await readFile(join(driver.cwd, "free.txt"), "utf8"), "free\n");
    },
  },
  {
    name: "option-refused",
    title: "A number of thinking tokens that the agent refuses is an error of the session, and is not shown as set.",
    requirements: ["option.refused"],
    script: () => ({ main: [say("Ready."), say("Still here.")] }),
    drive: async (driver) => {
      await ask(driver, "Hello.");
      await driver.request("session.setOption", { option: "maxThinkingTokens", value: 4000 });
      await driver.until(showsOption(4000));
      await driver.request("session.setOption", { option: "maxThinkingTokens", value: 1.5 });
      await driver.until((event) => event.type === "session.error");
      const session = await sessionOf(driver);
      assert.equal(session.error?.name, "invalid_request");
      assert.match(JSON.stringify(session.metadata), /"maxThinkingTokens":4000/);
      await ask(driver, "Are you still there?");
    },
  },
  {
    name: "set-mode-unsupported",
    title: "A mode that the agent does not have is refused, and the old one stays.",
    requirements: ["mode.unsupported"],
    script: () => ({ main: [say("Ready."), say("Still here.")] }),
    drive: async (driver) => {
      await ask(driver, "Hello.");
      await driver.expectError("not_supported", driver.request("session.setMode", { mode: "safe-yolo" }));
      assert.equal((await sessionOf(driver)).mode, "default");
      await ask(driver, "Are you there?");
    },
  },
  {
    name: "set-mode-plan-to-default",
    title: "The user ends plan mode: a file that is written now is asked for.",
    requirements: ["mode.set", "mode.plan"],
    session: { mode: "plan" },
    script: ({ cwd }) => ({ main: [say("Planned."), message([write(cwd, "done.txt", "done\n")]), say("Written.")] }),
    drive: async (driver) => {
      await ask(driver, "Plan it.");
      await driver.request("session.setMode", { mode: "default" });
      await driver.prompt("Do it.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.equal(await readFile(join(driver.cwd, "done.txt"), "utf8"), "done\n");
      assert.equal((await sessionOf(driver)).mode, "default");
    },
  },
  {
    name: "set-model",
    title: "The model is changed between two turns.",
    requirements: ["model.set"],
    script: () => ({ main: [say("First answer."), say("Second answer.")] }),
    drive: async (driver) => {
      await ask(driver, "Hello.");
      await driver.request("session.setModel", { model: "claude-haiku-4-5" });
      assert.equal((await sessionOf(driver)).model, "claude-haiku-4-5");
      await ask(driver, "And now?");
      assert.match(String(lastRequest(driver.model).body.model), /haiku-4-5/);
      assert.equal(mainRequests(driver.model), 2);
    },
  },
];
