import type { MessageWithParts, PendingBlock, Session, WireEvent } from "../../../schemas/index.js";
import type { Client } from "../../client/index.js";

/** A tool that waits is among the last messages of its session. */
const WAITING_MESSAGES = 100;

/**
 * A session as it stands, told as events: itself and its children, its last messages, and the tools that wait in any of
 * them. What is heard meanwhile from a subscription that was made before may come twice.
 */
export async function readRecent(client: Client, sessionID: string, count: number): Promise<WireEvent[]> {
  const { session } = await client.call("session.get", { sessionID });
  const { blocks } = await client.call("block.list", { sessionID });
  const family = [session, ...(await readChildren(client, sessionID))];
  const messages = count > 0 ? await readMessages(client, sessionID, count) : [];
  const shown = new Set(messages.flatMap(({ parts }) => parts.map(({ id }) => id)));
  const waiting = await readWaiting(
    client,
    blocks.filter(({ partID }) => !shown.has(partID)),
  );
  return [...family.map(sessionEvent), ...messages.flatMap(messageEvents), ...waiting];
}

async function readChildren(client: Client, sessionID: string): Promise<Session[]> {
  const { sessions } = await client.call("session.children", { sessionID });
  const below = await Promise.all(sessions.map(({ id }) => readChildren(client, id)));
  return [...sessions, ...below.flat()];
}

async function readMessages(client: Client, sessionID: string, limit: number): Promise<MessageWithParts[]> {
  return (await client.call("session.messages", { sessionID, limit })).messages;
}

async function readWaiting(client: Client, blocks: readonly PendingBlock[]): Promise<WireEvent[]> {
  const wanted = new Set(blocks.map(({ partID }) => partID));
  const sessionIDs = [...new Set(blocks.map(({ sessionID }) => sessionID))];
  const messages = await Promise.all(sessionIDs.map((id) => readMessages(client, id, WAITING_MESSAGES)));
  return messages
    .flat()
    .flatMap(({ parts }) => parts.filter(({ id }) => wanted.has(id)))
    .map((part) => ({ type: "message.part.updated", properties: { sessionID: part.sessionID, part } }));
}

function sessionEvent(info: Session): WireEvent {
  return { type: "session.updated", properties: { sessionID: info.id, info } };
}

function messageEvents({ info, parts }: MessageWithParts): WireEvent[] {
  const { sessionID } = info;
  return [
    { type: "message.updated", properties: { sessionID, info } },
    ...parts.map((part): WireEvent => ({ type: "message.part.updated", properties: { sessionID, part } })),
  ];
}
