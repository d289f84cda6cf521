import type { Message, MessageWithParts, Session, WireEvent } from "../../schemas/index.js";
import { EMPTY_STATE, reduce, type WireState } from "../store/reduce.js";
import { AgentwireError } from "./client-error.js";
import type { Link } from "./link.js";

const PAGE = 200;

/** Reads a session with its children, or all sessions, by ordinary requests. */
export async function readSnapshot(link: Link, sessionID: string | undefined): Promise<WireState> {
  const events: WireEvent[] = [];
  const roots = sessionID === undefined ? await readRoots(link) : [await readSession(link, sessionID)];
  for (const session of roots) await addSession(link, session, events);
  return events.reduce(reduce, EMPTY_STATE);
}

async function readSession(link: Link, sessionID: string): Promise<Session> {
  return (await link.call("session.get", { sessionID })).session;
}

async function readRoots(link: Link): Promise<Session[]> {
  return readPages((last?: Session) => {
    const before = last && { before: last.id };
    return link.call("session.list", { limit: PAGE, ...before }).then(({ sessions }) => sessions);
  });
}

/** One that is deleted meanwhile is left as it is: the event that says so comes. */
async function addSession(link: Link, info: Session, events: WireEvent[]): Promise<void> {
  try {
    await readInto(link, info, events);
  } catch (error) {
    if (!(error instanceof AgentwireError) || error.kind !== "not_found") throw error;
  }
}

async function readInto(link: Link, info: Session, events: WireEvent[]): Promise<void> {
  const sessionID = info.id;
  events.push({ type: "session.updated", properties: { sessionID, info } });
  for (const message of await readMessages(link, sessionID)) {
    events.push({ type: "message.updated", properties: { sessionID, info: message.info } });
    for (const part of message.parts) events.push({ type: "message.part.updated", properties: { sessionID, part } });
  }
  const { todos } = await link.call("todo.get", { sessionID });
  events.push({ type: "todo.updated", properties: { sessionID, todos } });
  const { sessions } = await link.call("session.children", { sessionID });
  for (const child of sessions) await addSession(link, child, events);
}

/** From the newest page back; each page has the oldest first. */
function readMessages(link: Link, sessionID: string): Promise<{ info: Message; parts: MessageWithParts["parts"] }[]> {
  return readPages((last?: MessageWithParts) => {
    const before = last && { before: last.info.id };
    return link
      .call("session.messages", { sessionID, limit: PAGE, ...before })
      .then(({ messages }) => [...messages].reverse());
  });
}

async function readPages<T>(read: (last?: T) => Promise<T[]>): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const page = await read(all.at(-1));
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
