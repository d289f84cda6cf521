import type { Part, WireEvent, WireEventOf } from "../../schemas/index.js";
import { type TextLengths, textLengths } from "./text-lengths.js";

type Delta = WireEventOf<"message.part.delta">["properties"];

interface OpenPart {
  readonly sessionID: string;
  readonly messageID: string;
  readonly lengths: TextLengths;
}

/**
 * What one subscriber has of the parts that still grow: how much of each text it was sent. Closed parts are forgotten, so
 * this stays as small as what is open.
 */
export class OpenParts {
  private readonly sent = new Map<string, OpenPart>();

  /** How much of a part's text the subscriber has, if it has the part as it is but for its end. */
  knownText(partID: string): number | undefined {
    return this.sent.get(partID)?.lengths.text;
  }

  /** Whether the subscriber has all of the text before this delta. */
  reaches(delta: Delta): boolean {
    const open = this.sent.get(delta.partID);
    return open !== undefined && (open.lengths[delta.field] ?? 0) >= delta.offset;
  }

  /** The subscriber was sent the event. */
  noteSent(event: WireEvent): void {
    if (event.type === "message.part.updated") this.noteRow(event.properties.part);
    else if (event.type === "message.part.delta") this.noteDelta(event.properties);
    else this.noteEnd(event);
  }

  /** The subscriber was not sent the event. */
  noteMissed(event: WireEvent): void {
    // The text may have been replaced and not only continued: what was sent is no start to build upon.
    if (event.type === "message.part.updated") this.sent.delete(event.properties.part.id);
    else this.noteEnd(event);
  }

  private noteRow(part: Part): void {
    const lengths = textLengths(part);
    if (lengths) this.sent.set(part.id, { sessionID: part.sessionID, messageID: part.messageID, lengths });
    else this.sent.delete(part.id);
  }

  private noteDelta({ partID, field, offset, delta }: Delta): void {
    const open = this.sent.get(partID);
    if (!open) return;
    open.lengths[field] = Math.max(open.lengths[field] ?? 0, offset + delta.length);
  }

  private noteEnd(event: WireEvent): void {
    switch (event.type) {
      case "message.part.removed":
        this.sent.delete(event.properties.partID);
        return;
      case "message.removed":
        return this.forgetAll((open) => open.messageID === event.properties.messageID);
      case "session.deleted":
        return this.forgetAll((open) => open.sessionID === event.properties.sessionID);
      case "session.status":
        // Nothing is open after a turn. Texts of prompts have no time that would say so themselves.
        if (event.properties.status.type !== "idle") return;
        return this.forgetAll((open) => open.sessionID === event.properties.sessionID);
      default:
        return;
    }
  }

  private forgetAll(matches: (open: OpenPart) => boolean): void {
    for (const [partID, open] of this.sent) if (matches(open)) this.sent.delete(partID);
  }
}
