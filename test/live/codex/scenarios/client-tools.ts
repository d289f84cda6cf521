import assert from "node:assert/strict";
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
import { call, output, say } from "../../openai/script.js";
import { type CodexScenario, PLAIN_MODEL } from "../codex-scenario.js";
import { lastRequest, lastToolResults, toolStatesOf, toolsOf } from "../steps.js";

const serving = { session: { model: PLAIN_MODEL, mode: "acceptEdits", tools: [WEATHER] } } as const;

const weather = (place: string) => call("weather", { place });
const askWeather = (then: string) => () => ({ main: [output([weather("Bern")]), say(then)] });

export const clientToolScenarios: readonly CodexScenario[] = [
  {
    ...serving,
    name: "client-tool",
    title: "A tool that the client serves is carried out by the client and completes. Codex asks nobody before.",
    requirements: ["tool.client-served"],
    script: askWeather("It rains."),
    drive: async (driver) => {
      await driver.prompt("How is the weather in Bern?");
      await carryOut(driver, { output: "rain" });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /rain/);
      const [tool] = await toolsOf(driver);
      assert(tool?.state.status === "completed" && tool.state.block?.type === "call", "the call is on the part");
      assert.equal(tool.state.block.output, "rain");
    },
  },
  {
    ...serving,
    name: "client-tool-fails",
    title: "The client cannot carry out a call and says why.",
    requirements: ["tool.client-error"],
    script: askWeather("I do not know."),
    drive: async (driver) => {
      await driver.prompt("How is the weather in Bern?");
      await carryOut(driver, { error: "no such place" });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /no such place/);
      assert.deepEqual(await toolStatesOf(driver), ["client error"]);
    },
  },
  {
    ...serving,
    name: "client-tool-image",
    title: "The client carries out a call and adds an image.",
    requirements: ["tool.client-image"],
    script: askWeather("A dot."),
    drive: async (driver) => {
      await driver.prompt("How does Bern look?");
      await carryOut(driver, { output: "a dot", attachments: [{ type: "file", mime: "image/png", url: PNG }] });
      await driver.idle();
      assert.match(JSON.stringify(lastRequest(driver.model).body.input), /input_image/);
      const [tool] = await toolsOf(driver);
      assert(tool?.state.status === "completed", "the tool has run");
      assert.equal(tool.state.attachments?.[0]?.url, PNG);
    },
  },
  {
    ...serving,
    name: "client-tool-aborted",
    title: "The turn is aborted while a call waits for the client, and the next prompt works.",
    requirements: ["tool.client-aborted"],
    script: () => ({ main: [output([weather("Bern")]), say("Hello.")] }),
    drive: abortWhileCalled,
  },
  {
    ...serving,
    name: "client-tools-at-once",
    title: "Two calls wait for the client at once, and the second is carried out first.",
    requirements: ["tool.client-parallel"],
    script: () => ({ main: [output([weather("Bern"), weather("Rome")]), say("Rain and sun.")] }),
    drive: async (driver) => {
      await driver.prompt("How is the weather in Bern and Rome?");
      for (const { block } of (await callsOf(driver, 2)).reverse()) {
        assert(block.type === "call", "the client is called");
        await driver.reply(block.id, { output: block.input.place === "Rome" ? "sun" : "rain" });
      }
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["client completed", "client completed"]);
    },
  },
  {
    ...serving,
    name: "client-tool-rebuilt",
    title: "A call is carried out after its session was built anew from what is stored; a second reply comes too late.",
    requirements: ["tool.client-rebuilt", "tool.client-first-wins"],
    script: askWeather("It rains."),
    drive: callAfterRebuild,
  },
  {
    ...serving,
    name: "client-tool-after-restart",
    title: "The app-server is killed between two turns: its successor knows the client's tools.",
    requirements: ["tool.client-resumed"],
    script: () => ({ main: [say("Hello."), output([weather("Bern")]), say("It rains.")] }),
    drive: callAfterRestart,
  },
  {
    ...serving,
    name: "client-tool-in-fork",
    title: "A fork of a session knows the tools that its client serves.",
    requirements: ["tool.client-forked"],
    script: () => ({ main: [say("Hello."), output([weather("Bern")]), say("It rains.")] }),
    drive: callInFork,
  },
];
