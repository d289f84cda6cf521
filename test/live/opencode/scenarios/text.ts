import assert from "node:assert/strict";
import { message, say, text, thinking } from "../../anthropic/script.js";
import { userTextIn } from "../../anthropic/seen.js";
import type { OpencodeScenario } from "../opencode-scenario.js";
import { ask, showsText } from "../steps.js";

export const textScenarios: readonly OpencodeScenario[] = [
  {
    name: "text",
    title: "A prompt is answered by one text, streamed in several deltas.",
    requirements: ["text.streaming", "turn.finish-stop", "usage.step"],
    script: () => ({ main: [message([text("Grüße aus der 漢字-Welt 🌍, in several deltas.", { chunk: 12 })])] }),
    drive: (driver) => ask(driver, "Greet me."),
  },
  {
    name: "text-first-half-visible",
    title: "The first half of a text reaches the client while the model has not yet said the second.",
    requirements: ["text.streaming"],
    script: () => ({ main: [message([text("First half, second half.", { chunk: 11, after: 1, gate: "half" })])] }),
    drive: async (driver) => {
      await driver.prompt("Say it slowly.");
      await driver.model.reached("half");
      await driver.until(showsText("First half"));
      driver.model.open("half");
      await driver.idle();
    },
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
