import type { Cursor, EventEnvelope, WireEvent, WireEventOf } from "../../schemas/index.js";

export type DeltaEvent = WireEventOf<"message.part.delta">;

/** What will be heard of a group, with the sessions that a filter can find it by. */
export interface LoggedEvent {
  readonly envelope: EventEnvelope;
  /** The sessions the event is about, from the root down. */
  readonly lineage: readonly string[];
}

/** Deltas of one part that are heard as one. */
export interface JoinedDelta {
  readonly index: number;
  readonly first: DeltaEvent;
  readonly lineage: readonly string[];
  /** The text of all of them. */
  text: string;
  /** How much of the text the open part has already. */
  settled: number;
}

/**
 * The events of a group in their order. The deltas of a part are joined into the first of them, as long as nothing
 * else is said of that part: what lies between is about other rows, so that nobody can tell the difference.
 */
export class GroupLog {
  readonly joins: JoinedDelta[] = [];
  /** How many deltas will not be heard by themselves. */
  joinedDeltas = 0;
  readonly #events: LoggedEvent[] = [];
  readonly #joinable = new Map<string, JoinedDelta>();

  durable(cursor: Cursor, event: WireEvent, lineage: readonly string[]): void {
    this.#events.push({ envelope: { cursor, event }, lineage });
  }

  transient(event: WireEvent, lineage: readonly string[]): void {
    this.#events.push({ envelope: { event }, lineage });
  }

  /** What the next delta of a part would be joined to. */
  joinable(partID: string): JoinedDelta | undefined {
    return this.#joinable.get(partID);
  }

  /** A delta that the open part has taken; `added` is what it really appended. */
  delta(event: DeltaEvent, added: string, lineage: readonly string[]): void {
    const join = this.#joinable.get(event.properties.partID);
    if (join === undefined) {
      this.#startJoin(onlyAdded(event, added), lineage);
    } else {
      join.text += added;
      this.joinedDeltas += 1;
      join.settled = join.text.length;
    }
  }

  #startJoin(first: DeltaEvent, lineage: readonly string[]): void {
    const text = first.properties.delta;
    const join = { index: this.#events.length, first, lineage, text, settled: text.length };
    this.#joinable.set(first.properties.partID, join);
    this.joins.push(join);
    this.transient(first, lineage);
  }

  /** Something else is said of the part: later deltas stand after it. */
  seal(partID: string): void {
    this.#joinable.delete(partID);
  }

  finish(): readonly LoggedEvent[] {
    for (const { index, first, lineage, text } of this.joins) {
      if (text.length === first.properties.delta.length) continue;
      const event: DeltaEvent = { ...first, properties: { ...first.properties, delta: text } };
      this.#events[index] = { envelope: { event }, lineage };
    }
    return this.#events;
  }
}

/** The delta without the beginning that the part had already. */
function onlyAdded(event: DeltaEvent, added: string): DeltaEvent {
  const { offset, delta } = event.properties;
  if (added.length === delta.length) return event;
  return { ...event, properties: { ...event.properties, offset: offset + delta.length - added.length, delta: added } };
}
