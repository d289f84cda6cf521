import assert from "node:assert/strict";
import { output, reasoning, say, text } from "../../openai/script.js";
import { userTextIn } from "../../openai/seen.js";
import { FIRST_HALF_VISIBLE, TEXT } from "../../stories.js";
import type { CodexScenario } from "../codex-scenario.js";
import { exec } from "../native-tools.js";
import { ask, lastRequest, textsOf } from "../steps.js";

export const textScenarios: readonly CodexScenario[] = [
  {
    ...TEXT,
    script: () => ({ main: [output([text("Grüße aus der 漢字-Welt 🌍, in several deltas.", { chunk: 12 })])] }),
  },
  {
    ...FIRST_HALF_VISIBLE,
    script: () => ({ main: [output([text("First half, second half.", { chunk: 11, after: 1, gate: "half" })])] }),
  },
  {
    name: "text-whole",
    title: "The provider sends a text whole: it is there once.",
    requirements: ["text.without-deltas"],
    script: () => ({ main: [output([text("All at once.", { whole: true })])] }),
    drive: async (driver) => {
      await ask(driver, "Say it at once.");
      assert.deepEqual(await textsOf(driver), ["All at once."]);
    },
  },
  {
    name: "reasoning",
    title: "The model thinks, in a summary of two sections, before it answers.",
    requirements: ["reasoning.streaming", "text.streaming"],
    script: () => ({
      main: [
        output([reasoning(["**Adding**\n\nTwo and two.", "**Checking**\n\nThat makes four."]), text("Four.")], {
          usage: { output: 50, reasoning: 30 },
        }),
      ],
    }),
    drive: (driver) => ask(driver, "What is 2 + 2?"),
  },
  {
    name: "reasoning-raw",
    title: "The provider shows the raw thoughts beside their summary: each is a part.",
    requirements: ["reasoning.streaming"],
    config: "",
    script: () => ({
      main: [output([reasoning(["**Adding**"], { raw: "two plus two, carry nothing" }), text("Four.")])],
    }),
    drive: (driver) => ask(driver, "What is 2 + 2?"),
  },
  {
    name: "several-texts",
    title: "One response holds two thoughts and two texts, each a part of its own.",
    requirements: ["text.multi-block", "reasoning.multi-block"],
    script: () => ({
      main: [
        output([
          reasoning(["First thought."]),
          text("First text."),
          reasoning(["Second thought."]),
          text("Second text."),
        ]),
      ],
    }),
    drive: (driver) => ask(driver, "Speak twice."),
  },
  {
    name: "phases",
    title: "A comment before a command and the final answer are told apart.",
    requirements: ["text.phases", "usage.accounted"],
    session: { mode: "safe-yolo" },
    script: () => ({
      main: [
        output([text("Let me look at that first.", { phase: "commentary" }), exec("true")]),
        output([text("That is it.", { phase: "final_answer" })]),
      ],
    }),
    drive: (driver) => ask(driver, "Look at it."),
  },
  {
    name: "two-prompts",
    title: "A second prompt goes on with the conversation of the first.",
    requirements: ["turn.context", "usage.accounted"],
    script: () => ({
      main: [
        say("I will remember 7.", { usage: { input: 60, output: 26 } }),
        say("It was 7.", { usage: { input: 130, output: 14 } }),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "Remember 7.");
      await ask(driver, "Which number was it?");
      assert.match(userTextIn(lastRequest(driver.model)), /Remember 7\./, "the model is shown the first prompt");
    },
  },
  {
    name: "same-ids-in-two-turns",
    title: "The model uses the ids of its first turn again in the second: nothing is mixed up.",
    requirements: ["turn.ids-come-again"],
    session: { mode: "safe-yolo" },
    script: () => ({
      main: [
        output([exec("echo one", { id: "call_same" })]),
        output([text("First.", { id: "msg_same" })]),
        output([exec("echo two", { id: "call_same" })]),
        output([text("Second.", { id: "msg_same" })]),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "One.");
      await ask(driver, "Two.");
      assert.deepEqual(await textsOf(driver), ["First.", "Second."]);
    },
  },
];
