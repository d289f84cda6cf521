import type { AnyAdapter, Input, Output, SessionSeed } from "../../adapters/index.js";
import type { SessionTap } from "../session/live-session.js";
import { hide, type Placeholder } from "./placeholders.js";
import type { Origin } from "./run.js";
import type { Trace, TraceInfo, TraceLine } from "./trace.js";

/** Writes down what passes at the border of one session's agent, as a trace: the paths of this machine hidden, the vendor's prose cut. */
export class Recorder implements SessionTap {
  readonly #adapter: AnyAdapter;
  readonly #seed: SessionSeed;
  readonly #placeholders: readonly Placeholder[];
  readonly #origin: Origin | undefined;
  readonly #lines: TraceLine[] = [];

  constructor(adapter: AnyAdapter, seed: SessionSeed, placeholders: readonly Placeholder[], origin?: Origin) {
    this.#adapter = adapter;
    this.#origin = origin && hide(JSON.parse(JSON.stringify(origin)) as Origin, placeholders);
    this.#seed = seed;
    this.#placeholders = placeholders;
  }

  onInput(input: Input<unknown>, raw?: unknown): void {
    const { at, ...rest } = input;
    const t = at - this.#seed.at;
    const line = rest.kind === "frame" ? { kind: "frame" as const, frame: this.#adapter.trim(raw) } : rest;
    this.#lines.push(this.#keep({ t, ...line } as TraceLine));
  }

  onOutputs(outputs: readonly Output[]): void {
    const t = this.#lines.at(-1)?.t ?? 0;
    for (const output of outputs) {
      if (output.kind !== "wire") this.#lines.push(this.#keep({ t, kind: "expect", output }));
    }
  }

  trace(info: Omit<TraceInfo, "format" | "adapter" | "seed" | "origin">): Trace {
    const seed = hide(this.#seed, this.#placeholders);
    return {
      info: { format: 1, adapter: this.#adapter.id, ...info, seed, ...(this.#origin && { origin: this.#origin }) },
      native: [...this.#lines],
    };
  }

  /** A copy: what passes later may not change what was written down. */
  #keep(line: TraceLine): TraceLine {
    return hide(JSON.parse(JSON.stringify(line)) as TraceLine, this.#placeholders);
  }
}
