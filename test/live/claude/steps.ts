import assert from "node:assert/strict";
import { access, mkdir, watch, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PendingBlock, WireEvent } from "../../../schemas/index.js";
import { type SeenToolResult, toolResultsIn } from "../anthropic/seen.js";
import type { BlockReply, Driver, ScriptedModel } from "../scenario.js";

/** The steps that many scenarios share. */

/** Sends a prompt and waits for the end of its turn. */
export async function ask(driver: Driver, prompt: string): Promise<void> {
  await driver.prompt(prompt);
  await driver.idle();
}

/** Waits for one blocked tool and decides it. */
export async function decideNext(driver: Driver, reply: BlockReply): Promise<PendingBlock> {
  const [pending] = await driver.blocked();
  assert(pending !== undefined, "a tool is blocked");
  await driver.reply(pending.block.id, reply);
  return pending;
}

/** Matches the event by which a client first sees this text of the model. */
export function showsText(fragment: string): (event: WireEvent) => boolean {
  return (event) => {
    if (event.type === "message.part.delta") return event.properties.delta.includes(fragment);
    if (event.type !== "message.part.updated") return false;
    const { part } = event.properties;
    return (part.type === "text" || part.type === "reasoning") && part.text.includes(fragment);
  };
}

/** Matches the event by which a client sees that the model request is tried again. */
export function showsRetry(event: WireEvent): boolean {
  return event.type === "session.status" && event.properties.status.type === "retry";
}

/** Matches the event by which a client first sees input of a tool call. */
export function showsToolInput(event: WireEvent): boolean {
  if (event.type === "message.part.delta") return event.properties.field === "state.raw";
  return event.type === "message.part.updated" && event.properties.part.type === "tool";
}

export async function putFile(directory: string, file: string, content: string): Promise<void> {
  const path = join(directory, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** Resolves when the file is there. The watch begins before the look, so that no moment is missed. */
export async function fileAppears(path: string): Promise<void> {
  const stop = new AbortController();
  const changes = watch(dirname(path), { signal: stop.signal })[Symbol.asyncIterator]();
  try {
    while (!(await exists(path))) await changes.next();
  } finally {
    stop.abort();
  }
}

/** The tool results in the newest request of the main conversation. */
export function lastToolResults(model: ScriptedModel): SeenToolResult[] {
  const last = model.requests.findLast((request) => request.lane === "main");
  return last === undefined ? [] : toolResultsIn(last);
}

/** How many requests the main conversation has made, retries included. */
export function mainRequests(model: ScriptedModel): number {
  return model.requests.filter((request) => request.lane === "main").length;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
