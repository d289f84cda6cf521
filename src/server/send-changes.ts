import type { Cursor, EventEnvelope } from "../../schemas/index.js";
import type { SubscriptionOutput } from "./subscription-output.js";

export interface SentChanges {
  readonly all: boolean;
  /** The cursor of the last row that was sent, when there was one. */
  readonly cursor: Cursor | undefined;
}

/** Sends a page of changed rows as far as there is room. Rows that were sent are not asked for again. */
export function sendChanges(events: readonly EventEnvelope[], output: SubscriptionOutput): SentChanges {
  let cursor: Cursor | undefined;
  let frame: EventEnvelope[] = [];
  let encoded: string[] = [];
  let size = 0;
  const flush = (): void => {
    if (frame.length > 0) output.send(frame, encoded);
    cursor = frame.findLast((row) => row.cursor !== undefined)?.cursor ?? cursor;
    [frame, encoded, size] = [[], [], 0];
  };
  for (const row of events) {
    const part = row.event.type === "message.part.updated" ? row.event.properties.part : undefined;
    const continued = part !== undefined && output.missingText(part) !== undefined;
    if (continued || size >= output.frameLength) flush();
    if (frame.length === 0 && !output.hasRoom) return { all: false, cursor };
    if (continued) {
      if (!output.sendPart(part)) return { all: false, cursor };
      cursor = row.cursor ?? cursor;
    } else {
      const text = JSON.stringify(row);
      frame.push(row);
      encoded.push(text);
      size += text.length;
    }
  }
  flush();
  return { all: true, cursor };
}
