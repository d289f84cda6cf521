import { ADAPTERS, type AnyTranscriptReader, type Input, type TranscriptLine } from "../../../../adapters/index.js";
import { checkLaws } from "../../../../src/conformance/laws/index.js";
import { executeRun } from "../../../../src/conformance/run.js";
import { EMPTY_STATE, type FinalDocument, finalDocument, reduce } from "../../../../src/store/reduce.js";
import { TranscriptPlayer } from "../../../../src/transcripts/transcript-player.js";

type Json = Record<string, unknown>;

const START = Date.UTC(2026, 0, 1);
export const CWD = "/home/user/project";
export const THREAD = "01a20000-0000-7000-8000-000000000001";

/** The id of another thread, by a number. */
export const threadID = (n: number): string => `01a20000-0000-7000-8000-${String(n).padStart(12, "0")}`;

/** Writes the lines of one session as the CLI does: its own thread's, and those of subagents by their ids. */
export class Writer {
  readonly lines: TranscriptLine[] = [];
  readonly #counts = new Map<string, number>();
  #total = 0;
  #clock = 0;

  line(type: string, payload: Json, thread = "", fields: Json = {}): this {
    const line = this.#counts.get(thread) ?? 0;
    this.#counts.set(thread, line + 1);
    const at = START + ++this.#clock * 1000;
    const raw = { timestamp: new Date(at).toISOString(), ordinal: line, type, payload, ...fields };
    this.lines.push({ thread, line, at, raw });
    return this;
  }

  event(type: string, payload: Json = {}, thread = ""): this {
    return this.line("event_msg", { type, ...payload }, thread);
  }

  begin(fields: Json = {}, thread = ""): this {
    const id = thread === "" ? THREAD : thread;
    return this.line(
      "session_meta",
      { id, cwd: CWD, model_provider: "openai", cli_version: "0.171.0", ...fields },
      thread,
    );
  }

  start(turn = "t1", fields: Json = {}, thread = ""): this {
    return this.event("task_started", { turn_id: turn, ...fields }, thread);
  }

  item(item: Json, turn = "t1", thread = ""): this {
    return this.event("item_completed", { turn_id: turn, item }, thread);
  }

  user(text: string, turn = "t1", thread = ""): this {
    return this.item({ type: "UserMessage", id: `u-${text}`, content: [{ type: "text", text }] }, turn, thread);
  }

  say(text: string, turn = "t1", thread = ""): this {
    return this.item({ type: "AgentMessage", id: `m-${text}`, content: [{ type: "Text", text }] }, turn, thread);
  }

  call(callID: string, name: string, input: Json | string, fields: Json = {}): this {
    const written = typeof input === "string" ? input : JSON.stringify(input);
    return this.line("response_item", { type: "function_call", call_id: callID, name, arguments: written, ...fields });
  }

  custom(callID: string, name: string, input: string): this {
    return this.line("response_item", { type: "custom_tool_call", call_id: callID, name, input });
  }

  output(callID: string, output: unknown): this {
    return this.line("response_item", { type: "function_call_output", call_id: callID, output });
  }

  /** What a response used: ten tokens in, five out. */
  count(thread = ""): this {
    this.#total += 1;
    const totals = (n: number) => ({
      input_tokens: n * 10,
      cached_input_tokens: 0,
      output_tokens: n * 5,
      reasoning_output_tokens: 0,
      total_tokens: n * 15,
    });
    const info = { total_token_usage: totals(this.#total), last_token_usage: totals(1), model_context_window: 1000 };
    return this.event("token_count", { info }, thread);
  }

  complete(turn = "t1", fields: Json = {}, thread = ""): this {
    return this.event("task_complete", { turn_id: turn, ...fields }, thread);
  }
}

export const reader = ADAPTERS.codex?.transcripts as AnyTranscriptReader;

export interface Reading {
  readonly final: FinalDocument;
  /** What laws the reading breaks. */
  readonly violations: () => readonly unknown[];
  readonly unknownKinds: ReadonlyMap<string, number>;
}

/** Reads lines to their end, as a file of them would be; with `step` some at a time, as a file that grows. */
export function readLines(lines: readonly TranscriptLine[], step = lines.length): Reading {
  const head = reader.headReader();
  const arranger = reader.arranger();
  for (const line of lines) head.add(line);
  if (!head.head) throw new Error("the lines hold no conversation");
  const inputs: Input<unknown>[] = [];
  const player = new TranscriptPlayer(reader, reader.seedOf(head.head, "codex"), {
    onInput: (input) => inputs.push(input),
  });
  const events = player.start();
  for (let i = 0; i < lines.length; i += step) {
    for (const line of lines.slice(i, i + step)) arranger.add(line);
    events.push(...player.play(arranger.take() ?? []));
  }
  events.push(...player.end());
  return {
    final: finalDocument(events.reduce(reduce, EMPTY_STATE)),
    violations: () => checkLaws(executeRun(reader, player.seed, inputs)),
    unknownKinds: arranger.unknownKinds,
  };
}
