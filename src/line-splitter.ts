import { constants } from "node:buffer";

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Pieces are joined in groups of this many, or a child that writes byte by byte would cost one object per byte. */
const GROUP_LENGTH = 512;

interface LineSink {
  /** One whole line, without its line end. */
  onLine(line: string): void;
  /**
   * A line passed the limit and is discarded up to its end. Called once per line, at the moment the limit is passed:
   * `bytes` is what had been read of it by then, for a child that never ends the line has no size to wait for.
   */
  onOverlong(bytes: number): void;
}

/**
 * Bytes to lines. Only `\n` ends a line (U+2028, U+2029 and a lone `\r` occur inside JSON strings), and only whole
 * lines are decoded, so a character cut in two by a pipe read is never damaged. Pieces of a long line are collected
 * and joined once: joining per chunk makes a 20 MB line quadratic.
 */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #maxLineBytes: number;
  #groups: Buffer[] = [];
  #pieces: Buffer[] = [];
  #lineBytes = 0;
  #discarding = false;

  constructor(sink: LineSink, maxLineBytes: number) {
    this.#sink = sink;
    // A longer line could not become a string at all.
    this.#maxLineBytes = Math.min(maxLineBytes, constants.MAX_STRING_LENGTH);
  }

  /** Bytes of the unfinished line that are held back. Never more than the limit. */
  get retainedBytes(): number {
    return this.#lineBytes;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#finishLine(chunk, start, end);
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(start === 0 ? chunk : chunk.subarray(start));
  }

  /** Delivers an unterminated last line: an agent that exits right after a write may leave one. */
  end(): void {
    this.#discarding = false;
    if (this.#lineBytes > 0) this.#deliver(this.#takeLine());
  }

  #finishLine(chunk: Buffer, start: number, end: number): void {
    if (this.#discarding) {
      this.#discarding = false;
    } else if (this.#lineBytes + end - start > this.#maxLineBytes) {
      this.#overflow(this.#lineBytes + end - start);
    } else if (this.#lineBytes === 0) {
      this.#deliver(chunk, start, end);
    } else {
      this.#append(chunk.subarray(start, end));
      this.#deliver(this.#takeLine());
    }
  }

  #keep(piece: Buffer): void {
    if (this.#discarding) return;
    if (this.#lineBytes + piece.length <= this.#maxLineBytes) {
      this.#append(piece);
    } else {
      this.#discarding = true;
      this.#overflow(this.#lineBytes + piece.length);
    }
  }

  #append(piece: Buffer): void {
    this.#lineBytes += piece.length;
    if (this.#pieces.push(piece) < GROUP_LENGTH) return;
    this.#groups.push(Buffer.concat(this.#pieces));
    this.#pieces = [];
  }

  #overflow(bytes: number): void {
    this.#reset();
    this.#sink.onOverlong(bytes);
  }

  #takeLine(): Buffer {
    const line = Buffer.concat([...this.#groups, ...this.#pieces], this.#lineBytes);
    this.#reset();
    return line;
  }

  #deliver(bytes: Buffer, start = 0, end = bytes.length): void {
    const textEnd = end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    this.#sink.onLine(bytes.toString("utf8", start, textEnd));
  }

  #reset(): void {
    this.#groups = [];
    this.#pieces = [];
    this.#lineBytes = 0;
  }
}
