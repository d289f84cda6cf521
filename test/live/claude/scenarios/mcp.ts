import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { message, say, toolUse } from "../../anthropic/script.js";
import { imagesIn } from "../../anthropic/seen.js";
import type { Driver } from "../../scenario.js";
import { WITH_TOOL_SERVER } from "../../tool-server.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { decideNext, fileAppears, lastRequest, lastToolResults, sessionOf, toolsOf } from "../steps.js";

const calls = (tool: string, input: Readonly<Record<string, unknown>>, then: string) => () => ({
  main: [message([toolUse(`mcp__demo__${tool}`, input)]), say(then)],
});

/** Lets the tool run, and returns the question that its server then asks. */
async function elicited(driver: Driver): Promise<string> {
  await driver.prompt("Order something.");
  await decideNext(driver, { decision: "once" });
  const [pending] = await driver.blocked();
  assert(pending?.block.type === "question", "the server asks");
  assert.equal(pending.tool, "mcp", "the question stands on the tool that asks it");
  return pending.block.id;
}

export const mcpScenarios: readonly ClaudeFullScenario[] = [
  {
    ...WITH_TOOL_SERVER,
    name: "mcp-tool",
    title: "A tool of an MCP server is asked for, allowed and returns a number.",
    requirements: ["mcp.tool"],
    script: calls("add", { a: 2, b: 3 }, "Five."),
    drive: async (driver) => {
      await driver.prompt("Add 2 and 3.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /^\{"sum":5\}/);
      assert.equal((await toolsOf(driver))[0]?.tool, "mcp");
    },
  },
  {
    ...WITH_TOOL_SERVER,
    name: "mcp-tool-always",
    title: "A tool of an MCP server is always allowed: its second call is not asked for.",
    requirements: ["mcp.tool", "permission.always", "permission.not-asked-again"],
    script: () => ({
      main: [
        message([toolUse("mcp__demo__add", { a: 2, b: 3 })]),
        message([toolUse("mcp__demo__add", { a: 4, b: 5 })]),
        say("Five and nine."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Add twice.");
      await decideNext(driver, { decision: "always" });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[1]?.text ?? "", /^\{"sum":9\}/);
    },
  },
  {
    ...WITH_TOOL_SERVER,
    name: "mcp-tool-fails",
    title: "A tool of an MCP server fails and the model is told why.",
    requirements: ["mcp.error"],
    script: calls("fail", {}, "It is broken."),
    drive: async (driver) => {
      await driver.prompt("Try it.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.equal(lastToolResults(driver.model)[0]?.isError, true);
      assert.equal((await toolsOf(driver))[0]?.state.status, "error");
    },
  },
  {
    ...WITH_TOOL_SERVER,
    name: "mcp-image",
    title: "A tool of an MCP server returns an image.",
    requirements: ["mcp.image"],
    script: calls("picture", {}, "A dot."),
    drive: async (driver) => {
      await driver.prompt("Draw a dot.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.equal(imagesIn(lastRequest(driver.model)).length, 1);
      const [tool] = await toolsOf(driver);
      assert(tool?.state.status === "completed", "the tool has run");
      assert.equal(tool.state.attachments?.length, 1);
    },
  },
  {
    ...WITH_TOOL_SERVER,
    name: "mcp-elicitation-accepted",
    title: "An MCP server asks the user for two fields of a form, and gets them.",
    requirements: ["mcp.elicitation"],
    script: calls("order", {}, "Ordered."),
    drive: async (driver) => {
      await driver.reply(await elicited(driver), { answers: [["Ada"], ["large"]] });
      await driver.idle();
      const accepted = JSON.stringify({ action: "accept", content: { name: "Ada", size: "large" } });
      assert(lastToolResults(driver.model)[0]?.text.startsWith(accepted), "the server has the answers");
    },
  },
  {
    ...WITH_TOOL_SERVER,
    name: "mcp-elicitation-late",
    title: "An MCP server asks for a form when the turn is long over: its answer is all there is to that turn.",
    requirements: ["mcp.elicitation", "mcp.elicitation-late"],
    script: calls("later", {}, "It will ask."),
    drive: async (driver) => {
      await driver.prompt("Order something later.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      await writeFile(join(driver.cwd, "ask"), "");
      const [pending] = await driver.blocked();
      assert(pending?.block.type === "question", "the server asks");
      await driver.reply(pending.block.id, { answers: [["Ada"], ["large"]] });
      assert.equal((await sessionOf(driver)).status.type, "idle");
      await fileAppears(join(driver.cwd, "answer.json"));
    },
  },
  {
    ...WITH_TOOL_SERVER,
    name: "mcp-elicitation-declined",
    title: "An MCP server asks the user for a form and is declined.",
    requirements: ["mcp.elicitation"],
    script: calls("order", {}, "Not ordered."),
    drive: async (driver) => {
      await driver.reply(await elicited(driver), { decision: "reject" });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /"action":"decline"/);
    },
  },
];
