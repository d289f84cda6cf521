import type { AnyAdapter, Input, Output, SessionSeed } from "../../adapters/index.js";
import type { WireEvent } from "../../schemas/index.js";

/** One input and what the adapter made of it. */
export interface RunStep {
  readonly input: Input<unknown>;
  readonly outputs: readonly Output[];
  /** The state after the step. */
  readonly state: unknown;
}

/** A session from its seed through every input, with all states: what the laws are checked on. */
export interface Run {
  readonly adapter: AnyAdapter;
  readonly seed: SessionSeed;
  readonly start: { readonly state: unknown; readonly outputs: readonly Output[] };
  readonly steps: readonly RunStep[];
}

/** Runs inputs through an adapter, without process, clock or network. */
export function executeRun(adapter: AnyAdapter, seed: SessionSeed, inputs: readonly Input<unknown>[]): Run {
  const start = adapter.init(seed);
  let state: unknown = start.state;
  const steps = inputs.map((input) => {
    const next = adapter.step(state, input);
    state = next.state;
    return { input, outputs: next.outputs, state };
  });
  return { adapter, seed, start, steps };
}

export function wireOf(outputs: readonly Output[]): WireEvent[] {
  return outputs.flatMap((output) => (output.kind === "wire" ? [output.event] : []));
}

/** Every event of a run, in order. */
export function eventsOf(run: Run): WireEvent[] {
  return [...wireOf(run.start.outputs), ...run.steps.flatMap((step) => wireOf(step.outputs))];
}
