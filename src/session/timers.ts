/** The named timers of one session. They do not keep the process alive. */
export class Timers {
  readonly #running = new Map<string, NodeJS.Timeout>();
  readonly #onFire: (timer: string) => void;

  constructor(onFire: (timer: string) => void) {
    this.#onFire = onFire;
  }

  /** Starts a timer, in place of one with the same name; null takes it back. */
  set(timer: string, afterMs: number | null): void {
    clearTimeout(this.#running.get(timer));
    this.#running.delete(timer);
    if (afterMs === null) return;
    const handle = setTimeout(() => {
      this.#running.delete(timer);
      this.#onFire(timer);
    }, afterMs);
    this.#running.set(timer, handle.unref());
  }

  clear(): void {
    for (const handle of this.#running.values()) clearTimeout(handle);
    this.#running.clear();
  }
}
