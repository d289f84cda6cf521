/** The time and the ways to wait, so that tests need neither. */
export interface StoreClock {
  now(): number;
  /** Calls at the end of this tick. */
  soon(run: () => void): void;
  /** Calls once after a while, without keeping the process alive. Returns the way to take it back. */
  later(run: () => void, ms: number): () => void;
}

export const SYSTEM_CLOCK: StoreClock = {
  now: () => performance.now(),
  soon: (run) => void setImmediate(run),
  later: (run, ms) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
