import { StringDecoder } from "node:string_decoder";

const TAIL_BYTES = 8 * 1024;

/** Decodes stderr across chunk borders and keeps its last 8 KiB for the exit report. */
export class StderrTail {
  readonly #decoder = new StringDecoder("utf8");
  #tail = Buffer.alloc(0);

  /** The text that became whole with this chunk. */
  push(chunk: Buffer): string {
    const recent = Buffer.concat([this.#tail, chunk.subarray(-TAIL_BYTES)]);
    this.#tail = recent.subarray(-TAIL_BYTES);
    return this.#decoder.write(chunk);
  }

  /** What an unfinished character leaves. */
  end(): string {
    return this.#decoder.end();
  }

  get text(): string {
    return this.#tail.toString("utf8", this.#findCharacter());
  }

  /** Where the first whole character begins: cutting may have left the end of one. */
  #findCharacter(): number {
    if (this.#tail.length < TAIL_BYTES) return 0;
    const start = this.#tail.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
    return Math.max(start, 0);
  }
}
