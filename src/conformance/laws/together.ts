import { isDeepStrictEqual } from "node:util";
import type { AnyTranslator, Input } from "../../../adapters/index.js";
import { eventsOf, executeRun } from "../run.js";
import { finalOf } from "./events.js";
import type { Law } from "./law.js";

/** Frames that the adapter joins, because they were read together, end in the same state as one after the other. */
export const together: Law = {
  name: "together",
  check: (run) => {
    const { adapter, seed, origin } = run;
    const inputs = joinAll(
      adapter,
      run.steps.map((step) => step.input),
    );
    const joined = eventsOf(executeRun(adapter, seed, inputs, origin));
    return isDeepStrictEqual(finalOf(eventsOf(run)), finalOf(joined)) ? [] : ["joined frames end in another state"];
  },
};

function joinAll(adapter: AnyTranslator, inputs: readonly Input<unknown>[]): Input<unknown>[] {
  const joined: Input<unknown>[] = [];
  for (const input of inputs) {
    const last = joined.at(-1);
    const frame =
      last?.kind === "frame" && input.kind === "frame" ? adapter.join?.(last.frame, input.frame) : undefined;
    if (frame === undefined) joined.push(input);
    else joined[joined.length - 1] = { at: input.at, kind: "frame", frame };
  }
  return joined;
}
