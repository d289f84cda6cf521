import assert from "node:assert/strict";
import { message, say, toolUse } from "../../anthropic/script.js";
import { imagesIn } from "../../anthropic/seen.js";
import {
  abortWhileCalled,
  callAfterRebuild,
  callAfterRestart,
  callInFork,
  callsOf,
  carryOut,
  PNG,
  WEATHER,
} from "../../client-tool.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { agent } from "../native-tools.js";
import { decideNext, lastRequest, lastToolResults, onlyChildOf, toolStatesOf, toolsOf } from "../steps.js";

const serving = { session: { tools: [WEATHER] } };
const unasked = {
  session: { ...serving.session, permission: [{ permission: "client", pattern: "*", action: "allow" as const }] },
};

const weather = (place: string) => toolUse("mcp__agentwire__weather", { place }, { chunk: 1000 });
const askWeather = (then: string) => () => ({ main: [message([weather("Bern")]), say(then)] });

export const clientToolScenarios: readonly ClaudeFullScenario[] = [
  {
    ...serving,
    name: "client-tool",
    title: "A tool that the client serves is asked for, allowed, carried out by the client and completes.",
    requirements: ["tool.client-served", "tool.client-permission"],
    script: askWeather("It rains."),
    drive: async (driver) => {
      await driver.prompt("How is the weather in Bern?");
      await decideNext(driver, { decision: "once" });
      await carryOut(driver, { output: "rain" });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /^rain/);
      const [tool] = await toolsOf(driver);
      assert(tool?.state.status === "completed" && tool.state.block?.type === "call", "the call is on the part");
      assert.deepEqual([tool.state.block.output, tool.state.priorBlocks?.length], ["rain", 1]);
    },
  },
  {
    ...serving,
    name: "client-tool-reject",
    title: "A call of the client is rejected: the client never hears of it.",
    requirements: ["tool.client-permission"],
    script: askWeather("I do not know."),
    drive: async (driver) => {
      await driver.prompt("How is the weather in Bern?");
      await decideNext(driver, { decision: "reject" });
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["client error"]);
    },
  },
  {
    ...unasked,
    name: "client-tool-fails",
    title: "The client cannot carry out a call and says why.",
    requirements: ["tool.client-error"],
    script: askWeather("I do not know."),
    drive: async (driver) => {
      await driver.prompt("How is the weather in Bern?");
      await carryOut(driver, { error: "no such place" });
      await driver.idle();
      assert.equal(lastToolResults(driver.model)[0]?.isError, true);
      assert.deepEqual(await toolStatesOf(driver), ["client error"]);
    },
  },
  {
    ...unasked,
    name: "client-tool-image",
    title: "The client carries out a call and adds an image.",
    requirements: ["tool.client-image"],
    script: askWeather("A dot."),
    drive: async (driver) => {
      await driver.prompt("How does Bern look?");
      await carryOut(driver, { output: "", attachments: [{ type: "file", mime: "image/png", url: PNG }] });
      await driver.idle();
      assert.equal(imagesIn(lastRequest(driver.model)).length, 1);
      const [tool] = await toolsOf(driver);
      assert(tool?.state.status === "completed", "the tool has run");
      assert.equal(tool.state.attachments?.[0]?.url, PNG);
    },
  },
  {
    ...unasked,
    name: "client-tool-aborted",
    title: "The turn is aborted while a call waits for the client, and the next prompt works.",
    requirements: ["tool.client-aborted"],
    script: () => ({ main: [message([weather("Bern")]), say("Hello.")] }),
    drive: abortWhileCalled,
  },
  {
    ...unasked,
    name: "client-tools-at-once",
    title: "Two calls wait for the client at once, and the second is carried out first.",
    requirements: ["tool.client-parallel"],
    script: () => ({ main: [message([weather("Bern"), weather("Rome")]), say("Rain and sun.")] }),
    drive: async (driver) => {
      await driver.prompt("How is the weather in Bern and Rome?");
      const calls = await callsOf(driver, 2);
      for (const { block } of calls.reverse()) {
        assert(block.type === "call", "the client is called");
        await driver.reply(block.id, { output: block.input.place === "Rome" ? "sun" : "rain" });
      }
      await driver.idle();
      const told = lastToolResults(driver.model).map(({ text }) => /^\w+/.exec(text)?.[0]);
      assert.deepEqual(told.sort(), ["rain", "sun"]);
    },
  },
  {
    ...unasked,
    name: "client-tool-rebuilt",
    title: "A call is carried out after its session was built anew from what is stored; a second reply comes too late.",
    requirements: ["tool.client-rebuilt", "tool.client-first-wins"],
    script: askWeather("It rains."),
    drive: callAfterRebuild,
  },
  {
    ...unasked,
    name: "client-tool-in-subagent",
    title: "A subagent calls the client: the call waits in the subagent's session.",
    requirements: ["tool.client-subagent"],
    script: () => ({
      main: [message([agent("scout", "Ask for the weather")]), say("It rains.")],
      scout: [message([weather("Bern")]), say("Rain.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Have it asked.");
      const pending = await carryOut(driver, { output: "rain" });
      await driver.idle();
      const child = await onlyChildOf(driver);
      assert.equal(pending.sessionID, child.id);
      assert.deepEqual(await toolStatesOf(driver, child.id), ["client completed"]);
    },
  },
  {
    ...unasked,
    name: "client-tool-after-restart",
    title: "The CLI is killed between two turns: its successor knows the client's tools.",
    requirements: ["tool.client-resumed"],
    script: () => ({ main: [say("Hello."), message([weather("Bern")]), say("It rains.")] }),
    drive: callAfterRestart,
  },
  {
    ...unasked,
    name: "client-tool-in-fork",
    title: "A fork of a session knows the tools that its client serves.",
    requirements: ["tool.client-forked"],
    script: () => ({ main: [say("Hello."), message([weather("Bern")]), say("It rains.")] }),
    drive: callInFork,
  },
];
