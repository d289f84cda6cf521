import type { Writable } from "node:stream";

/**
 * Writes whole lines to a child's stdin in order, one at a time once the pipe is full: an agent that reads slowly
 * still gets every line whole (one CLI cuts a long line that arrives together with another), and one that reads
 * nothing never blocks the caller.
 */
export class LineWriter {
  readonly #stream: Writable;
  readonly #queue: string[] = [];
  #phase: "open" | "ending" | "closed" = "open";
  #full = false;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on("drain", () => this.#resume());
    // EPIPE and its like only say that the agent is gone, which its exit tells better.
    stream.on("error", () => this.drop());
    stream.on("close", () => this.drop());
  }

  /** Lines that wait for the agent to read. */
  get queued(): number {
    return this.#queue.length;
  }

  /** Queues one line. After the end, or when the agent is gone, it is dropped. */
  write(line: string): void {
    if (this.#phase !== "open") return;
    this.#queue.push(line);
    this.#flush();
  }

  /** Closes the stream behind the lines that are still queued. */
  end(): void {
    if (this.#phase !== "open") return;
    this.#phase = "ending";
    this.#flush();
  }

  drop(): void {
    this.#phase = "closed";
    this.#queue.length = 0;
  }

  #resume(): void {
    this.#full = false;
    this.#flush();
  }

  #flush(): void {
    while (!this.#full && this.#queue.length > 0) this.#full = !this.#stream.write(this.#queue.shift());
    if (this.#phase !== "ending" || this.#queue.length > 0) return;
    this.#phase = "closed";
    this.#stream.end();
  }
}
