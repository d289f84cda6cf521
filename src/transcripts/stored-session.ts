import type { SessionSeed, TranscriptHead } from "../../adapters/index.js";
import type { Session, WireEvent } from "../../schemas/index.js";
import { EMPTY_STATE, type FinalDocument, finalDocument, reduce } from "../store/reduce.js";
import type { Store } from "../store/store.js";

const PAGE = 1000;
const NEWEST = 1;

/**
 * What the events came to, as the fewest events that tell it. Told again where it is stored already it changes nothing,
 * which the events of its making would.
 */
export function settled(events: readonly WireEvent[]): WireEvent[] {
  return finalDocument(events.reduce(reduce, EMPTY_STATE)).sessions.flatMap(tell);
}

function tell({ info, messages, todos }: FinalDocument["sessions"][number]): WireEvent[] {
  const sessionID = info.id;
  const told: WireEvent[] = [{ type: "session.created", properties: { sessionID, info } }];
  for (const message of messages) {
    told.push({ type: "message.updated", properties: { sessionID, info: message.info } });
    for (const part of message.parts) told.push({ type: "message.part.updated", properties: { sessionID, part } });
  }
  if (todos.length > 0) told.push({ type: "todo.updated", properties: { sessionID, todos: [...todos] } });
  return told;
}

/** Every root session, the newest first. */
export function* rootSessions(store: Store, agent?: string): Generator<Session> {
  for (let before: string | undefined; ; ) {
    const page = store.sessions({ limit: PAGE, ...(agent && { agent }), ...(before !== undefined && { before }) });
    yield* page;
    before = page.at(-1)?.id;
    if (page.length < PAGE) return;
  }
}

/** The agent's own id of a session. */
export function nativeIDOf(session: Session): string | undefined {
  const { sessionID } = (session.metadata?.native ?? {}) as { sessionID?: unknown };
  return typeof sessionID === "string" ? sessionID : undefined;
}

/** Whether the gateway has gone on with a session that it had from a transcript: that holds messages of both then. */
export function isContinued(store: Store, sessionID: string, events: readonly WireEvent[]): boolean {
  const [newest] = store.messages(sessionID, { limit: NEWEST });
  if (!newest) return false;
  return !events.some((event) => event.type === "message.updated" && event.properties.info.id === newest.info.id);
}

/** The seed of a session that is stored already keeps what a client has said of it. */
export function seedWith(seed: SessionSeed, existing: Session | undefined, head: TranscriptHead): SessionSeed {
  if (!existing) return seed;
  const { mode, model, permission, metadata, time } = existing;
  return {
    ...seed,
    title: head.title ?? existing.title,
    mode,
    ...(model !== undefined && { model }),
    ...(permission && { permission }),
    ...(time.archived !== undefined && { archived: time.archived }),
    metadata: { ...metadata, ...seed.metadata },
  };
}

/** The session, if any, with which the gateway drives the agent's own. */
export function sessionDriving(store: Store, agent: string, nativeID: string): Session | undefined {
  for (const session of rootSessions(store, agent)) if (nativeIDOf(session) === nativeID) return session;
  return undefined;
}
