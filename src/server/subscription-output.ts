import type { Cursor, EventEnvelope, Part } from "../../schemas/index.js";
import type { EventFraming } from "./event-framing.js";
import type { EventGroup } from "./event-group.js";
import { OpenParts } from "./open-parts.js";
import type { Outlet } from "./outlet.js";
import type { ServerLimits } from "./server-limits.js";
import { splitText } from "./split-text.js";

/** What one subscription has sent, and what more it may send. */
export class SubscriptionOutput {
  readonly parts = new OpenParts();
  private unfinished: string | undefined;

  constructor(
    private readonly outlet: Outlet,
    private readonly framing: EventFraming,
    private readonly limits: ServerLimits,
  ) {}

  get hasRoom(): boolean {
    return this.hasRoomFor(this.limits.frameLength);
  }

  /** What is larger than all of the room can only go when hardly anything waits. */
  hasRoomFor(bytes: number): boolean {
    const { pendingBytes } = this.outlet;
    return pendingBytes + bytes <= this.limits.pendingBytes || pendingBytes <= this.limits.lowWaterBytes;
  }

  get pendingBytes(): number {
    return this.outlet.pendingBytes;
  }

  get frameLength(): number {
    return this.limits.frameLength;
  }

  sendGroup(group: EventGroup): void {
    this.write(group.events, group.body, group.cursor);
  }

  sendOverflow(): void {
    this.outlet.write(this.framing.overflow());
  }

  /** `encoded` is the JSON of each event. */
  send(events: readonly EventEnvelope[], encoded: readonly string[]): void {
    const cursor = events.findLast((envelope) => envelope.cursor !== undefined)?.cursor;
    this.write(events, Buffer.from(encoded.join(",")), cursor);
  }

  /** A text whose start was sent before the room ended: it can go on without asking what else has changed. */
  get unfinishedPart(): string | undefined {
    const partID = this.unfinished;
    return partID !== undefined && this.parts.knownText(partID) !== undefined ? partID : undefined;
  }

  /**
   * Sends what the subscriber lacks of a part: only the rest of a text it has the start of, so that a text which is still
   * written is not sent whole at every catch-up. False when the room ended first.
   */
  sendPart(part: Part): boolean {
    const rest = this.missingText(part);
    if (rest === undefined) return this.sendWhole(part);
    this.unfinished = part.id;
    for (const piece of splitText(rest.text, rest.from, this.limits.pieceLength)) {
      if (!this.hasRoom) return false;
      this.sendOne(partDelta(part, piece.offset, piece.text));
    }
    this.unfinished = undefined;
    return true;
  }

  /** False when there is no room. */
  sendWhole(part: Part): boolean {
    if (!this.hasRoom) return false;
    this.sendOne(partUpdated(part));
    return true;
  }

  private sendOne(envelope: EventEnvelope): void {
    this.send([envelope], [JSON.stringify(envelope)]);
  }

  /** The text of a part and how much of it is known, when the part can be completed by deltas. */
  missingText(part: Part): { readonly text: string; readonly from: number } | undefined {
    if (part.type !== "text" && part.type !== "reasoning") return undefined;
    const from = this.parts.knownText(part.id);
    if (from === undefined || from > part.text.length || part.time?.end !== undefined) return undefined;
    return { text: part.text, from };
  }

  private write(events: readonly EventEnvelope[], body: Buffer, cursor: Cursor | undefined): void {
    this.outlet.write(this.framing.events(body, cursor));
    for (const { event } of events) this.parts.noteSent(event);
  }
}

function partUpdated(part: Part): EventEnvelope {
  return { event: { type: "message.part.updated", properties: { sessionID: part.sessionID, part } } };
}

function partDelta(part: Part, offset: number, delta: string): EventEnvelope {
  const { sessionID, messageID, id: partID } = part;
  return {
    event: { type: "message.part.delta", properties: { sessionID, messageID, partID, field: "text", offset, delta } },
  };
}
