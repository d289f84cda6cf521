import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import type { AnyStreamReader, Input } from "../../adapters/index.js";
import type { WireEvent } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import { LineSplitter } from "../line-splitter.js";
import { EMPTY_STATE, type FinalDocument, finalDocument, reduce, type WireState } from "../store/reduce.js";
import { checkLaws, type Violation } from "./laws/index.js";
import type { Emit, Normalizer, NormalizerOptions } from "./normalizer.js";
import { Observer } from "./observer.js";
import { readEntry } from "./recording.js";
import { executeRun } from "./run.js";

const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** Turns a native stream or a recording into wire events, line by line. */
export class StreamNormalizer implements Normalizer {
  readonly #adapter: AnyStreamReader;
  readonly #options: NormalizerOptions;
  readonly #observer: Observer;
  readonly #inputs: Input<unknown>[] = [];
  #state: WireState = EMPTY_STATE;
  #lines = 0;
  #overlong = 0;
  #t = 0;

  constructor(adapter: AnyStreamReader, options: NormalizerOptions) {
    this.#adapter = adapter;
    this.#options = options;
    this.#observer = new Observer(adapter, {
      ...(options.directory !== undefined && { directory: options.directory }),
      ...(options.check && { onInput: (input) => this.#inputs.push(input) }),
    });
  }

  async readPath(path: string, emit: Emit): Promise<void> {
    await this.readInput(createReadStream(path), emit);
  }

  async readInput(input: Readable, emit: Emit): Promise<void> {
    let events = this.#keep(this.#observer.start());
    const onLine = (line: string) => {
      for (const event of this.#line(line)) events.push(event);
    };
    const splitter = new LineSplitter({ onLine, onOverlong: () => this.#skip() }, MAX_LINE_BYTES);
    const flush = async () => {
      const ready = events;
      events = [];
      await emit(ready);
    };
    for await (const chunk of readable(input)) {
      splitter.push(chunk);
      await flush();
    }
    splitter.end();
    events.push(...this.#keep(this.#observer.end(this.#t)));
    await flush();
  }

  final(): FinalDocument {
    return finalDocument(this.#state);
  }

  violations(): Violation[] {
    return checkLaws(executeRun(this.#adapter, this.#observer.seed, this.#inputs));
  }

  get unknownKinds(): ReadonlyMap<string, number> {
    if (this.#overlong === 0) return this.#observer.unknownKinds;
    return new Map([...this.#observer.unknownKinds, ["a line that is too long", this.#overlong]]);
  }

  #line(text: string): WireEvent[] {
    const entry = readEntry(text, this.#lines++, this.#adapter.recorded);
    if (!entry) return [];
    this.#t = entry.t;
    return this.#keep(this.#observer.read(entry));
  }

  #skip(): void {
    this.#lines += 1;
    this.#overlong += 1;
  }

  #keep(events: WireEvent[]): WireEvent[] {
    if (this.#options.final) this.#state = events.reduce(reduce, this.#state);
    return events;
  }
}

async function* readable(input: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of input) yield chunk as Buffer;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new GatewayError("not_found", `the input cannot be read: ${message}`);
  }
}
