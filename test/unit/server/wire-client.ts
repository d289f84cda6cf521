import { type Cursor, EventsNotification, type Part, type WireEvent } from "../../../schemas/index.js";
import { EMPTY_STATE, reduce, type WireState } from "../../../src/store/reduce.js";

/** What a client makes of the frames it is sent. A hole in a text is an error: no client could mend it. */
export class WireClient {
  state: WireState = EMPTY_STATE;
  cursor: Cursor | undefined;
  readonly events: WireEvent[] = [];
  bytes = 0;

  receive(frame: string): void {
    this.bytes += Buffer.byteLength(frame);
    const { params } = JSON.parse(frame) as { params: unknown };
    for (const { cursor, event } of EventsNotification.parse(params).events) {
      this.checkOffset(event);
      this.events.push(event);
      this.state = reduce(this.state, event);
      if (cursor !== undefined) this.cursor = cursor;
    }
  }

  private checkOffset(event: WireEvent): void {
    if (event.type !== "message.part.delta") return;
    const { sessionID, messageID, partID, field, offset } = event.properties;
    const part = this.state.sessions[sessionID]?.messages[messageID]?.parts[partID];
    if (part && offset > grownLength(part)) throw new Error(`a hole before ${offset} of ${partID} ${field}`);
  }
}

function grownLength(part: Part): number {
  if (part.type === "text") return part.text.length;
  if (part.type !== "tool" || part.state.status !== "running") return Number.POSITIVE_INFINITY;
  return String(part.state.metadata?.output ?? "").length;
}
