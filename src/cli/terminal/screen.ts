import { safeText } from "./safe-text.js";

const DIM = "\u001b[2m";
const RESET = "\u001b[0m";

export interface Style {
  readonly dim?: boolean;
}

/** What a person reads: the one place where text goes to a terminal, stripped of what a terminal would obey. */
export class Screen {
  /** Told before something is shown, so that a prompt that stands there can make room. */
  beforeWrite: () => void = () => {};
  readonly #out: NodeJS.WritableStream;
  readonly #colour: boolean;
  #midLine = false;
  #held: string[] | undefined;

  constructor(out: NodeJS.WritableStream & { isTTY?: boolean }) {
    this.#out = out;
    this.#colour = out.isTTY === true && !process.env.NO_COLOR;
  }

  write(text: string, { dim = false }: Style = {}): void {
    const safe = safeText(text);
    if (safe === "") return;
    this.#put(dim && this.#colour ? `${DIM}${safe}${RESET}` : safe);
    this.#midLine = !safe.endsWith("\n");
  }

  /** A line of its own, whatever stands on the current one. */
  line(text: string, style?: Style): void {
    this.freshLine();
    if (text !== "") this.write(text, style);
    this.#put("\n");
    this.#midLine = false;
  }

  freshLine(): void {
    if (this.#midLine) this.#put("\n");
    this.#midLine = false;
  }

  /** Keeps what is to be shown until `release`: a person is typing or is being asked. */
  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    if (held.length > 0) this.#put(held.join(""));
  }

  #put(text: string): void {
    if (this.#held) {
      this.#held.push(text);
      return;
    }
    this.beforeWrite();
    this.#out.write(text);
  }
}
