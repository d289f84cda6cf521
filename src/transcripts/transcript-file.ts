import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { type AnyTranscriptReader, NO_LINE, type TranscriptLine } from "../../adapters/index.js";
import { LineSplitter } from "../line-splitter.js";
import { parseJson } from "../parse-json.js";

/** A line holds a whole prompt with its images. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

type OnLine = (line: TranscriptLine) => void;

/** A file of JSON lines that may grow. What was read is not read again, and a line without its end waits for it. */
export class TranscriptLines {
  readonly #thread: string;
  readonly #reader: AnyTranscriptReader;
  readonly #onLine: OnLine;
  readonly #splitter: LineSplitter;
  #offset = 0;
  #line: number;
  /** Lines that are no JSON: one that was cut off by a crash, or that is too long to be read. */
  badLines = 0;

  constructor(reader: AnyTranscriptReader, thread: string, onLine: OnLine, firstLine = 0) {
    this.#reader = reader;
    this.#thread = thread;
    this.#onLine = onLine;
    this.#line = firstLine;
    const sink = { onLine: (text: string) => this.#take(text), onOverlong: () => this.#skip() };
    this.#splitter = new LineSplitter(sink, MAX_LINE_BYTES);
  }

  /**
   * Reads what came since the last time, or no more than the first bytes. False when the file is shorter than what was read:
   * it is another one now.
   */
  async readMore(path: string, bytes = Number.POSITIVE_INFINITY): Promise<boolean> {
    const info = await stat(path).catch(() => undefined);
    const size = Math.min(info?.size ?? this.#offset, bytes);
    if (size === this.#offset) return true;
    if (size < this.#offset) return false;
    // Not past the size that was seen: a line that is being written now is read the next time.
    await this.readFrom(createReadStream(path, { start: this.#offset, end: size - 1 }));
    return true;
  }

  async readFrom(input: Readable): Promise<void> {
    for await (const chunk of input) {
      this.#offset += (chunk as Buffer).length;
      this.#splitter.push(chunk as Buffer);
    }
  }

  /** Nothing more comes: the last line counts even without its end, if it is whole. */
  end(): void {
    this.#splitter.end();
  }

  #take(text: string): void {
    const line = this.#line++;
    if (text.trim() === "") return;
    const raw = parseJson(text);
    if (raw === undefined) this.badLines += 1;
    else this.#onLine({ thread: this.#thread, line, at: timeOf(this.#reader, raw), raw });
  }

  #skip(): void {
    this.#line += 1;
    this.badLines += 1;
  }
}

/** What an `about` file says; nothing while it is being written. */
export async function readAbout(path: string, thread: string): Promise<TranscriptLine | undefined> {
  const raw = parseJson(await readFile(path, "utf8").catch(() => ""));
  return raw === undefined ? undefined : { thread, line: NO_LINE, at: undefined, raw };
}

function timeOf(reader: AnyTranscriptReader, raw: unknown): number | undefined {
  const at = Date.parse(reader.timeOf(raw) ?? "");
  return Number.isNaN(at) ? undefined : at;
}
