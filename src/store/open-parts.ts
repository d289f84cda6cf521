import type { Database, Statement } from "better-sqlite3";
import type { Part } from "../../schemas/index.js";
import type { SessionTree } from "./session-tree.js";
import { StagedMap } from "./staged-map.js";

export interface OpenPart {
  readonly part: Part;
  /** The sessions above it, from the root down. */
  readonly lineage: readonly string[];
  /** The row does not hold the text of the last deltas. */
  readonly dirty: boolean;
  /** When the row was last written, and how long it was. */
  readonly savedAt: number;
  readonly savedSize: number;
  /** A hole in its deltas was reported already. */
  readonly holed: boolean;
}

const OPEN_PARTS = 4096;
const SNAPSHOT_MS = 250;
/** A long text is written less often, so that at most about this many characters of one part are written per ms. */
const SNAPSHOT_CHARS_PER_MS = 200;

/** The parts that deltas append to. Their text is ahead of their rows by what was not yet snapshotted. */
export class OpenParts {
  readonly #parts = new StagedMap<OpenPart>(OPEN_PARTS, (open) => !open.dirty);
  /** Every dirty part, and perhaps some that are clean again. */
  readonly #perhapsDirty = new Set<string>();
  #someSaved = false;
  readonly #read: Statement;

  constructor(
    db: Database,
    private readonly sessions: SessionTree,
  ) {
    this.#read = db.prepare("select session_id, data from part where id = ?");
  }

  get(partID: string): OpenPart | undefined {
    return this.#parts.get(partID);
  }

  /** A part for a delta to be appended to; one that is not in memory (the gateway was restarted) is read. */
  find(partID: string, now: number): OpenPart | undefined {
    const open = this.#parts.get(partID);
    if (open !== undefined) return open;
    const row = this.#read.get(partID) as { session_id: string; data: string } | undefined;
    const lineage = row && this.sessions.touch(row.session_id)?.lineage;
    if (row === undefined || lineage === undefined) return undefined;
    return openPart(JSON.parse(row.data) as Part, lineage, now, row.data.length);
  }

  /** Remembers a part whose row was just written, if deltas are to be expected. */
  opened(part: Part, lineage: readonly string[], now: number): void {
    this.#someSaved = true;
    if (expectsDeltas(part)) this.#parts.set(part.id, openPart(part, lineage, now, 0));
    else if (this.#parts.get(part.id) !== undefined) this.#parts.delete(part.id);
  }

  /** The most frequent change: written out, because a spread would cost more than the rest of it. */
  grown({ lineage, dirty, savedAt, savedSize, holed }: OpenPart, part: Part): void {
    this.#parts.set(part.id, { part, lineage, dirty: true, savedAt, savedSize, holed });
    if (!dirty) this.#perhapsDirty.add(part.id);
  }

  holed(open: OpenPart): void {
    this.#parts.set(open.part.id, { ...open, holed: true });
  }

  saved(open: OpenPart, now: number, size: number): void {
    this.#someSaved = true;
    this.#parts.set(open.part.id, { ...open, dirty: false, savedAt: now, savedSize: size });
  }

  /** Forgets parts that are gone; returns their ids. */
  remove(isGone: (open: OpenPart) => boolean): string[] {
    this.#someSaved = true;
    const gone = [...this.#parts.entries()].filter(([, open]) => isGone(open)).map(([partID]) => partID);
    for (const partID of gone) this.#parts.delete(partID);
    return gone;
  }

  dirty(): OpenPart[] {
    const found: OpenPart[] = [];
    for (const partID of this.#perhapsDirty) {
      const open = this.#parts.get(partID);
      if (open?.dirty) found.push(open);
    }
    return found;
  }

  get anyDirty(): boolean {
    return this.#perhapsDirty.size > 0;
  }

  /** How long until a text should be written, but no longer than a part that is opened now may wait. */
  msUntilDue(now: number): number {
    return this.dirty().reduce((least, open) => Math.min(least, dueAt(open) - now), SNAPSHOT_MS);
  }

  commit(): void {
    this.#parts.commit();
    if (this.#someSaved) this.#forgetClean();
  }

  rollback(): void {
    this.#parts.rollback();
    this.#forgetClean();
  }

  #forgetClean(): void {
    this.#someSaved = false;
    for (const partID of this.#perhapsDirty) if (!this.#parts.get(partID)?.dirty) this.#perhapsDirty.delete(partID);
  }
}

/** Whether a part's text should be written again. */
export function isDue(open: OpenPart, now: number): boolean {
  return now >= dueAt(open);
}

function dueAt({ savedAt, savedSize }: OpenPart): number {
  return savedAt + SNAPSHOT_MS + savedSize / SNAPSHOT_CHARS_PER_MS;
}

function openPart(part: Part, lineage: readonly string[], now: number, size: number): OpenPart {
  return { part, lineage, dirty: false, savedAt: now, savedSize: size, holed: false };
}

/** A text without times (a user's) takes deltas too, but none are to be expected. */
function expectsDeltas(part: Part): boolean {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.time !== undefined && part.time.end === undefined;
    case "tool":
      return part.state.status !== "completed" && part.state.status !== "error";
    default:
      return false;
  }
}
