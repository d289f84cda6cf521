import type { AgentEvent, AgentListener } from "./agent-host.js";
import type { Reading } from "./channel.js";

/** How an agent ended. */
interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  readonly error?: string;
}

export interface ReporterContext {
  readonly epoch: number;
  readonly now: () => number;
  readonly onListenerError: (error: unknown) => void;
}

/** Numbers and stamps what an agent does. Nothing follows the exit. */
export class AgentReporter {
  readonly #listener: AgentListener;
  readonly #context: ReporterContext;
  #seq = 0;
  #ended = false;

  constructor(listener: AgentListener, context: ReporterContext) {
    this.#listener = listener;
    this.#context = context;
  }

  report(reading: Exclude<Reading, { kind: "answer" }>): void {
    if (this.#ended) return;
    const { epoch, now } = this.#context;
    // One spread, and in the last place: any other way is up to 30 times slower, once per frame.
    this.#deliver({ epoch, seq: this.#count(), at: now(), ...reading });
  }

  reportStderr(text: string): void {
    if (text === "" || this.#ended) return;
    try {
      this.#listener.onStderr?.(text);
    } catch (error) {
      this.#handOver(error);
    }
  }

  reportDone(effect: number | undefined): void {
    if (effect !== undefined) this.#listener.onDone?.(effect);
  }

  reportExit(ending: Ending): void {
    if (this.#ended) return;
    this.#ended = true;
    const { epoch, now } = this.#context;
    this.#deliver({ epoch, seq: this.#count(), at: now(), kind: "exit", ...ending });
  }

  #count(): number {
    this.#seq += 1;
    return this.#seq;
  }

  #deliver(event: AgentEvent): void {
    try {
      this.#listener.onEvent(event);
    } catch (error) {
      this.#handOver(error);
    }
  }

  /** A listener that throws must not cost the frames behind this one, so its error is handed over on its own stack. */
  #handOver(error: unknown): void {
    queueMicrotask(() => this.#context.onListenerError(error));
  }
}
