import type { Readable } from "node:stream";
import type { WireEvent } from "../../schemas/index.js";
import type { FinalDocument } from "../store/reduce.js";
import type { Violation } from "./laws/index.js";

export interface NormalizerOptions {
  readonly directory?: string;
  /** Keep the inputs, to hold them against the laws at the end. */
  readonly check: boolean;
  /** Keep the state, for the final document. */
  readonly final: boolean;
}

export type Emit = (events: readonly WireEvent[]) => Promise<void>;

/** Turns what was said elsewhere into wire events. */
export interface Normalizer {
  /** Reads a file, or a folder where the dialect has such. Throws `not_found`. */
  readPath(path: string, emit: Emit): Promise<void>;
  readInput(input: Readable, emit: Emit): Promise<void>;
  final(): FinalDocument;
  violations(): Violation[];
  /** Lines of kinds that are not known, by kind. */
  readonly unknownKinds: ReadonlyMap<string, number>;
}
