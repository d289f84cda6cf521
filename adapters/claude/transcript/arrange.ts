import { isRecord } from "../../shared/is-record.js";
import { type ArrangedFrame, NO_LINE, type TranscriptArranger, type TranscriptLine } from "../../transcript-reader.js";
import { AboutEntry, type Entry, entryKind, isToolResult, readEntry } from "./entry.js";
import { Lineage, type Link, type Place } from "./lineage.js";

/** One line as the reader takes it. */
export interface TranscriptFrame {
  readonly thread: string;
  readonly line: number;
  /** Its place among the frames of its thread: one that was taken is not taken again. */
  readonly index: number;
  readonly abandoned: boolean;
  readonly entry: Entry;
}

interface Kept {
  readonly line: number;
  readonly at: number;
  readonly entry: Entry;
  readonly place: Place;
}

interface Thread {
  readonly lineage: Lineage;
  readonly kept: Kept[];
  lastAt: number;
  /** What was taken, in its order. */
  taken: readonly Arranged[];
}

type Arranged = ArrangedFrame<TranscriptFrame> & { readonly order: number };

export class Arranger implements TranscriptArranger<TranscriptFrame> {
  readonly unknownKinds = new Map<string, number>();
  readonly #threads = new Map<string, Thread>();
  readonly #abouts = new Map<string, ArrangedFrame<TranscriptFrame>>();
  #newAbouts: ArrangedFrame<TranscriptFrame>[] = [];
  /** Threads that stand in the session's own file, as on older versions: by the id of each of their lines. */
  readonly #sidechains = new Map<string, string>();

  add({ thread, line, at, raw }: TranscriptLine): void {
    if (line === NO_LINE) return this.#addAbout(thread, at ?? 0, raw);
    if (!isRecord(raw)) return this.#countUnknown(raw);
    const entry = readEntry(raw);
    if (entry === undefined) this.#countUnknown(raw);
    const known = this.#thread(this.#threadOf(thread, raw));
    known.lastAt = at ?? known.lastAt;
    const place = known.lineage.place(linkOf(raw, entry));
    if (!place || entry === undefined || entry === "ignored") return;
    known.kept.push({ line, at: known.lastAt, entry, place });
  }

  all(): ArrangedFrame<TranscriptFrame>[] {
    this.#newAbouts = [];
    const lines = [...this.#threads].flatMap(([thread, known]) => {
      known.taken = arrange(thread, known);
      return known.taken;
    });
    return [...this.#abouts.values(), ...merge(lines)];
  }

  take(): ArrangedFrame<TranscriptFrame>[] | undefined {
    const added: Arranged[] = [];
    for (const [thread, known] of this.#threads) {
      if (known.kept.length === known.taken.length) continue;
      const now = arrange(thread, known);
      if (!known.taken.every((frame, i) => isSame(frame, now[i]))) return undefined;
      added.push(...now.slice(known.taken.length));
      known.taken = now;
    }
    const abouts = this.#newAbouts;
    this.#newAbouts = [];
    return [...abouts, ...merge(added)];
  }

  #addAbout(thread: string, at: number, raw: unknown): void {
    const about = AboutEntry.safeParse(raw);
    if (!about.success) return this.#countUnknown(raw);
    const entry: AboutEntry = { ...about.data, type: "about" };
    const frame = { at, frame: { thread, line: NO_LINE, index: NO_LINE, abandoned: false, entry } };
    this.#abouts.set(thread, frame);
    this.#newAbouts.push(frame);
  }

  /** Older versions wrote subagents into the session's own file, without an id: there a chain is known by its first line. */
  #threadOf(thread: string, raw: Record<string, unknown>): string {
    if (thread !== "" || raw.isSidechain !== true) return thread;
    const uuid = String(raw.uuid);
    const chain =
      typeof raw.agentId === "string" ? raw.agentId : (this.#sidechains.get(String(raw.parentUuid)) ?? uuid);
    this.#sidechains.set(uuid, chain);
    return chain;
  }

  #thread(name: string): Thread {
    const known = this.#threads.get(name);
    if (known) return known;
    const thread: Thread = { lineage: new Lineage(), kept: [], lastAt: 0, taken: [] };
    this.#threads.set(name, thread);
    return thread;
  }

  #countUnknown(raw: unknown): void {
    const kind = entryKind(raw);
    this.unknownKinds.set(kind, (this.unknownKinds.get(kind) ?? 0) + 1);
  }
}

function linkOf(raw: Record<string, unknown>, entry: ReturnType<typeof readEntry>): Link {
  // A compaction begins a new chain and names the old one apart.
  const parent = raw.parentUuid ?? raw.logicalParentUuid;
  const link = {
    uuid: typeof raw.uuid === "string" ? raw.uuid : undefined,
    parent: typeof parent === "string" ? parent : undefined,
  };
  if (entry === undefined || entry === "ignored") return { ...link, kind: "other" };
  if (entry.type === "assistant") return { ...link, kind: "answer", responseID: entry.message.id };
  return { ...link, kind: entry.type === "user" && !isToolResult(entry) ? "prompt" : "other" };
}

function arrange(thread: string, known: Thread): Arranged[] {
  let order = Number.NEGATIVE_INFINITY;
  return inTurns(known).map(({ line, at, entry, place }, index) => {
    order = Math.max(order, at);
    return { at, order, frame: { thread, line, index, abandoned: !known.lineage.isLive(place), entry } };
  });
}

function isSame(before: Arranged, now: Arranged | undefined): boolean {
  return before.frame.line === now?.frame.line && before.frame.abandoned === now.frame.abandoned;
}

/** The lines of one turn together: two processes that write to one file mix theirs. */
function inTurns({ lineage, kept }: Thread): readonly Kept[] {
  if (lineage.branches === 1) return kept;
  const turns = new Map<string, Kept[]>();
  for (const line of kept) {
    const key = `${line.place.branch}/${line.place.turn}`;
    const turn = turns.get(key);
    if (turn) turn.push(line);
    else turns.set(key, [line]);
  }
  return [...turns.values()].flat();
}

/** By time; the order within a thread stays. The session's own lines go first among equals. */
function merge(lines: Arranged[]): ArrangedFrame<TranscriptFrame>[] {
  return lines.sort((a, b) => a.order - b.order || rank(a) - rank(b)).map(({ at, frame }) => ({ at, frame }));
}

function rank({ frame }: Arranged): number {
  return frame.thread === "" ? 0 : 1;
}
