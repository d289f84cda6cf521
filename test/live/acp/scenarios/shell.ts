import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { answer, say, text } from "../../model-server/script.js";
import { ask, decideNext, putFile, toolStatesOf } from "../../steps.js";
import { type AcpAgent, call } from "../acp-agent.js";
import type { AcpScenario, AcpStories } from "../acp-scenario.js";
import { allow, asksFor, lastToolResults } from "../steps.js";

export const shellStories: AcpStories = (agent) => [
  ...(asksFor(agent, "shell") ? askedStories(agent) : [unaskedStory(agent)]),
  {
    name: "read-twice",
    title: "Two files are read by one response.",
    requirements: ["tool.parallel"],
    setup: async ({ cwd }) => {
      await putFile(cwd, "one.txt", "first\n");
      await putFile(cwd, "two.txt", "second\n");
    },
    script: ({ cwd }) => ({
      main: [
        answer([agent.tools.read(join(cwd, "one.txt")), agent.tools.read(join(cwd, "two.txt"))]),
        say("Both read."),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "Read both.");
      assert.deepEqual(await toolStatesOf(driver), ["read completed", "read completed"]);
    },
  },
  {
    name: "tool-unknown",
    title: "The model calls a tool that does not exist, hears of it and goes on.",
    requirements: ["tool.unknown"],
    script: () => ({ main: [answer([call("no_such_tool", { a: 1 })]), say("There is none.")] }),
    drive: (driver) => ask(driver, "Use it."),
  },
  {
    name: "shell-fails",
    title: "A command fails, and the model hears of it.",
    requirements: ["tool.exit-code"],
    script: () => ({ main: [answer([agent.tools.shell("echo oops >&2; exit 3")]), say("It failed.")] }),
    drive: async (driver) => {
      await driver.prompt("Fail.");
      await allow(agent, driver, "shell");
      await driver.idle();
      assert.match(lastToolResults(agent, driver.model), /oops/);
    },
  },
];

function unaskedStory(agent: AcpAgent): AcpScenario {
  return {
    name: "shell-unasked",
    title: "A command runs: the agent asks nobody.",
    requirements: ["tool.completed", "tool.output"],
    script: () => ({
      main: [answer([text("I create it."), agent.tools.shell("touch made.txt && echo made")]), say("Created.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Create made.txt.");
      assert.match(lastToolResults(agent, driver.model), /made/);
    },
  };
}

function askedStories(agent: AcpAgent): AcpScenario[] {
  const { shell } = agent.tools;
  const goesOn = agent.habits.afterReject === "goes-on";
  return [
    {
      name: "shell-once",
      title: "A command is asked for, allowed once and runs.",
      requirements: ["permission.once", "tool.completed", "tool.output"],
      script: () => ({
        main: [answer([text("I create it."), shell("touch made.txt && echo made")]), say("Created.")],
      }),
      drive: async (driver) => {
        await driver.prompt("Create made.txt.");
        await decideNext(driver, { decision: "once" });
        await driver.idle();
        assert.match(lastToolResults(agent, driver.model), /made/);
        await access(join(driver.cwd, "made.txt"));
      },
    },
    {
      name: "shell-reject",
      title: "A command is rejected and does not run.",
      requirements: ["permission.reject"],
      script: () => ({ main: [answer([shell("touch made.txt")]), ...(goesOn ? [say("Not created.")] : [])] }),
      drive: async (driver) => {
        await driver.prompt("Create made.txt.");
        await decideNext(driver, { decision: "reject" });
        await driver.idle();
        await assert.rejects(access(join(driver.cwd, "made.txt")), "the command does not run");
      },
    },
    {
      name: "shell-rebuilt",
      title: "While a command waits, its session is built anew from what is stored; it is allowed and runs.",
      requirements: ["permission.rebuilt"],
      script: () => ({ main: [answer([shell("touch made.txt")]), say("Created.")] }),
      drive: async (driver) => {
        await driver.prompt("Create made.txt.");
        const [waiting] = await driver.blocked();
        driver.rebuild();
        assert.deepEqual(await driver.blocked(), [waiting]);
        await decideNext(driver, { decision: "once" });
        await driver.idle();
        await access(join(driver.cwd, "made.txt"));
      },
    },
    {
      name: "shell-first-wins",
      title: "The first reply to an ask wins, and a later one is a conflict.",
      requirements: ["permission.first-wins"],
      script: () => ({ main: [answer([shell("touch made.txt")]), say("Created.")] }),
      drive: async (driver) => {
        await driver.prompt("Create made.txt.");
        const { block } = await decideNext(driver, { decision: "once" });
        await driver.expectError("conflict", driver.reply(block.id, { decision: "reject" }));
        await driver.idle();
      },
    },
    {
      name: "shell-sequence",
      title: "Two commands of one response are asked for and run.",
      requirements: ["permission.sequence", "tool.sequence"],
      script: () => ({
        main: [answer([shell("echo one > one.txt"), shell("echo two > two.txt")]), say("Both created.")],
      }),
      drive: async (driver) => {
        await driver.prompt("Create both.");
        await decideNext(driver, { decision: "once" });
        await decideNext(driver, { decision: "once" });
        await driver.idle();
        assert.equal((await toolStatesOf(driver)).length, 2);
        await access(join(driver.cwd, "two.txt"));
      },
    },
  ];
}
