import { expect, test } from "vitest";
import { native } from "../../unit/adapters/claude/native.js";
import { done, init, out, Rig } from "./rig.js";

const NAME = "mcp__agentwire__weather";
const TOOL = { name: "weather", description: "Tells the weather.", inputSchema: { type: "object" as const } };
const CALL = {
  type: "control_request",
  request_id: "r1",
  request: {
    subtype: "mcp_message",
    server_name: "agentwire",
    message: {
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: { name: "weather", arguments: { place: "Bern" }, _meta: { "claudecode/toolUseId": "t1" } },
    },
  },
};

/** The agent calls the client, and goes on when it has an answer. */
function calling(): Rig {
  const called = out(native.whole("m", native.call("t1", NAME, { place: "Bern" })));
  const end = [...out(native.toolResult("t1", "rain")), done];
  return new Rig({ turns: [[init, ...called, { ask: CALL, deny: end }]] });
}

test("a call waits for whoever carries it out first, and nobody is told of a later answer", async () => {
  const rig = calling();
  const sessionID = await rig.create({ tools: [TOOL] });
  await rig.prompt(sessionID, "go");
  const block = await rig.block(sessionID);
  const { blocks } = await rig.gateway.handle("block.list", { sessionID });
  expect(blocks).toMatchObject([
    { tool: "client", callID: "t1", block: { type: "call", name: "weather", input: { place: "Bern" } } },
  ]);
  await expect(rig.reply(block.id, { decision: "once" })).rejects.toMatchObject({
    kind: "invalid_params",
    detail: { field: "decision" },
  });
  const { block: resolved } = await rig.reply(block.id, { output: "rain" });
  expect(resolved).toMatchObject({ type: "call", output: "rain", decidedBy: "user" });
  await expect(rig.reply(block.id, { output: "sun" })).rejects.toMatchObject({ kind: "conflict" });
  await rig.idle(sessionID);
  expect(rig.tool(sessionID, "t1").state).toMatchObject({ status: "completed", output: "rain", block: resolved });
  await expect(rig.reply(block.id, { output: "sun" })).rejects.toMatchObject({ kind: "conflict" });
});

test("a rule that denies everything says nothing of a call", async () => {
  const rig = calling();
  const permission = [{ permission: "*", pattern: "*", action: "deny" as const }];
  const sessionID = await rig.create({ tools: [TOOL], permission });
  await rig.prompt(sessionID, "go");
  const { id } = await rig.block(sessionID);
  await rig.reply(id, { error: "no such place" });
  await rig.idle(sessionID);
  expect(rig.tool(sessionID, "t1").state).toMatchObject({ block: { error: "no such place" } });
});

test("the gateway's end decides a call that waits", async () => {
  const rig = calling();
  const sessionID = await rig.create({ tools: [TOOL] });
  await rig.prompt(sessionID, "go");
  await rig.block(sessionID);
  await rig.gateway.close();
  expect(rig.tool(sessionID, "t1").state).toMatchObject({
    status: "error",
    block: { type: "call", decidedBy: "shutdown" },
  });
});
