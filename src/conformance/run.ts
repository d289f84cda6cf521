import type { AnyTranslator, Input, Output, SessionSeed } from "../../adapters/index.js";
import type { MessageWithParts, WireEvent } from "../../schemas/index.js";

/** One input and what the adapter made of it. */
export interface RunStep {
  readonly input: Input<unknown>;
  readonly outputs: readonly Output[];
  /** The state after the step. */
  readonly state: unknown;
}

/** A session from its seed through every input, with all states: what the laws are checked on. */
export interface Run {
  readonly adapter: AnyTranslator;
  readonly seed: SessionSeed;
  /** What it was forked from; a session that began empty has none. */
  readonly origin?: Origin | undefined;
  readonly start: { readonly state: unknown; readonly outputs: readonly Output[] };
  readonly steps: readonly RunStep[];
}

/** The session that another one was forked from: its adapter's state, and the messages that were taken along. */
export interface Origin {
  readonly state: unknown;
  readonly history: readonly MessageWithParts[];
}

/** How a session begins: empty, or as a copy of another. */
export function beginRun({ adapter, seed, origin }: Pick<Run, "adapter" | "seed" | "origin">): Run["start"] {
  const forked = origin && adapter.fork?.(origin.state, seed, origin.history);
  return forked ?? adapter.init(seed);
}

/** Runs inputs through an adapter, without process, clock or network. */
export function executeRun(
  adapter: AnyTranslator,
  seed: SessionSeed,
  inputs: readonly Input<unknown>[],
  origin?: Origin,
): Run {
  const start = beginRun({ adapter, seed, origin });
  let state: unknown = start.state;
  const steps = inputs.map((input) => {
    const next = adapter.step(state, input);
    state = next.state;
    return { input, outputs: next.outputs, state };
  });
  return { adapter, seed, origin, start, steps };
}

export function wireOf(outputs: readonly Output[]): WireEvent[] {
  return outputs.flatMap((output) => (output.kind === "wire" ? [output.event] : []));
}

/** Every event of a run, in order. */
export function eventsOf(run: Run): WireEvent[] {
  return [...wireOf(run.start.outputs), ...run.steps.flatMap((step) => wireOf(step.outputs))];
}
