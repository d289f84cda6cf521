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

/** What waits to be taken, in order and one at a time. While something is awaited, only that and commands are taken. */
export class Mailbox {
  readonly #take: (mail: Mail) => void;
  readonly #onFailure: (error: unknown) => void;
  readonly #waiting: Mail[] = [];
  /** What passes by that waits for something. */
  readonly #urgent: Mail[] = [];
  /** What must be taken before all else that comes. */
  readonly #awaited = new Set<symbol>();
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
    return this.#waiting.length + this.#urgent.length;
  }

  /** Takes all that may be taken, and this; throws what taking it throws. */
  takeNow(mail: Mail): void {
    (this.#awaited.size > 0 ? this.#urgent : this.#waiting).push(mail);
    this.#drain();
  }

  /** What comes from now on waits for what the returned function brings. */
  await(): (mail: Mail) => void {
    const awaited = Symbol("awaited");
    this.#awaited.add(awaited);
    return (mail) => {
      if (!this.#awaited.delete(awaited)) return;
      this.#urgent.push(mail);
      this.#settle();
    };
  }

  /** Forgets what waits, and what is awaited. */
  clear(): void {
    this.#waiting.length = 0;
    this.#urgent.length = 0;
    this.#awaited.clear();
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

  #next(): Mail | undefined {
    return this.#urgent.shift() ?? (this.#awaited.size > 0 ? undefined : this.#waiting.shift());
  }

  #drain(): void {
    this.#draining = true;
    try {
      for (let next = this.#next(); next; next = this.#next()) this.#take(next);
    } finally {
      this.#draining = false;
    }
  }
}
