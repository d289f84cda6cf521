import { readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import {
  type AnyTranscriptReader,
  type ArrangedFrame,
  type Input,
  SETTLED_TIMER,
  type SessionPast,
  type SessionSeed,
} from "../../adapters/index.js";
import type { WireEvent } from "../../schemas/index.js";
import { wireOf } from "../conformance/run.js";

export interface PlayerOptions {
  /** The session's own folder, where files that lines name are read; without one there are none. */
  readonly folder?: string;
  /** Hears each input, for who wants to run them again. */
  readonly onInput?: (input: Input<unknown>) => void;
}

/** Runs a reader over the lines of one session. */
export class TranscriptPlayer {
  readonly #reader: AnyTranscriptReader;
  readonly #options: PlayerOptions;
  readonly seed: SessionSeed;
  #state: unknown;
  #at: number;

  constructor(reader: AnyTranscriptReader, seed: SessionSeed, options: PlayerOptions = {}) {
    this.#reader = reader;
    this.#options = options;
    this.seed = seed;
    this.#at = seed.at;
  }

  start(): WireEvent[] {
    const { state, outputs } = this.#reader.init(this.seed);
    this.#state = state;
    return wireOf(outputs);
  }

  play(frames: readonly ArrangedFrame<unknown>[]): WireEvent[] {
    return frames.flatMap(({ at, frame }) => {
      this.#at = Math.max(this.#at, at);
      return this.#step({ at, kind: "frame", frame });
    });
  }

  /** Nothing more comes for now. */
  settle(): WireEvent[] {
    return this.#step({ at: this.#at, kind: "wake", timer: SETTLED_TIMER });
  }

  end(): WireEvent[] {
    return this.#step({ at: this.#at, kind: "exit", code: null, signal: null, stderr: "" });
  }

  get past(): SessionPast {
    return this.#reader.pastOf(this.#state);
  }

  #step(input: Input<unknown>): WireEvent[] {
    this.#options.onInput?.(input);
    const { state, outputs } = this.#reader.step(this.#state, input);
    this.#state = state;
    const events = wireOf(outputs);
    for (const output of outputs) {
      if (output.kind !== "read") continue;
      const text = this.#read(output.path, output.maxBytes);
      for (const event of this.#step({ at: input.at, kind: "file", token: output.token, text })) events.push(event);
    }
    return events;
  }

  /** A line may name any file: only those in the session's own folder are read. */
  #read(path: string, maxBytes: number): string | null {
    const { folder } = this.#options;
    if (folder === undefined) return null;
    const file = join(folder, path);
    if (relative(folder, file).split(sep)[0] === "..") return null;
    try {
      return statSync(file).size > maxBytes ? null : readFileSync(file, "utf8");
    } catch {
      return null;
    }
  }
}
