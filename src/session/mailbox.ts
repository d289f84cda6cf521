import type { Input } from "../../adapters/index.js";

/** How far a process was heard: which of its session's it is, and the number of its last event. */
export interface Place {
  readonly epoch: number;
  readonly seq: number;
}

/** One thing that happens to a session. */
export interface Mail {
  input: Input<unknown>;
  /** The frame as it came, before it was read. */
  readonly raw?: unknown;
  /** Where an agent's event stands among all of its process. */
  seen?: Place | undefined;
}

/** Two frames as one that says the same; undefined where that cannot be said. */
type Join = (earlier: unknown, later: unknown) => unknown;

/** What waits to be taken, in order and one at a time. */
export class Mailbox {
  readonly #take: (mail: Mail) => void;
  readonly #onFailure: (error: unknown) => void;
  readonly #waiting: Mail[] = [];
  #draining = false;
  /** Frames wait for the end of what was read with them. */
  #gathering = false;

  /** `onFailure` hears what is thrown for mail that nobody waits for the taking of. */
  constructor(take: (mail: Mail) => void, onFailure: (error: unknown) => void) {
    this.#take = take;
    this.#onFailure = onFailure;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /** How much waits to be taken. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Takes all that waits, and this; throws what taking it throws. */
  takeNow(mail: Mail): void {
    this.#waiting.push(mail);
    this.#drain();
  }

  post(mail: Mail): void {
    this.#waiting.push(mail);
    this.#settle();
  }

  /**
   * Frames are taken when all that was read together is here, which is before anything else happens: a burst of deltas is
   * then one step.
   */
  gather(mail: Mail & { readonly input: { readonly kind: "frame" } }, join: Join | undefined): void {
    const last = this.#waiting.at(-1);
    const joined = last?.input.kind === "frame" && join?.(last.input.frame, mail.input.frame);
    if (last && joined) {
      last.input = { ...mail.input, frame: joined };
      last.seen = mail.seen;
      return;
    }
    this.#waiting.push(mail);
    if (this.#gathering) return;
    this.#gathering = true;
    queueMicrotask(() => {
      this.#gathering = false;
      this.#settle();
    });
  }

  #settle(): void {
    if (this.#draining) return;
    try {
      this.#drain();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  #drain(): void {
    this.#draining = true;
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) this.#take(next);
    } finally {
      this.#draining = false;
    }
  }
}
