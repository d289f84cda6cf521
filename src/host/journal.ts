import type { HostEvent } from "./messages.js";

/** A line of a process, which is most of what there is, or anything else it did. */
export type Entry =
  | { readonly seq: number; readonly at: number; readonly line: string }
  | { readonly seq: number; readonly at: number; readonly event: HostEvent };

/** What a process did and no gateway has stored yet. */
export class Journal {
  #entries: Entry[] = [];
  #first = 0;
  #chars = 0;

  /** The length of what it holds, in UTF-16 units. */
  get chars(): number {
    return this.#chars;
  }

  get isEmpty(): boolean {
    return this.#first === this.#entries.length;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    this.#chars += sizeOf(entry);
  }

  after(seq: number): readonly Entry[] {
    return this.#entries.slice(this.#first).filter((entry) => entry.seq > seq);
  }

  /** Forgets everything up to a number. */
  forget(seq: number): void {
    for (;;) {
      const entry = this.#entries[this.#first];
      if (entry === undefined || entry.seq > seq) break;
      this.#chars -= sizeOf(entry);
      this.#first += 1;
    }
    // Not one by one: that would move all the others each time.
    if (this.#first < 1024 && this.#first < this.#entries.length) return;
    this.#entries = this.#entries.slice(this.#first);
    this.#first = 0;
  }
}

function sizeOf(entry: Entry): number {
  return "line" in entry ? entry.line.length : JSON.stringify(entry.event).length;
}
