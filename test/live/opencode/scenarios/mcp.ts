import assert from "node:assert/strict";
import { message, say, toolUse } from "../../anthropic/script.js";
import { imagesIn } from "../../anthropic/seen.js";
import { WITH_TOOL_SERVER } from "../../tool-server.js";
import type { OpencodeScenario } from "../opencode-scenario.js";
import { decideNext, lastRequest, lastToolResults, toolsOf } from "../steps.js";

const calls = (tool: string, input: Readonly<Record<string, unknown>>, then: string) => () => ({
  main: [message([toolUse(`demo_${tool}`, input)]), say(then)],
});

export const mcpScenarios: readonly OpencodeScenario[] = [
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
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /5/);
      assert.equal((await toolsOf(driver))[0]?.tool, "mcp");
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
      assert.equal((await toolsOf(driver))[0]?.state.status, "error");
    },
  },
  {
    ...WITH_TOOL_SERVER,
    name: "mcp-image",
    title: "A tool of an MCP server returns an image.",
    requirements: ["mcp.image", "image.result"],
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
    name: "mcp-missing-server",
    title: "A tool server that does not start costs no turn, and the session says why.",
    requirements: ["turn.finish-stop"],
    session: { mcpServers: { missing: { command: "./no-such-server", args: [] } } },
    script: () => ({ main: [say("Hello.")] }),
    drive: async (driver) => {
      await driver.prompt("Hello?");
      await driver.idle();
      const { session } = await driver.request("session.get", {});
      const native = session.metadata?.native as { mcp?: Record<string, unknown> };
      assert(native.mcp?.missing !== undefined);
    },
  },
];
