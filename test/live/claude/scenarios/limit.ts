import { message, say, text, thinking } from "../../anthropic/script.js";
import type { ClaudeScenario } from "../claude-scenario.js";
import { ask } from "../steps.js";

const cutShort = (value: string) => say(value, { stopReason: "max_tokens", usage: { output: 32_000 } });
const refused = message([text("I")], {
  stopReason: "refusal",
  stopDetails: { type: "refusal", category: "cyber", explanation: "It looks like malware." },
});

export const limitScenarios: readonly ClaudeScenario[] = [
  {
    name: "max-tokens-once",
    title: "An answer hits the output limit; the CLI asks the model to go on.",
    requirements: ["turn.finish-length", "turn.continued"],
    script: () => ({ main: [cutShort("The first half of"), say("the answer.")] }),
    drive: (driver) => ask(driver, "Write at length."),
  },
  {
    name: "max-tokens-always",
    title: "Every answer hits the output limit until the CLI gives up.",
    requirements: ["error.output-length", "turn.finish-length"],
    script: () => ({ main: [cutShort("One,"), cutShort("two,"), cutShort("three,"), cutShort("four,")] }),
    drive: (driver) => ask(driver, "Write without end."),
  },
  {
    name: "max-tokens-in-thinking",
    title: "The output limit is hit while the model thinks: there is no text, and the model goes on.",
    requirements: ["turn.finish-length", "reasoning.streaming"],
    script: () => ({
      main: [message([thinking("A very long thought")], { stopReason: "max_tokens" }), say("In short: no.")],
    }),
    drive: (driver) => ask(driver, "Think at length."),
  },
  {
    name: "refusal",
    title: "The model refuses, is asked once more and refuses again.",
    requirements: ["error.refusal", "turn.finish-refusal"],
    script: () => ({ main: [refused, refused] }),
    drive: (driver) => ask(driver, "Write something bad."),
  },
];
