import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

/** Every 20 ms, as Node has it, costs a third of a percent of a CPU; every 100 ms less than a tenth. */
const RESOLUTION_MS = 100;
const QUANTILES = [0.5, 0.99, 1];

/** How late the event loop is. Nothing is measured before it is asked for the first time. */
export class LoopLag {
  #measured: IntervalHistogram | undefined;

  /** Seconds by quantile since the last time it was asked; nothing where nothing was measured. */
  take(): (readonly [quantile: number, seconds: number])[] {
    const measured = this.#measured;
    if (measured === undefined) return this.#start();
    if (measured.count === 0) return [];
    const taken = QUANTILES.map((quantile) => [quantile, lagAt(measured, quantile)] as const);
    measured.reset();
    return taken;
  }

  #start(): [] {
    this.#measured = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#measured.enable();
    return [];
  }

  stop(): void {
    this.#measured?.disable();
  }
}

/** What is measured is the time between two looks, in nanoseconds. */
function lagAt(measured: IntervalHistogram, quantile: number): number {
  const ms = (quantile === 1 ? measured.max : measured.percentile(quantile * 100)) / 1e6;
  return Math.max(0, ms - RESOLUTION_MS) / 1000;
}
