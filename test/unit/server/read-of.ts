import type { FakeStore } from "./fake-store.js";

/** What a gateway answers to requests that only read, from a store; nothing to any other. */
export function readOf(
  store: FakeStore,
  method: string,
  { sessionID, limit }: { sessionID: string; limit?: number },
): object | undefined {
  const known = store.state.sessions[sessionID];
  switch (method) {
    case "session.get":
      return { session: known?.info };
    case "session.list":
      return { sessions: Object.values(store.state.sessions).map(({ info }) => info) };
    case "session.children":
      return { sessions: store.children(sessionID) };
    case "session.messages": {
      const messages = Object.values(known?.messages ?? {}).slice(-(limit ?? Number.POSITIVE_INFINITY));
      return {
        messages: messages.map(({ info, parts }) => ({ info, parts: Object.values(parts) })),
        cursor: store.cursor,
      };
    }
    case "todo.get":
      return { todos: known?.todos ?? [] };
    default:
      return undefined;
  }
}
