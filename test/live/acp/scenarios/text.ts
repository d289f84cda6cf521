import assert from "node:assert/strict";
import { answer, say, text, thought } from "../../model-server/script.js";
import { ask, showsText, textsOf } from "../../steps.js";
import type { AcpStories } from "../acp-scenario.js";
import { assertRemembers } from "../steps.js";

const GREETING = "Grüße aus der 漢字-Welt 🌍, in several deltas.";

export const textStories: AcpStories = () => [
  {
    name: "text",
    title: "A prompt is answered by one text, streamed in several deltas.",
    requirements: ["text.streaming", "turn.finish-stop", "usage.step"],
    script: () => ({ main: [answer([text(GREETING, { chunk: 12 })])] }),
    drive: async (driver) => {
      await ask(driver, "Greet me.");
      assert.equal((await textsOf(driver)).join(""), GREETING);
    },
  },
  {
    name: "text-first-half-visible",
    title: "The first half of a text reaches the client while the model has not yet said the second.",
    requirements: ["text.streaming"],
    script: () => ({ main: [answer([text("First half, second half.", { chunk: 11, after: 1, gate: "half" })])] }),
    drive: async (driver) => {
      await driver.prompt("Say it slowly.");
      await driver.until(showsText("First half"));
      driver.model.open("half");
      await driver.idle();
    },
  },
  {
    name: "thought",
    title: "The model thinks before it answers.",
    requirements: ["reasoning.streaming", "text.streaming"],
    script: () => ({ main: [answer([thought("Two and two make four."), text("Four.")])] }),
    drive: async (driver) => {
      await ask(driver, "What is 2 + 2?");
      assert.deepEqual(await textsOf(driver), ["Four."]);
    },
  },
  {
    name: "two-turns",
    title: "The second prompt knows the first.",
    requirements: ["turn.context"],
    script: () => ({ main: [say("A fine word."), say("Heliotrope.")] }),
    drive: async (driver) => {
      await ask(driver, "Remember heliotrope.");
      await ask(driver, "Which word?");
      assertRemembers(driver.model, "heliotrope");
    },
  },
];
