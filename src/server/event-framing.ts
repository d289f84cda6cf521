import type { Cursor } from "../../schemas/index.js";

/** How one subscription's events are written on its transport. */
export interface EventFraming {
  /** `body` is the JSON of the events with commas between them; who has them goes on from `cursor`. */
  events(body: Buffer, cursor: Cursor | undefined): Buffer;
  /** Tells that the client was too slow: rows as they stand follow. */
  overflow(): Buffer;
}
