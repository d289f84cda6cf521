import assert from "node:assert/strict";
import type { PendingBlock, WireEvent } from "../../schemas/index.js";
import type { Driver } from "./scenario.js";

/** What stories about tools that the client serves share: there the scenario is that client. */

export const WEATHER = {
  name: "weather",
  description: "Tells the weather of a place.",
  inputSchema: { type: "object" as const, properties: { place: { type: "string" } }, required: ["place"] },
  readOnly: true,
};
/** A dot. */
export const PNG =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Waits for this many calls to wait for the client. */
export async function callsOf(driver: Driver, count = 1): Promise<PendingBlock[]> {
  for (;;) {
    const calls = (await driver.blocked(count)).filter(({ block }) => block.type === "call");
    if (calls.length >= count) return calls;
    await driver.until((event) => event.type === "message.part.updated");
  }
}

/** The block of a call that waits for the client. */
export function calledBy(event: WireEvent): string | undefined {
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
