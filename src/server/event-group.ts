import type { Cursor, EventEnvelope, WireEventOf } from "../../schemas/index.js";
import { growingPart } from "./growing-part.js";

type Delta = WireEventOf<"message.part.delta">["properties"];

/** A published group as it is sent: its JSON is made once, at the first subscriber that can take it. */
export class EventGroup {
  private encodedBody: Buffer | undefined;
  private firstDeltas: readonly Delta[] | undefined;

  constructor(
    readonly events: readonly EventEnvelope[],
    /** The place in the store's history after the group, also for those who are sent only some of its events. */
    readonly cursor: Cursor | undefined = events.findLast((envelope) => envelope.cursor !== undefined)?.cursor,
    private readonly encodedEvents = new Map<EventEnvelope, string>(),
  ) {}

  /** The JSON of the events, with commas between them. */
  get body(): Buffer {
    this.encodedBody ??= Buffer.from(this.events.map((envelope) => this.encode(envelope)).join(","));
    return this.encodedBody;
  }

  /** The deltas that are the first the group says of their part: they alone tell whether a subscriber has what is before. */
  get continuations(): readonly Delta[] {
    this.firstDeltas ??= findContinuations(this.events);
    return this.firstDeltas;
  }

  /** The group without the events that don't pass; what was encoded already is shared. */
  filter(passes: (envelope: EventEnvelope) => boolean): EventGroup {
    const kept = this.events.filter(passes);
    return kept.length === this.events.length ? this : new EventGroup(kept, this.cursor, this.encodedEvents);
  }

  /** The group without what a cursor covers already; hardly ever is there any. */
  after(cursor: Cursor): EventGroup {
    const first = this.events.find((envelope) => envelope.cursor !== undefined)?.cursor;
    if (first === undefined || first > cursor) return this;
    return this.filter((envelope) => envelope.cursor === undefined || envelope.cursor > cursor);
  }

  private encode(envelope: EventEnvelope): string {
    const known = this.encodedEvents.get(envelope);
    if (known !== undefined) return known;
    const text = JSON.stringify(envelope);
    this.encodedEvents.set(envelope, text);
    return text;
  }
}

function findContinuations(events: readonly EventEnvelope[]): Delta[] {
  const seen = new Set<string>();
  const found: Delta[] = [];
  for (const { event } of events) {
    const partID = growingPart(event);
    if (partID === undefined || seen.has(partID)) continue;
    seen.add(partID);
    if (event.type === "message.part.delta") found.push(event.properties);
  }
  return found;
}
