import { isRecord } from "../../shared/is-record.js";
import {
  type ArrangedFrame,
  LINES_OF_BASE,
  type TranscriptArranger,
  type TranscriptLine,
} from "../../transcript-reader.js";
import { lineKind, type RolloutLine, readLine } from "./line.js";

/** One line as the reader takes it. */
export interface RolloutFrame {
  /** Whose conversation it belongs to: empty for the session's own, else the id of a subagent's thread. */
  readonly thread: string;
  readonly line: number;
  /** Its place among the frames of its thread: one that was taken is not taken again. */
  readonly index: number;
  readonly entry: RolloutLine;
}

type Arranged = ArrangedFrame<RolloutFrame> & { readonly order: number };

interface Thread {
  readonly frames: Arranged[];
  readonly seen: Set<string>;
  /** Where a subagent's own history begins, behind a copy of its parent's. */
  ownFrom: number;
  lastAt: number;
  order: number;
  /** How many were taken. */
  taken: number;
}

/** A thread's file only grows, so its lines stand in their order; those of several threads are put in by their time. */
export class Arranger implements TranscriptArranger<RolloutFrame> {
  readonly unknownKinds = new Map<string, number>();
  readonly #threads = new Map<string, Thread>();

  add({ thread, line, at, raw }: TranscriptLine): void {
    const known = this.#thread(thread);
    known.lastAt = at ?? known.lastAt;
    const key = keyOf(line, raw);
    if (key !== undefined && known.seen.has(key)) return;
    if (key !== undefined) known.seen.add(key);
    const entry = readLine(raw);
    if (entry === undefined) return this.#countUnknown(lineKind(raw));
    if (entry === "ignored" || ordinalOf(raw) < known.ownFrom) return;
    if (entry.kind === "session_meta") known.ownFrom = entry.payload.subagent_history_start_ordinal ?? 0;
    known.order = Math.max(known.order, known.lastAt);
    const frame = { thread, line, index: known.frames.length, entry };
    known.frames.push({ at: known.lastAt, order: known.order, frame });
  }

  all(): ArrangedFrame<RolloutFrame>[] {
    for (const thread of this.#threads.values()) thread.taken = 0;
    return this.take();
  }

  take(): ArrangedFrame<RolloutFrame>[] {
    const added = [...this.#threads.values()].flatMap((thread) => {
      const frames = thread.frames.slice(thread.taken);
      thread.taken = thread.frames.length;
      return frames;
    });
    return merge(added);
  }

  #thread(name: string): Thread {
    const known = this.#threads.get(name);
    if (known) return known;
    const thread: Thread = { frames: [], seen: new Set(), ownFrom: 0, lastAt: 0, order: 0, taken: 0 };
    this.#threads.set(name, thread);
    return thread;
  }

  #countUnknown(kind: string): void {
    this.unknownKinds.set(kind, (this.unknownKinds.get(kind) ?? 0) + 1);
  }
}

/** What tells a line from every other one of its file; histories that are not in pages number nothing. */
function keyOf(line: number, raw: unknown): string | undefined {
  if (!isRecord(raw) || typeof raw.ordinal !== "number") return undefined;
  return [Math.floor(line / LINES_OF_BASE), raw.ordinal, raw.timestamp, lineKind(raw)].join("/");
}

function ordinalOf(raw: unknown): number {
  return isRecord(raw) && typeof raw.ordinal === "number" ? raw.ordinal : Number.POSITIVE_INFINITY;
}

/** The session's own lines go first among equals. */
function merge(lines: Arranged[]): ArrangedFrame<RolloutFrame>[] {
  return lines.sort((a, b) => a.order - b.order || rank(a) - rank(b)).map(({ at, frame }) => ({ at, frame }));
}

function rank({ frame }: Arranged): number {
  return frame.thread === "" ? 0 : 1;
}
