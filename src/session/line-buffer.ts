const MAX_REST = 8 * 1024;

/** Tells a text by whole lines as it comes: a secret that is cut in two would not be known as one. */
export class LineBuffer {
  #rest = "";

  constructor(private readonly tell: (text: string) => void) {}

  push(text: string): void {
    const all = this.#rest + text;
    const end = all.lastIndexOf("\n") + 1;
    this.#rest = all.slice(end);
    if (end > 0) this.tell(all.slice(0, end));
    if (this.#rest.length > MAX_REST) this.flush();
  }

  flush(): void {
    const rest = this.#rest;
    this.#rest = "";
    if (rest !== "") this.tell(rest);
  }
}
