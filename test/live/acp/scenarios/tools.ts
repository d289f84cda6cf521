import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { answer, type ScriptedAnswer, say, spare } from "../../model-server/script.js";
import { ask, DOT, decideNext, lastRequest, todosOf, toolStatesOf } from "../../steps.js";
import { WITH_TOOL_SERVER } from "../../tool-server.js";
import type { AcpAgent, AcpTools } from "../acp-agent.js";
import type { AcpScenario, AcpStories } from "../acp-scenario.js";
import { APIS } from "../apis.js";
import { allow, asksFor, lastToolResults } from "../steps.js";

export const toolStories: AcpStories = (agent) => {
  const { todos, question, subagent, mcp } = agent.tools;
  return [
    imageStory(agent),
    ...(todos ? [todoStory(todos)] : []),
    ...(question ? questionStories(agent, question) : []),
    ...(subagent ? subagentStories(agent, subagent) : []),
    ...(mcp ? mcpStories(agent, mcp) : []),
  ];
};

function imageStory(agent: AcpAgent): AcpScenario {
  return {
    name: "image",
    title: "A prompt carries an image, which the model sees.",
    requirements: ["image.prompt"],
    script: () => ({ main: [say("A dot.")] }),
    drive: async (driver) => {
      const url = `data:image/png;base64,${DOT}`;
      await driver.prompt("What is this?", { parts: [{ type: "file", mime: "image/png", filename: "dot.png", url }] });
      await driver.idle();
      assert.match(APIS[agent.api].imagesIn(lastRequest(driver.model)).join(), new RegExp(DOT.slice(0, 24)));
    },
  };
}

function todoStory(todos: NonNullable<AcpTools["todos"]>): AcpScenario {
  return {
    name: "todos",
    title: "The model plans two steps: the list is on the session.",
    requirements: ["todo.list"],
    script: () => ({
      main: [
        answer([
          todos([
            { content: "Read it", status: "in_progress" },
            { content: "Change it", status: "pending" },
          ]),
        ]),
        say("Planned."),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "Make a plan.");
      assert.deepEqual(await todosOf(driver), ["Read it: in_progress", "Change it: pending"]);
    },
  };
}

function questionStories(agent: AcpAgent, question: NonNullable<AcpTools["question"]>): AcpScenario[] {
  const script = () => ({ main: [answer([question("Which colour?", ["Red", "Blue"])]), say("Noted.")] });
  return [
    {
      name: "question",
      title: "A question is answered by one of its options.",
      requirements: ["question.one"],
      script,
      drive: async (driver) => {
        await agent.beforeQuestion?.(driver);
        await driver.prompt("Ask me.");
        await decideNext(driver, { answers: [["Blue"]] });
        await driver.idle();
        assert.match(lastToolResults(agent, driver.model), /Blue/);
      },
    },
    {
      name: "question-custom",
      title: "A question is answered in the user's own words.",
      requirements: ["question.custom"],
      script,
      drive: async (driver) => {
        await agent.beforeQuestion?.(driver);
        await driver.prompt("Ask me.");
        await decideNext(driver, { answers: [["Heliotrope"]] });
        await driver.idle();
        assert.match(lastToolResults(agent, driver.model), /Heliotrope/);
      },
    },
    {
      name: "question-withdrawn",
      title: "The turn is aborted while a question waits.",
      requirements: ["question.withdrawn"],
      script: () => ({ main: [answer([question("Which colour?", ["Red", "Blue"])]), spare()] }),
      drive: async (driver) => {
        await agent.beforeQuestion?.(driver);
        await driver.prompt("Ask me.");
        const [pending] = await driver.blocked();
        assert(pending !== undefined, "a question waits");
        await driver.abort();
        await driver.idle();
        await driver.expectError("conflict", driver.reply(pending.block.id, { answers: [["Red"]] }));
      },
    },
  ];
}

function subagentStories(agent: AcpAgent, subagent: NonNullable<AcpTools["subagent"]>): AcpScenario[] {
  const main = [answer([subagent("LANE=child Look at it.")]), say("My helper has looked.")];
  return [
    {
      name: "subagent",
      title: "A subagent looks, and its parent goes on.",
      requirements: ["subagent.foreground", "subagent.child", "subagent.text", "tool.completed"],
      script: () => ({ main, child: [say("I have looked.")] }),
      drive: async (driver) => {
        await driver.prompt("Send somebody.");
        await allow(agent, driver, "subagent");
        await driver.idle();
      },
    },
    ...(asksFor(agent, "shell-in-subagent") ? [askingSubagentStory(agent, main)] : []),
  ];
}

function askingSubagentStory(agent: AcpAgent, main: readonly ScriptedAnswer[]): AcpScenario {
  return {
    name: "subagent-asks",
    title: "A subagent's command is asked for, allowed and runs.",
    requirements: ["subagent.permission", "permission.once"],
    script: () => ({ main, child: [answer([agent.tools.shell("touch made.txt")]), say("I have made it.")] }),
    drive: async (driver) => {
      await driver.prompt("Send somebody.");
      await allow(agent, driver, "subagent");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      await access(join(driver.cwd, "made.txt"));
    },
  };
}

function mcpStories(agent: AcpAgent, mcp: NonNullable<AcpTools["mcp"]>): AcpScenario[] {
  return [
    {
      ...WITH_TOOL_SERVER,
      name: "mcp",
      title: "A tool of an MCP server adds two numbers.",
      requirements: ["mcp.tool"],
      script: () => ({ main: [answer([mcp("demo", "add", { a: 2, b: 3 })]), say("Five.")] }),
      drive: async (driver) => {
        await driver.prompt("Add 2 and 3.");
        await allow(agent, driver, "mcp");
        await driver.idle();
        assert.match(lastToolResults(agent, driver.model), /5/);
        assert.deepEqual(await toolStatesOf(driver), ["mcp completed"]);
      },
    },
    {
      ...WITH_TOOL_SERVER,
      name: "mcp-fails",
      title: "A tool of an MCP server fails.",
      requirements: ["mcp.error"],
      script: () => ({ main: [answer([mcp("demo", "fail", {})]), say("It is broken.")] }),
      drive: async (driver) => {
        await driver.prompt("Use it.");
        await allow(agent, driver, "mcp");
        await driver.idle();
        assert.deepEqual(await toolStatesOf(driver), ["mcp error"]);
      },
    },
  ];
}
