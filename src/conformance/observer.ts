import type { AnyStreamReader, Input, SessionSeed } from "../../adapters/index.js";
import { idSeed, type WireEvent } from "../../schemas/index.js";
import type { RecordedEntry } from "./recording.js";
import { wireOf } from "./run.js";

/** The time a recording is said to start at: recordings hold only offsets, and the same input must give the same ids. */
const START = Date.UTC(2026, 0, 1);

/**
 * Runs an adapter over a stream that was made elsewhere. It has no client: prompts and decisions are read from what was
 * sent, nothing is written, and a file the adapter wants to see is answered with "not there".
 */
export class Observer {
  readonly #adapter: AnyStreamReader;
  readonly #onInput: ((input: Input<unknown>) => void) | undefined;
  #state: unknown;
  #stderr = "";
  #exited = false;
  /** How often each kind of line came that the adapter does not know. */
  readonly unknownKinds = new Map<string, number>();
  noiseLines = 0;

  readonly seed: SessionSeed;

  /** `onInput` hears each input, for who wants to run them again. */
  constructor(
    adapter: AnyStreamReader,
    options: { readonly directory?: string; readonly onInput?: (input: Input<unknown>) => void } = {},
  ) {
    this.#adapter = adapter;
    this.#onInput = options.onInput;
    const body = idSeed(START, "0000");
    this.seed = {
      at: START,
      sessionID: `ses_${body}`,
      idSeed: body,
      agent: adapter.id,
      directory: options.directory ?? "/",
      projectID: "global",
      title: "",
      mode: "default",
    };
  }

  /** The events before the first line. */
  start(): WireEvent[] {
    const { state, outputs } = this.#adapter.init(this.seed);
    this.#state = state;
    return wireOf(outputs);
  }

  read(entry: RecordedEntry): WireEvent[] {
    const at = START + entry.t;
    switch (entry.kind) {
      case "frame":
        return this.#frame(at, entry.frame);
      case "sent":
        return this.#sent(at, entry.frame);
      case "noise":
        this.noiseLines += 1;
        return [];
      case "stderr":
        this.#stderr += `${entry.text}\n`;
        return [];
      case "exit":
        return this.#exit(at, entry.code, entry.signal);
    }
  }

  /**
   * The end of the input. A stream that stops without an exit was cut there, also where the adapter would have started
   * another process, for a prompt that waits or a call that was deferred.
   */
  end(t: number): WireEvent[] {
    const events: WireEvent[] = [];
    while (!this.#exited) events.push(...this.#exit(START + t, null, null, "the stream ended"));
    return events;
  }

  #frame(at: number, raw: unknown): WireEvent[] {
    const frame: unknown = this.#adapter.parse(raw);
    if (frame === undefined) {
      const kind = this.#adapter.kindOf(raw);
      this.unknownKinds.set(kind, (this.unknownKinds.get(kind) ?? 0) + 1);
      return [];
    }
    this.#exited = false;
    return this.#step({ at, kind: "frame", frame });
  }

  #sent(at: number, frame: unknown): WireEvent[] {
    const command = this.#adapter.observe(this.#state, frame);
    return command ? this.#step({ at, kind: "command", command }) : [];
  }

  #exit(at: number, code: number | null, signal: string | null, error?: string): WireEvent[] {
    this.#exited = true;
    const events = this.#step({ at, kind: "exit", code, signal, stderr: this.#stderr, ...(error && { error }) });
    this.#stderr = "";
    return events;
  }

  #step(input: Input<unknown>): WireEvent[] {
    this.#onInput?.(input);
    const { state, outputs } = this.#adapter.step(this.#state, input);
    this.#state = state;
    if (outputs.some((output) => output.kind === "spawn")) this.#exited = false;
    const unread = outputs.filter((output) => output.kind === "read");
    const answers = unread.map(({ token }) => this.#step({ at: input.at, kind: "file", token, text: null }));
    return [...wireOf(outputs), ...answers.flat()];
  }
}
