import assert from "node:assert/strict";
import { message, say, text, thinking } from "../../anthropic/script.js";
import { userTextIn } from "../../anthropic/seen.js";
import { FIRST_HALF_VISIBLE, TEXT } from "../../stories.js";
import type { ClaudeScenario } from "../claude-scenario.js";
import { ask } from "../steps.js";

export const textScenarios: readonly ClaudeScenario[] = [
  {
    ...TEXT,
    script: () => ({ main: [message([text("Grüße aus der 漢字-Welt 🌍, in several deltas.", { chunk: 12 })])] }),
  },
  {
    ...FIRST_HALF_VISIBLE,
    script: () => ({ main: [message([text("First half, second half.", { chunk: 11, after: 1, gate: "half" })])] }),
  },
  {
    name: "thinking",
    title: "The model thinks before it answers.",
    requirements: ["reasoning.streaming", "text.streaming"],
    script: () => ({
      main: [message([thinking("Two and two make four, surely."), text("Four.")], { usage: { output: 21 } })],
    }),
    drive: (driver) => ask(driver, "What is 2 + 2?"),
  },
  {
    name: "two-prompts",
    title: "A second prompt goes on with the conversation of the first.",
    requirements: ["turn.context", "usage.accounted"],
    script: () => ({
      main: [
        say("I will remember 7.", { usage: { input: 10, output: 6 } }),
        say("It was 7.", { usage: { input: 30, output: 4 } }),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "Remember 7.");
      await ask(driver, "Which number was it?");
      const second = driver.model.requests.findLast((request) => request.lane === "main");
      assert(second !== undefined && userTextIn(second).includes("Remember 7."), "the model is shown the first prompt");
    },
  },
  {
    name: "several-texts",
    title: "One message holds two thoughts and two texts, each a part of its own.",
    requirements: ["text.multi-block", "reasoning.multi-block"],
    script: () => ({
      main: [
        message([thinking("First thought."), text("First text."), thinking("Second thought."), text("Second text.")]),
      ],
    }),
    drive: (driver) => ask(driver, "Speak twice."),
  },
];
