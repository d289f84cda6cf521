/**
 * Tells when an agent has said nothing for long: once for each silence. Hearing is a mere assignment, so that it may be
 * called for every frame; the timer looks at the time it was left with.
 */
export class Watchdog {
  readonly #silentMs: number;
  readonly #now: () => number;
  readonly #onSilent: () => void;
  #heardAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(silentMs: number, now: () => number, onSilent: () => void) {
    this.#silentMs = silentMs;
    this.#now = now;
    this.#onSilent = onSilent;
  }

  start(): void {
    this.heard();
    this.#arm(this.#silentMs);
  }

  heard(at = this.#now()): void {
    this.#heardAt = at;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(afterMs: number): void {
    this.stop();
    this.#timer = setTimeout(() => this.#look(), afterMs).unref();
  }

  #look(): void {
    const left = this.#heardAt + this.#silentMs - this.#now();
    if (left > 0) return this.#arm(left);
    this.#arm(this.#silentMs);
    this.#onSilent();
  }
}
