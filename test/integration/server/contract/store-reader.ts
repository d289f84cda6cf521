import type { MessageWithParts, Params, Session, Todo, WireEvent } from "../../../../schemas/index.js";
import type { RequestHandler } from "../../../../src/session/request-handler.js";
import { EMPTY_STATE, reduce, type WireState } from "../../../../src/store/reduce.js";
import type { Store } from "../../../../src/store/store.js";
import { handlerOf } from "../../../unit/server/stream-peer.js";
import type { Peer } from "./peer.js";

const LIMIT = 1000;

/** Answers what only reads the store, as a gateway does. */
export function storeReader(store: Store): RequestHandler {
  return handlerOf((method, params: Params<"session.messages">) => {
    const { sessionID } = params;
    switch (method) {
      case "session.list":
        return { sessions: store.sessions({ limit: LIMIT }) };
      case "session.children":
        return { sessions: store.children(sessionID) };
      case "session.messages":
        return { messages: store.messages(sessionID, { limit: LIMIT }), cursor: store.cursor };
      case "todo.get":
        return { todos: store.todos(sessionID) };
      default:
        throw new Error(`${method} is not read here`);
    }
  });
}

/** Everything there is, read by requests as a client does that starts anew. */
export async function readEverything(peer: Peer): Promise<WireState> {
  const events: WireEvent[] = [];
  const { sessions } = await ask<{ sessions: Session[] }>(peer, "session.list");
  for (const session of sessions) await readSession(peer, session, events);
  return events.reduce(reduce, EMPTY_STATE);
}

async function readSession(peer: Peer, info: Session, events: WireEvent[]): Promise<void> {
  const sessionID = info.id;
  events.push({ type: "session.updated", properties: { sessionID, info } });
  const { messages } = await ask<{ messages: MessageWithParts[] }>(peer, "session.messages", sessionID);
  for (const message of messages) {
    events.push({ type: "message.updated", properties: { sessionID, info: message.info } });
    for (const part of message.parts) events.push({ type: "message.part.updated", properties: { sessionID, part } });
  }
  const { todos } = await ask<{ todos: Todo[] }>(peer, "todo.get", sessionID);
  events.push({ type: "todo.updated", properties: { sessionID, todos } });
  const { sessions } = await ask<{ sessions: Session[] }>(peer, "session.children", sessionID);
  for (const child of sessions) await readSession(peer, child, events);
}

type Read = "session.list" | "session.children" | "session.messages" | "todo.get";

async function ask<T>(peer: Peer, method: Read, sessionID?: string): Promise<T> {
  const { result, error } = await peer.call(method, sessionID === undefined ? {} : { sessionID });
  if (error) throw new Error(error.message);
  return result as T;
}
