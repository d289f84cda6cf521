import assert from "node:assert/strict";
import { call, output, say } from "../../openai/script.js";
import { WITH_TOOL_SERVER } from "../../tool-server.js";
import { type CodexScenario, PLAIN_MODEL } from "../codex-scenario.js";
import { ask, decideNext, lastToolResults, toolsOf } from "../steps.js";

const WITH_SERVER = {
  ...WITH_TOOL_SERVER,
  session: { ...WITH_TOOL_SERVER.session, model: PLAIN_MODEL, mode: "acceptEdits" },
} as const;

const tool = (name: string, input: Readonly<Record<string, unknown>> = {}) =>
  call(name, input, { namespace: "mcp__demo" });
const one = (name: string, input: Readonly<Record<string, unknown>>, then: string) => () => ({
  main: [output([tool(name, input)]), say(then)],
});

export const mcpScenarios: readonly CodexScenario[] = [
  {
    ...WITH_SERVER,
    name: "mcp-tool",
    title: "A tool of an MCP server is asked for, allowed and returns a number.",
    requirements: ["mcp.tool"],
    script: one("add", { a: 2, b: 3 }, "Five."),
    drive: async (driver) => {
      await driver.prompt("Add 2 and 3.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /5/);
      assert.equal((await toolsOf(driver))[0]?.tool, "mcp");
    },
  },
  {
    ...WITH_SERVER,
    name: "mcp-tool-always",
    title: "A tool of an MCP server is always allowed: its second call is not asked for.",
    requirements: ["mcp.tool", "permission.always", "permission.not-asked-again"],
    script: () => ({
      main: [output([tool("add", { a: 2, b: 3 })]), output([tool("add", { a: 4, b: 5 })]), say("Five and nine.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Add twice.");
      await decideNext(driver, { decision: "always" });
      await driver.idle();
    },
  },
  {
    ...WITH_SERVER,
    name: "mcp-tool-reject",
    title: "A tool of an MCP server is rejected.",
    requirements: ["mcp.tool", "permission.reject"],
    script: one("add", { a: 2, b: 3 }, "Then not."),
    drive: async (driver) => {
      await driver.prompt("Add 2 and 3.");
      await decideNext(driver, { decision: "reject" });
      await driver.idle();
    },
  },
  {
    ...WITH_SERVER,
    name: "mcp-tool-fails",
    title: "A tool of an MCP server fails.",
    requirements: ["mcp.error", "tool.error"],
    script: one("fail", {}, "It is broken."),
    drive: async (driver) => {
      await driver.prompt("Break it.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
    },
  },
  {
    ...WITH_SERVER,
    name: "mcp-picture",
    title: "A tool of an MCP server returns a picture: it is attached to the part.",
    requirements: ["mcp.image"],
    script: one("picture", {}, "A dot."),
    drive: async (driver) => {
      await driver.prompt("Draw it.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      const [part] = await toolsOf(driver);
      assert(part?.state.status === "completed" && part.state.attachments?.length === 1);
    },
  },
  {
    ...WITH_SERVER,
    name: "mcp-elicitation",
    title: "An MCP server asks its user for a form while its tool runs.",
    requirements: ["mcp.elicitation"],
    script: one("order", {}, "Ordered."),
    drive: async (driver) => {
      await driver.prompt("Order something.");
      await decideNext(driver, { decision: "once" });
      const [pending] = await driver.blocked();
      assert(pending?.block.type === "question", "the server asks");
      assert.equal(pending.tool, "mcp", "the question stands on the tool that asks it");
      await driver.reply(pending.block.id, { answers: [["Ada"], ["large"]] });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /Ada.*large/);
    },
  },
  {
    ...WITH_SERVER,
    name: "mcp-elicitation-declined",
    title: "An MCP server asks for a form and does not get it.",
    requirements: ["mcp.elicitation", "question.rejected"],
    script: one("order", {}, "Then not."),
    drive: async (driver) => {
      await driver.prompt("Order something.");
      await decideNext(driver, { decision: "once" });
      const [pending] = await driver.blocked();
      assert(pending?.block.type === "question");
      await driver.reply(pending.block.id, { decision: "reject" });
      await driver.idle();
    },
  },
  {
    ...WITH_SERVER,
    name: "mcp-elicitation-aborted",
    title: "The turn is aborted while an MCP server's form waits: it waits no more.",
    requirements: ["mcp.elicitation", "question.withdrawn"],
    script: () => ({ main: [output([tool("order")])] }),
    drive: async (driver) => {
      await driver.prompt("Order something.");
      await decideNext(driver, { decision: "once" });
      const [pending] = await driver.blocked();
      assert(pending?.block.type === "question");
      await driver.abort();
      await driver.idle();
      await driver.expectError("conflict", driver.reply(pending.block.id, { answers: [["Ada"], ["large"]] }));
    },
  },
  {
    ...WITH_SERVER,
    name: "mcp-tool-in-bypass-mode",
    title: "In bypassPermissions mode a tool of an MCP server runs unasked; a form is declined by the CLI itself.",
    requirements: ["mcp.tool", "mode.bypassPermissions"],
    session: { ...WITH_SERVER.session, mode: "bypassPermissions" },
    script: () => ({
      main: [output([tool("add", { a: 2, b: 3 })]), output([tool("order")]), say("Five, and no order.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Add and order.");
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /5/);
    },
  },
  {
    ...WITH_SERVER,
    name: "mcp-two-at-once",
    title: "Two calls of one MCP tool ask for permission, told apart by their input alone.",
    requirements: ["mcp.tool", "permission.sequence"],
    script: () => ({
      main: [output([tool("add", { a: 1, b: 1 }), tool("add", { a: 2, b: 2 })]), say("Two and four.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Add twice.");
      for (let i = 0; i < 2; i++) await decideNext(driver, { decision: "once" });
      await driver.idle();
      const tools = await toolsOf(driver);
      assert.equal(tools.length, 2, "no ask has a part of its own");
    },
  },
  {
    name: "mcp-server-missing",
    title: "The program of an MCP server does not exist: the turn works without it.",
    requirements: ["mcp.missing-server"],
    session: { mcpServers: { gone: { command: "there-is-no-such-program", args: [] } } },
    script: () => ({ main: [say("Here I am.")] }),
    drive: (driver) => ask(driver, "Hello?"),
  },
];
