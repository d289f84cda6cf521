import type { Readable } from "node:stream";
import type { AnyTranscriptReader, Input } from "../../adapters/index.js";
import type { WireEvent } from "../../schemas/index.js";
import { checkLaws, type Violation } from "../conformance/laws/index.js";
import type { Emit, Normalizer, NormalizerOptions } from "../conformance/normalizer.js";
import { executeRun } from "../conformance/run.js";
import { GatewayError } from "../gateway-error.js";
import { EMPTY_STATE, type FinalDocument, finalDocument, reduce, type WireState } from "../store/reduce.js";
import { type ReadSession, readSession } from "./read-session.js";
import { findSessions } from "./session-files.js";
import { TranscriptLines } from "./transcript-file.js";
import { TranscriptPlayer } from "./transcript-player.js";

const NOT_JSON = "a line that is no JSON";

interface Played {
  readonly player: TranscriptPlayer;
  readonly inputs: readonly Input<unknown>[];
}

/** Turns the transcripts of sessions into wire events, one session after the other. */
export class TranscriptNormalizer implements Normalizer {
  readonly unknownKinds = new Map<string, number>();
  readonly #reader: AnyTranscriptReader;
  readonly #agent: string;
  readonly #options: NormalizerOptions;
  readonly #played: Played[] = [];
  #state: WireState = EMPTY_STATE;

  constructor(reader: AnyTranscriptReader, agent: string, options: NormalizerOptions) {
    this.#reader = reader;
    this.#agent = agent;
    this.#options = options;
  }

  async readPath(path: string, emit: Emit): Promise<void> {
    for (const files of await findSessions(this.#reader, path)) {
      const events = this.#play(await readSession(this.#reader, files), files.folder);
      await emit(events);
    }
  }

  /** One session's own file. */
  async readInput(input: Readable, emit: Emit): Promise<void> {
    const arranger = this.#reader.arranger();
    const head = this.#reader.headReader();
    const lines = new TranscriptLines(this.#reader, "", (line) => {
      head.add(line);
      arranger.add(line);
    });
    await lines.readFrom(input);
    lines.end();
    const { badLines } = lines;
    if (!head.head) throw new GatewayError("invalid_params", "the input is no transcript of a session");
    await emit(this.#play({ head: head.head, arranger, badLines }));
  }

  final(): FinalDocument {
    return finalDocument(this.#state);
  }

  violations(): Violation[] {
    return this.#played.flatMap(({ player, inputs }) => checkLaws(executeRun(this.#reader, player.seed, inputs)));
  }

  #play({ head, arranger, badLines }: ReadSession, folder?: string): WireEvent[] {
    this.#count(NOT_JSON, badLines);
    // A file may hold nothing but notes of the agent about itself.
    if (!head) return [];
    const { directory = head.directory, check, final } = this.#options;
    const inputs: Input<unknown>[] = [];
    const seed = this.#reader.seedOf({ ...head, directory }, this.#agent);
    const player = new TranscriptPlayer(this.#reader, seed, {
      ...(folder !== undefined && { folder }),
      ...(check && { onInput: (input) => inputs.push(input) }),
    });
    const events = [...player.start(), ...player.play(arranger.all()), ...player.end()];
    for (const [kind, count] of arranger.unknownKinds) this.#count(kind, count);
    if (check) this.#played.push({ player, inputs });
    if (final) this.#state = events.reduce(reduce, this.#state);
    return events;
  }

  #count(kind: string, count: number): void {
    if (count > 0) this.unknownKinds.set(kind, (this.unknownKinds.get(kind) ?? 0) + count);
  }
}
