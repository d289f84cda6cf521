import assert from "node:assert/strict";
import { httpError, message, say, text } from "../../anthropic/script.js";
import { userTextIn } from "../../anthropic/seen.js";
import type { FullDriver } from "../../scenario.js";
import { COMPACT } from "../../stories.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { ask, lastRequest, mainRequests, sessionOf, showsCompaction, textsOf } from "../steps.js";

const SUMMARY = say("<summary>They greeted each other.</summary>");
const tooLong = httpError(400, "invalid_request_error", "prompt is too long: 212345 tokens > 200000 maximum");

async function nativeID(driver: FullDriver): Promise<unknown> {
  const native = (await sessionOf(driver)).metadata?.native;
  return (native as { readonly sessionID?: unknown } | undefined)?.sessionID;
}

export const compactScenarios: readonly ClaudeFullScenario[] = [
  {
    name: "compact-manual",
    title: "The user has the conversation compacted; the next prompt goes on from its summary.",
    requirements: ["compaction.manual"],
    script: () => ({ main: [say("First answer."), SUMMARY, say("Second answer.")] }),
    drive: async (driver) => {
      await ask(driver, "Hello there.");
      await driver.prompt("/compact keep the greeting");
      await driver.until(showsCompaction);
      await driver.idle();
      await ask(driver, "And now?");
      const heard = userTextIn(lastRequest(driver.model));
      assert.match(heard, /They greeted each other\./);
      assert.doesNotMatch(heard, /Hello there\./);
    },
  },
  {
    ...COMPACT,
    script: () => ({
      main: [
        message([text("First answer, at leisure.", { chunk: 12, after: 1, gate: "slow" })]),
        SUMMARY,
        say("Second answer."),
      ],
    }),
  },
  {
    name: "compact-auto",
    title: "The conversation is too long for the model: the agent compacts it and tries again, in the same turn.",
    requirements: ["compaction.auto"],
    script: () => ({
      main: [say("First answer."), say("Second answer."), tooLong, SUMMARY, say("Third answer.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Hello there.");
      await ask(driver, "How are you?");
      await driver.prompt("And now?");
      await driver.until(showsCompaction);
      await driver.idle();
      assert.match(userTextIn(lastRequest(driver.model)), /They greeted each other\./);
    },
  },
  {
    name: "compact-empty",
    title: "There is nothing to compact yet; the next prompt works.",
    requirements: ["compaction.empty"],
    script: () => ({ main: [say("First answer.")] }),
    drive: async (driver) => {
      await ask(driver, "/compact");
      await ask(driver, "Hello.");
      assert.equal(mainRequests(driver.model), 1);
    },
  },
  {
    name: "clear",
    title: "The conversation is cleared: the session stays, the agent has forgotten what was said.",
    requirements: ["session.clear"],
    script: () => ({ main: [say("First answer."), say("Second answer.")] }),
    drive: async (driver) => {
      await ask(driver, "Hello there.");
      const before = await nativeID(driver);
      await ask(driver, "/clear");
      await ask(driver, "And now?");
      assert.doesNotMatch(userTextIn(lastRequest(driver.model)), /Hello there\./);
      assert.notEqual(await nativeID(driver), before, "the agent's own id is a new one");
    },
  },
  {
    name: "command-with-output",
    title: "A command of the agent itself is answered without the model.",
    requirements: ["command.output"],
    script: () => ({}),
    drive: async (driver) => {
      await ask(driver, "/model");
      const { messages } = await driver.request("session.messages");
      const output = messages.flatMap(({ parts }) => parts).find((part) => part.type === "text" && part.synthetic);
      assert(output?.type === "text", "the output is a text that no model wrote");
      assert.match(output.text, /Current model: `Sonnet 4\.5`/);
      assert.equal(mainRequests(driver.model), 0);
    },
  },
  {
    name: "command-renames-session",
    title: "The user names the session by a command of the agent.",
    requirements: ["command.output", "session.title"],
    script: () => ({}),
    drive: async (driver) => {
      await ask(driver, "/rename Greetings");
      assert.equal((await sessionOf(driver)).title, "Greetings");
    },
  },
  {
    name: "command-unknown",
    title: "A command that does not exist goes to the model as it is written.",
    requirements: ["command.unknown"],
    script: () => ({ main: [say("I know no such command.")] }),
    drive: async (driver) => {
      await ask(driver, "/nosuchcommand now");
      assert.match(userTextIn(lastRequest(driver.model)), /nosuchcommand now/);
      assert.deepEqual(await textsOf(driver), ["I know no such command."]);
    },
  },
];
