import type { Input } from "../../adapters/index.js";
import type { WireEvent } from "../../schemas/index.js";
import { EMPTY_STATE, type FinalDocument, finalDocument, reduce, type WireState } from "../store/reduce.js";
import type { Dialect } from "./dialects.js";
import { checkLaws, type Violation } from "./laws/index.js";
import { Observer } from "./observer.js";
import { readEntry } from "./recording.js";
import { executeRun } from "./run.js";

export interface NormalizerOptions {
  readonly directory?: string;
  /** Keep the inputs, to hold them against the laws at the end. */
  readonly check: boolean;
  /** Keep the state, for the final document. */
  readonly final: boolean;
}

/** Turns a native stream or a recording into wire events, line by line. */
export class Normalizer {
  readonly #dialect: Dialect;
  readonly #options: NormalizerOptions;
  readonly #observer: Observer;
  readonly #inputs: Input<unknown>[] = [];
  #state: WireState = EMPTY_STATE;
  #lines = 0;
  #t = 0;

  constructor(dialect: Dialect, options: NormalizerOptions) {
    this.#dialect = dialect;
    this.#options = options;
    this.#observer = new Observer(dialect.adapter, {
      ...(options.directory !== undefined && { directory: options.directory }),
      ...(options.check && { onInput: (input) => this.#inputs.push(input) }),
    });
  }

  start(): WireEvent[] {
    return this.#keep(this.#observer.start());
  }

  line(text: string): WireEvent[] {
    const entry = readEntry(text, this.#lines++);
    if (!entry) return [];
    this.#t = entry.t;
    return this.#keep(this.#observer.read(entry));
  }

  end(): WireEvent[] {
    return this.#keep(this.#observer.end(this.#t));
  }

  final(): FinalDocument {
    return finalDocument(this.#state);
  }

  violations(): Violation[] {
    return checkLaws(executeRun(this.#dialect.adapter, this.#observer.seed, this.#inputs));
  }

  /** Lines of kinds that the adapter does not know, by kind. */
  get unknownKinds(): ReadonlyMap<string, number> {
    return this.#observer.unknownKinds;
  }

  #keep(events: WireEvent[]): WireEvent[] {
    if (this.#options.final) this.#state = events.reduce(reduce, this.#state);
    return events;
  }
}
