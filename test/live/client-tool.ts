import assert from "node:assert/strict";
import type { PendingBlock, WireEvent } from "../../schemas/index.js";
import type { Driver, FullDriver } from "./scenario.js";
import { ask, DOT, toolStatesOf } from "./steps.js";

/** What stories about tools that the client serves share: there the scenario is that client. */

export const WEATHER = {
  name: "weather",
  description: "Tells the weather of a place.",
  inputSchema: { type: "object" as const, properties: { place: { type: "string" } }, required: ["place"] },
  readOnly: true,
};
export const PNG = `data:image/png;base64,${DOT}`;

/** Waits for this many calls to wait for the client. */
export async function callsOf(driver: Driver, count = 1): Promise<PendingBlock[]> {
  for (;;) {
    const calls = (await driver.blocked(count)).filter(({ block }) => block.type === "call");
    if (calls.length >= count) return calls;
    await driver.until((event) => event.type === "message.part.updated");
  }
}

/** The block of a call that waits for the client. */
function calledBy(event: WireEvent): string | undefined {
  if (event.type !== "message.part.updated" || event.properties.part.type !== "tool") return undefined;
  const { state } = event.properties.part;
  return state.status === "blocked" && state.block.type === "call" ? state.block.id : undefined;
}

export async function carryOut(driver: Driver, reply: Parameters<Driver["reply"]>[1]): Promise<PendingBlock> {
  const [pending] = await callsOf(driver);
  assert(pending?.block.type === "call", "the client is called");
  assert.deepEqual([pending.tool, pending.block.name, pending.block.input], ["client", "weather", { place: "Bern" }]);
  await driver.reply(pending.block.id, reply);
  return pending;
}

/** The turn is aborted while a call waits, and the next prompt works. */
export async function abortWhileCalled(driver: FullDriver): Promise<void> {
  await driver.prompt("How is the weather in Bern?");
  const [pending] = await callsOf(driver);
  await driver.abort();
  await driver.expectError("conflict", driver.reply(String(pending?.block.id), { output: "rain" }));
  await ask(driver, "Hello.");
  assert.deepEqual(await toolStatesOf(driver), ["client error"]);
}

/** A call is carried out after its session was built anew; a second reply comes too late. */
export async function callAfterRebuild(driver: FullDriver): Promise<void> {
  await driver.prompt("How is the weather in Bern?");
  await callsOf(driver);
  driver.rebuild();
  const { block } = await carryOut(driver, { output: "rain" });
  await driver.expectError("conflict", driver.reply(block.id, { output: "sun" }));
  await driver.idle();
  assert.deepEqual(await toolStatesOf(driver), ["client completed"]);
}

/** The agent's process is killed between two turns; the call comes in the second. */
export async function callAfterRestart(driver: FullDriver): Promise<void> {
  await ask(driver, "Hello.");
  driver.killAgent("SIGKILL");
  await driver.agentExited();
  await driver.prompt("How is the weather in Bern?");
  await carryOut(driver, { output: "rain" });
  await driver.idle();
  assert.deepEqual(await toolStatesOf(driver), ["client completed"]);
}

/** The call comes in a fork of the session. */
export async function callInFork(driver: FullDriver): Promise<void> {
  await ask(driver, "Hello.");
  const { session } = await driver.request("session.fork");
  await driver.request("session.prompt", {
    sessionID: session.id,
    parts: [{ type: "text", text: "How is the weather in Bern?" }],
  });
  let blockID = "";
  await driver.until((event) => {
    blockID = calledBy(event) ?? "";
    return blockID !== "";
  });
  await driver.reply(blockID, { output: "rain" });
  await driver.idle(session.id);
  assert.deepEqual(await toolStatesOf(driver, session.id), ["client completed"]);
}
