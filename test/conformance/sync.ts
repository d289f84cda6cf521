import { isDeepStrictEqual } from "node:util";
import type { Cursor } from "../../schemas/index.js";
import { type Run, wireOf } from "../../src/conformance/run.js";
import { openStore } from "../../src/store/open-store.js";
import { EMPTY_STATE, finalDocument, reduce, type WireState } from "../../src/store/reduce.js";

/**
 * Plays a run into a store, a group a step, and holds clients against one that heard everything: each left after another
 * step with the state it had, and comes back at the end. Names the steps whose client ends elsewhere.
 */
export function clientsAtEveryCursor(run: Run): string[] {
  const store = openStore({ path: ":memory:" });
  try {
    let state: WireState = EMPTY_STATE;
    store.subscribe((group) => {
      for (const { event } of group) state = reduce(state, event);
    });
    const clients: { cursor: Cursor; state: WireState }[] = [];
    for (const outputs of [run.start.outputs, ...run.steps.map((step) => step.outputs)]) {
      store.write({ sessionID: run.seed.sessionID, events: wireOf(outputs) });
      store.flush();
      clients.push({ cursor: store.cursor, state });
    }
    const final = finalDocument(state);
    return clients.flatMap((client, step) => {
      const { events, gap } = store.changesAfter(client.cursor, {}, Number.MAX_SAFE_INTEGER);
      const caughtUp = events.reduce((known, { event }) => reduce(known, event), client.state);
      if (gap) return [`step ${step}: the cursor is not known any more`];
      return isDeepStrictEqual(finalDocument(caughtUp), final)
        ? []
        : [`step ${step}: the client ends with another state`];
    });
  } finally {
    store.close();
  }
}
