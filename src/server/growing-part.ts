import type { WireEvent } from "../../schemas/index.js";

/** The part that an event is about, if it tells of a part or of its text. */
export function growingPart(event: WireEvent): string | undefined {
  if (event.type === "message.part.delta") return event.properties.partID;
  return event.type === "message.part.updated" ? event.properties.part.id : undefined;
}
