import { isDeepStrictEqual } from "node:util";
import { beginRun } from "../run.js";
import type { Law } from "./law.js";

/** Two runs over the same inputs are equal, and no step changes the state it was given. */
export const pure: Law = {
  name: "pure",
  check: (run) => {
    const inputs = run.steps.map((step) => step.input);
    const problems: string[] = [];
    const start = beginRun(run);
    let state: unknown = deepFreeze(start.state);
    for (const [i, input] of inputs.entries()) {
      try {
        const next = run.adapter.step(state, deepFreeze(input));
        if (!isDeepStrictEqual(next.outputs, run.steps[i]?.outputs))
          problems.push(`step ${i}: a second run gives other outputs`);
        state = deepFreeze(next.state);
      } catch (error) {
        return [...problems, `step ${i} changes what it was given: ${String(error)}`];
      }
    }
    return problems;
  },
};

/** A state that was stored as JSON and read again, after any step, goes on the same. */
export const resume: Law = {
  name: "resume",
  check: (run) => {
    let state: unknown = run.start.state;
    for (const [i, { input, outputs }] of run.steps.entries()) {
      const next = run.adapter.step(JSON.parse(JSON.stringify(state)), input);
      if (!isDeepStrictEqual(next.outputs, outputs)) return [`step ${i}: the stored state gives other outputs`];
      state = next.state;
    }
    return [];
  },
};

/** Lines of a kind that does not exist change nothing, wherever they come. */
export const unknownTolerant: Law = {
  name: "unknown-tolerant",
  check: (run) => {
    const known = STRANGE_FRAMES.filter((raw) => run.adapter.parse(raw) !== undefined);
    return known.map((raw) => `the adapter reads ${JSON.stringify(raw)} as a frame`);
  },
};

const STRANGE_FRAMES: readonly unknown[] = [
  {},
  [],
  null,
  42,
  "text",
  { type: "kind_that_does_not_exist" },
  { type: 7 },
  { method: "method/that/does/not/exist", params: {} },
];

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
  return value;
}
