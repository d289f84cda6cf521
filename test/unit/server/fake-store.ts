import {
  type Cursor,
  EVENT_DURABILITY,
  type EventEnvelope,
  type Part,
  type Session,
  type WireEvent,
} from "../../../schemas/index.js";
import type { EventSource } from "../../../src/server/event-source.js";
import { EMPTY_STATE, reduce, type WireState } from "../../../src/store/reduce.js";
import type { Changes, EventFilter } from "../../../src/store/store.js";

interface Row {
  readonly revision: number;
  readonly event: WireEvent;
}

const CURSOR_WIDTH = 8;

/**
 * The store as the server sees it: rows with revisions, texts ahead of their rows, removals that may be forgotten. Like the
 * real one, any read first publishes what was written, and changes are read with what they stand in before them.
 */
export class FakeStore implements EventSource {
  state: WireState = EMPTY_STATE;
  pagesRead = 0;
  private revision = 0;
  private group: EventEnvelope[] = [];
  private readonly grown = new Set<string>();
  private oldestRemoval = 0;
  private readonly rows = new Map<string, Row>();
  /** Also of sessions that are gone: whoever hears only their parent must hear of that. */
  private readonly parents = new Map<string, string | undefined>();
  private readonly listeners = new Set<(group: readonly EventEnvelope[]) => void>();

  get cursor(): Cursor {
    return encode(this.revision);
  }

  get listenerCount(): number {
    return this.listeners.size;
  }

  subscribe(listener: (group: readonly EventEnvelope[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Writes a group and publishes it. */
  publish(...events: WireEvent[]): void {
    this.write(...events);
    this.settle();
  }

  /** Writes to the group that the next read, or `settle`, publishes. */
  write(...events: WireEvent[]): void {
    this.group.push(...events.map((event) => this.apply(event)));
  }

  settle(): void {
    const group = this.group;
    this.group = [];
    for (const listener of group.length > 0 ? [...this.listeners] : []) listener(group);
  }

  forgetRemovals(): void {
    this.oldestRemoval = this.revision;
  }

  changesAfter(cursor: Cursor | undefined, filter: EventFilter, maxBytes: number): Changes {
    this.settle();
    this.saveTexts();
    this.pagesRead++;
    const after = cursor === undefined ? 0 : Number.parseInt(cursor, 36);
    if (after < this.oldestRemoval || after > this.revision)
      return { events: [], cursor: this.cursor, more: false, gap: true };
    const changed = [...this.rows.values()].filter((row) => row.revision > after && this.isIn(row.event, filter));
    changed.sort((a, b) => a.revision - b.revision);
    const events: EventEnvelope[] = [];
    let reached: Cursor | undefined;
    for (let bytes = 0; changed.length > 0 && bytes < maxBytes; ) {
      const { revision, event } = changed.shift() as Row;
      events.push(...changed.flatMap((later) => (standsIn(event, later.event) ? [{ event: later.event }] : [])));
      reached = encode(revision);
      events.push({ cursor: reached, event });
      bytes +=
        event.type === "message.part.updated" && "text" in event.properties.part
          ? event.properties.part.text.length
          : 300;
    }
    const more = changed.length > 0 && reached !== undefined;
    return { events, cursor: more ? (reached as Cursor) : this.cursor, more, gap: false };
  }

  part(partID: string): Part | undefined {
    this.settle();
    return this.find(partID);
  }

  private find(partID: string): Part | undefined {
    for (const session of Object.values(this.state.sessions)) {
      for (const message of Object.values(session.messages)) if (message.parts[partID]) return message.parts[partID];
    }
    return undefined;
  }

  session(sessionID: string): Session | undefined {
    this.settle();
    return this.state.sessions[sessionID]?.info;
  }

  children(sessionID: string): Session[] {
    return Object.values(this.state.sessions).flatMap(({ info }) => (info.parentID === sessionID ? [info] : []));
  }

  private apply(event: WireEvent): EventEnvelope {
    this.state = reduce(this.state, event);
    if (event.type === "session.created") this.parents.set(event.properties.info.id, event.properties.info.parentID);
    if (event.type === "message.part.delta") this.grown.add(event.properties.partID);
    if (EVENT_DURABILITY[event.type] === "transient") return { event };
    this.record(event);
    return { cursor: this.cursor, event };
  }

  /** A text that grew is written to its row when the rows are read: the row changes, and nobody hears of it. */
  saveTexts(): void {
    for (const partID of this.grown) {
      const part = this.find(partID);
      if (part) this.put(`part ${part.id}`, partUpdated(part));
    }
    this.grown.clear();
  }

  private record(event: WireEvent): void {
    const { sessionID } = event.properties;
    switch (event.type) {
      case "message.updated":
        return this.put(`message ${event.properties.info.id}`, event);
      case "message.part.updated":
        this.grown.delete(event.properties.part.id);
        return this.put(`part ${event.properties.part.id}`, event);
      case "todo.updated":
        return this.put(`todos ${sessionID}`, event);
      case "message.removed":
        this.drop(({ properties }) => "messageID" in properties && properties.messageID === event.properties.messageID);
        this.drop((row) => row.type === "message.updated" && row.properties.info.id === event.properties.messageID);
        this.drop(
          (row) => row.type === "message.part.updated" && row.properties.part.messageID === event.properties.messageID,
        );
        return this.put(`gone ${event.properties.messageID}`, event);
      case "message.part.removed":
        this.rows.delete(`part ${event.properties.partID}`);
        return this.put(`gone ${event.properties.partID}`, event);
      case "session.deleted":
        this.drop((row) => row.properties.sessionID === sessionID);
        return this.put(`gone ${sessionID}`, event);
      default: {
        const info = this.state.sessions[sessionID]?.info;
        if (info) this.put(`session ${sessionID}`, { type: "session.updated", properties: { sessionID, info } });
      }
    }
  }

  private put(key: string, event: WireEvent): void {
    this.rows.set(key, { revision: ++this.revision, event });
  }

  private drop(matches: (event: WireEvent) => boolean): void {
    for (const [key, row] of this.rows) if (matches(row.event)) this.rows.delete(key);
  }

  private isIn(event: WireEvent, { sessionID }: EventFilter): boolean {
    if (sessionID === undefined) return true;
    for (let id: string | undefined = event.properties.sessionID; id !== undefined; id = this.parents.get(id)) {
      if (id === sessionID) return true;
    }
    return false;
  }
}

/** Whether a row belongs to the session or message of another row, which must be known first. */
function standsIn(inner: WireEvent, outer: WireEvent): boolean {
  const { properties } = inner;
  if (inner.type.endsWith("removed") || inner.type === "session.deleted") return false;
  if (outer.type === "session.updated")
    return outer.properties.sessionID === properties.sessionID && inner.type !== "session.updated";
  return (
    outer.type === "message.updated" && "part" in properties && outer.properties.info.id === properties.part.messageID
  );
}

function encode(revision: number): Cursor {
  return revision.toString(36).padStart(CURSOR_WIDTH, "0");
}

function partUpdated(part: Part): WireEvent {
  return { type: "message.part.updated", properties: { sessionID: part.sessionID, part } };
}
