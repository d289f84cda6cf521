import {
  ADAPTERS,
  type AnyTranscriptReader,
  type Input,
  NO_LINE,
  type TranscriptLine,
} from "../../../../adapters/index.js";
import { checkLaws } from "../../../../src/conformance/laws/index.js";
import { executeRun } from "../../../../src/conformance/run.js";
import { EMPTY_STATE, type FinalDocument, finalDocument, reduce } from "../../../../src/store/reduce.js";
import { TranscriptPlayer } from "../../../../src/transcripts/transcript-player.js";

export type Json = Record<string, unknown>;

const START = Date.UTC(2026, 0, 1);
export const SESSION = "11111111-2222-4333-8444-555555555555";
export const CWD = "/home/user/project";

/** Writes lines as the CLI does: each with an id, and with that of the line before it in its conversation. */
export class Writer {
  readonly lines: TranscriptLine[] = [];
  readonly #tips = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  #clock = 0;

  /** Writes any line; returns its id. `parentUuid` takes another parent than the last line's. */
  line(fields: Json, thread = ""): string {
    const line = this.#counts.get(thread) ?? 0;
    this.#counts.set(thread, line + 1);
    const uuid = `u${thread}${line}`;
    const at = START + ++this.#clock * 1000;
    const raw = {
      uuid,
      parentUuid: this.#tips.get(thread) ?? null,
      isSidechain: thread !== "",
      ...(thread !== "" && { agentId: thread }),
      sessionId: SESSION,
      cwd: CWD,
      version: "2.1.332",
      timestamp: new Date(at).toISOString(),
      ...fields,
    };
    this.#tips.set(thread, String(raw.uuid));
    this.lines.push({ thread, line, at, raw });
    return String(raw.uuid);
  }

  /** A line that is in no chain. */
  note(fields: Json): void {
    const line = this.#counts.get("") ?? 0;
    this.#counts.set("", line + 1);
    this.lines.push({ thread: "", line, at: undefined, raw: { sessionId: SESSION, ...fields } });
  }

  about(thread: string, raw: Json): void {
    this.lines.push({ thread, line: NO_LINE, at: undefined, raw });
  }

  user(content: unknown, fields: Json = {}, thread = ""): string {
    return this.line({ type: "user", message: { role: "user", content }, ...fields }, thread);
  }

  say(id: string, text: string, fields: Json = {}, thread = ""): string {
    return this.answer(id, { type: "text", text }, "end_turn", fields, thread);
  }

  call(id: string, callID: string, name: string, input: Json, fields: Json = {}, thread = ""): string {
    return this.answer(id, { type: "tool_use", id: callID, name, input }, "tool_use", fields, thread);
  }

  answer(id: string, block: Json, stop_reason: string | null, fields: Json = {}, thread = ""): string {
    const usage = { input_tokens: 10, output_tokens: 5 };
    const message = { id, role: "assistant", model: "model-1", content: [block], stop_reason, usage };
    return this.line({ type: "assistant", message, ...fields }, thread);
  }

  result(callID: string, content: unknown, fields: Json = {}, thread = "", is_error = false): string {
    return this.user([{ type: "tool_result", tool_use_id: callID, content, is_error }], fields, thread);
  }
}

export const reader = ADAPTERS.claude?.transcripts as AnyTranscriptReader;

export interface Reading {
  readonly final: FinalDocument;
  readonly inputs: readonly Input<unknown>[];
  readonly violations: readonly unknown[];
  readonly unknownKinds: ReadonlyMap<string, number>;
}

/** Reads lines to their end, as a file of them would be. */
export function readLines(lines: readonly TranscriptLine[], folder?: string): Reading {
  const head = reader.headReader();
  const arranger = reader.arranger();
  for (const line of lines) {
    head.add(line);
    arranger.add(line);
  }
  if (!head.head) throw new Error("the lines hold no conversation");
  const inputs: Input<unknown>[] = [];
  const player = new TranscriptPlayer(reader, reader.seedOf(head.head, "claude"), {
    ...(folder !== undefined && { folder }),
    onInput: (input) => inputs.push(input),
  });
  const events = [...player.start(), ...player.play(arranger.all()), ...player.end()];
  return {
    final: finalDocument(events.reduce(reduce, EMPTY_STATE)),
    inputs,
    violations: checkLaws(executeRun(reader, player.seed, inputs)),
    unknownKinds: arranger.unknownKinds,
  };
}
