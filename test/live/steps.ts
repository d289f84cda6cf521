import assert from "node:assert/strict";
import { constants } from "node:fs";
import { access, mkdir, open, rm, watch, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PendingBlock, Session, ToolPart, WireEvent } from "../../schemas/index.js";
import type { BlockReply, Driver, FullDriver, ScriptedModel, SeenRequest } from "./scenario.js";

/** The steps that many scenarios share, of any agent. */

/** A picture of one pixel: a PNG in base64. */
export const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Tells by a file that it runs, then waits for a writer that never comes: it ends only when it is killed. */
export const ENDLESS = "mkfifo never && touch started && cat never";

/** Lets an endless command go that outlives its agent, and has told that it runs. */
export async function endEndless(directory: string): Promise<void> {
  const pipe = join(directory, "never");
  // To open it for both waits for nobody. A reader that is there sees the end; one that comes later finds no pipe.
  const both = await open(pipe, constants.O_RDWR);
  await rm(pipe);
  await both.close();
}

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

/** Matches the event by which a client first sees input of a tool call: its first piece, or the call with what came of it. */
export function showsToolInput(event: WireEvent): boolean {
  if (event.type === "message.part.delta") return event.properties.field === "state.raw";
  if (event.type !== "message.part.updated" || event.properties.part.type !== "tool") return false;
  const { state } = event.properties.part;
  return state.status !== "pending" || state.raw !== "";
}

/** Matches the event by which a client first sees output of a tool that runs. */
export function showsOutputSoFar({ type, properties }: WireEvent): boolean {
  if (type === "message.part.delta") return properties.field === "state.metadata.output";
  if (type !== "message.part.updated" || properties.part.type !== "tool") return false;
  const { state } = properties.part;
  return state.status === "running" && typeof state.metadata?.output === "string" && state.metadata.output !== "";
}

/** Matches the event by which a client sees a tool that has ended with this output. */
export function showsOutput(output: string): (event: WireEvent) => boolean {
  return ({ type, properties }) => {
    if (type !== "message.part.updated" || properties.part.type !== "tool") return false;
    const { state } = properties.part;
    return state.status === "completed" && state.output.trim() === output;
  };
}

/** Matches the event by which a client sees that the conversation was compacted. Whoever was away sees only what it left. */
export function showsCompaction(event: WireEvent): boolean {
  if (event.type === "session.compacted") return true;
  return event.type === "message.part.updated" && event.properties.part.type === "compaction";
}

/** The sessions of the subagents that a session started itself, the oldest first. */
export async function childrenOf(driver: FullDriver, sessionID = driver.sessionID): Promise<Session[]> {
  return (await driver.request("session.children", { sessionID })).sessions;
}

export async function onlyChildOf(driver: FullDriver, sessionID = driver.sessionID): Promise<Session> {
  const children = await childrenOf(driver, sessionID);
  assert.equal(children.length, 1, "there is one subagent");
  return children[0] as Session;
}

/** What the agent said in a session, a line for each text. */
export async function textsOf(driver: FullDriver, sessionID = driver.sessionID): Promise<string[]> {
  const { messages } = await driver.request("session.messages", { sessionID });
  const parts = messages.filter(({ info }) => info.role === "assistant").flatMap((message) => message.parts);
  return parts.flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : []));
}

export async function toolsOf(driver: FullDriver, sessionID = driver.sessionID): Promise<ToolPart[]> {
  const { messages } = await driver.request("session.messages", { sessionID });
  return messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool"));
}

/** How the tool calls of a session stand. */
export async function toolStatesOf(driver: FullDriver, sessionID = driver.sessionID): Promise<string[]> {
  return (await toolsOf(driver, sessionID)).map(({ tool, state }) => `${tool} ${state.status}`);
}

/** The todo list as the user sees it. */
export async function todosOf(driver: FullDriver): Promise<string[]> {
  const { todos } = await driver.request("todo.get");
  return todos.map(({ content, status }) => `${content}: ${status}`);
}

/** The session as it stands. */
export async function sessionOf(driver: FullDriver, sessionID = driver.sessionID): Promise<Session> {
  return (await driver.request("session.get", { sessionID })).session;
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

/** The newest request of a lane. */
export function lastRequest(model: ScriptedModel, lane = "main"): SeenRequest {
  const last = newestRequest(model, lane);
  assert(last !== undefined, `the lane ${lane} was asked`);
  return last;
}

/** The newest request of a lane; undefined where it was not asked. */
export function newestRequest(model: ScriptedModel, lane: string): SeenRequest | undefined {
  return model.requests.findLast((request) => request.lane === lane);
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
