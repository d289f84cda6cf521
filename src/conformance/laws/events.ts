import { isDeepStrictEqual } from "node:util";
import { WireEvent } from "../../../schemas/index.js";
import { EMPTY_STATE, type FinalDocument, finalDocument, reduce } from "../../store/reduce.js";
import { eventsOf } from "../run.js";
import type { Law } from "./law.js";

/** Every event is what the schemas say. */
export const schema: Law = {
  name: "schema",
  check: (run) =>
    eventsOf(run).flatMap((event, i) => {
      const result = WireEvent.safeParse(event);
      if (result.success) return [];
      const issue = result.error.issues[0];
      return [`event ${i} (${event.type}): ${issue?.path.join(".")}: ${issue?.message}`];
    }),
};

/** Each event applied twice is applied once. */
export const idempotent: Law = {
  name: "idempotent",
  check: (run) => {
    const events = eventsOf(run);
    const doubled = finalOf(events.flatMap((event) => [event, event]));
    return isDeepStrictEqual(finalOf(events), doubled) ? [] : ["events applied twice end in another state"];
  },
};

/** Who hears no delta at all ends with the same state. */
export const deltasOptional: Law = {
  name: "deltas optional",
  check: (run) => {
    const events = eventsOf(run);
    const without = finalOf(events.filter((event) => event.type !== "message.part.delta"));
    return isDeepStrictEqual(finalOf(events), without) ? [] : ["without the deltas the final state is another"];
  },
};

export function finalOf(events: readonly WireEvent[]): FinalDocument {
  return finalDocument(events.reduce(reduce, EMPTY_STATE));
}
