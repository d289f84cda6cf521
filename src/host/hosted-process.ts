import type { AgentEvent, AgentListener, LocalProcess, ProcessKey, SpawnSpec } from "../process/agent-host.js";
import { type Entry, Journal } from "./journal.js";
import type { FromHost } from "./messages.js";

/** How much of a process may wait for a gateway before it is not read any more, in UTF-16 units. */
const MAX_WAITING = 64 * 1024 * 1024;

export type Tell = (message: FromHost, lines?: readonly string[]) => void;

interface HostedOptions {
  readonly key: ProcessKey;
  readonly channel: SpawnSpec["channel"];
  /** Starts it. */
  readonly start: (listener: AgentListener) => LocalProcess;
  /** It has ended, and its end is stored. */
  readonly onForgotten: () => void;
  readonly maxWaiting?: number;
}

/** One process in the host: what it does is kept until a gateway has stored it, and what is asked of it is done once. */
export class HostedProcess implements AgentListener {
  readonly key: ProcessKey;
  readonly #options: HostedOptions;
  readonly #journal = new Journal();
  readonly #process: LocalProcess;
  readonly #maxWaiting: number;
  #tell: Tell | undefined;
  #unsent: Entry[] = [];
  #isReading = true;
  #hasEnded = false;
  #isAbandoned = false;
  #effects = 0;

  constructor(options: HostedOptions) {
    this.key = options.key;
    this.#options = options;
    this.#maxWaiting = options.maxWaiting ?? MAX_WAITING;
    this.#process = options.start(this);
  }

  get pid(): number | null {
    return this.#process.pid ?? null;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Tells a gateway everything after `seq`, and from then on what happens. */
  attach(after: number, tell: Tell): void {
    this.#journal.forget(after);
    this.#unsent = [...this.#journal.after(after)];
    this.#tell = tell;
    this.#flush();
    this.#forgetIfOver();
  }

  /** There is nobody to tell any more. */
  detach(): void {
    this.#tell = undefined;
    this.#unsent = [];
  }

  /** Nobody will store what it still does. */
  abandon(): void {
    this.#isAbandoned = true;
    this.detach();
    this.#process.stop("end");
    this.#forgetIfOver();
  }

  send(frame: unknown, effect: number | null): void {
    if (this.#isNew(effect)) this.#process.send(frame);
    this.#done(effect);
  }

  stop(how: "end" | "kill", effect: number | null): void {
    if (this.#isNew(effect)) this.#process.stop(how);
    this.#done(effect);
  }

  acknowledge(seq: number): void {
    this.#journal.forget(seq);
    if (!this.#isReading && this.#journal.chars < this.#maxWaiting / 2) this.#setReading(true);
    this.#forgetIfOver();
  }

  onEvent({ epoch: _, ...event }: AgentEvent): void {
    const { seq, at } = event;
    const line = event.kind === "frame" && this.#options.channel !== "http" ? lineOf(event.frame) : undefined;
    const entry = line === undefined ? { seq, at, event } : { seq, at, line };
    if (event.kind === "exit") this.#hasEnded = true;
    if (this.#isAbandoned) return this.#forgetIfOver();
    this.#journal.add(entry);
    if (this.#isReading && this.#journal.chars > this.#maxWaiting) this.#setReading(false);
    if (!this.#tell) return;
    // What is read together is told together.
    if (this.#unsent.push(entry) === 1) queueMicrotask(() => this.#flush());
  }

  onStderr(text: string): void {
    this.#tell?.({ type: "stderr", key: this.key, text });
  }

  #flush(): void {
    const entries = this.#unsent;
    this.#unsent = [];
    for (let start = 0; start < entries.length; ) {
      const run = runFrom(entries, start);
      if (run > 0) this.#tellLines(entries.slice(start, start + run));
      else this.#tellEvent(entries[start] as Entry);
      start += Math.max(run, 1);
    }
  }

  #tellLines(entries: readonly Entry[]): void {
    const { seq, at } = entries[0] as Entry;
    const lines = entries.map((entry) => ("line" in entry ? entry.line : ""));
    this.#tell?.({ type: "lines", key: this.key, seq, at }, lines);
  }

  #tellEvent(entry: Entry): void {
    if ("event" in entry) this.#tell?.({ type: "event", key: this.key, event: entry.event });
  }

  #isNew(effect: number | null): boolean {
    return effect === null || effect > this.#effects;
  }

  #done(effect: number | null): void {
    if (effect === null) return;
    this.#effects = Math.max(this.#effects, effect);
    this.#tell?.({ type: "done", key: this.key, effect });
  }

  #setReading(isRead: boolean): void {
    this.#isReading = isRead;
    this.#process.setReading(isRead);
  }

  #forgetIfOver(): void {
    if (this.#hasEnded && (this.#isAbandoned || this.#journal.isEmpty)) this.#options.onForgotten();
  }
}

/** How many lines follow one another from here with the same time and without a gap. */
function runFrom(entries: readonly Entry[], start: number): number {
  const first = entries[start];
  let length = 0;
  for (let entry = first; entry && "line" in entry && entry.at === first?.at; entry = entries[start + length]) {
    if (entry.seq !== first.seq + length) break;
    length += 1;
  }
  return length;
}

function lineOf(frame: unknown): string {
  return (frame as { line: string }).line;
}
