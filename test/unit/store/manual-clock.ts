import type { StoreClock } from "../../../src/store/store-clock.js";

/** A clock that goes only when told to. */
export class ManualClock implements StoreClock {
  #now = 0;
  #soon: (() => void)[] = [];
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  now(): number {
    return this.#now;
  }

  soon(run: () => void): void {
    this.#soon.push(run);
  }

  later(run: () => void, ms: number): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get timers(): number {
    return this.#timers.size;
  }

  endTick(): void {
    const due = this.#soon;
    this.#soon = [];
    for (const run of due) run();
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.#now)) {
      this.#timers.delete(timer);
      timer.run();
    }
  }
}
