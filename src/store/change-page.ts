import type { EventEnvelope, Message, Session, Todo, WireEvent } from "../../schemas/index.js";
import type { ChangedRow, ChangedRows } from "./changed-rows.js";
import type { CursorCodec, Position } from "./cursor-codec.js";
import type { RowReader } from "./row-reader.js";
import type { SessionTree } from "./session-tree.js";

export interface ChangeSources {
  readonly rows: ChangedRows;
  readonly reader: RowReader;
  readonly sessions: SessionTree;
  readonly cursors: CursorCodec;
}

export interface PageRequest {
  readonly from: Position;
  /** Where only one session and its descendants are asked for: it and its root. */
  readonly within: { readonly sessionID: string; readonly root: string } | undefined;
  readonly maxBytes: number;
}

/**
 * One answer to "what changed since": rows in the order of their revisions, but none before what it stands in. A
 * message is written again after its parts, and it may lie past the end of the page: so whatever a row stands in and
 * the client may not know (it changed after the page's start) is sent just before it, as it now is, without a cursor:
 * its own revision is still to come, and until then the client is not past it. There it is sent again in a later page,
 * and left out in the same one. What is unchanged since the start is known, which every page keeps true for the next.
 *
 * A removal keeps its place among the revisions: whatever was made again under the same id was so at a later one.
 */
export class ChangePage {
  readonly events: EventEnvelope[] = [];
  /** The revision up to which everything is in the page. */
  reached: number;
  more = false;

  #bytes = 0;
  /** Sessions and messages that were sent, or need not be. */
  readonly #settled = new Set<string>();
  readonly #lineages = new Map<string, readonly string[]>();

  constructor(
    private readonly sources: ChangeSources,
    private readonly request: PageRequest,
  ) {
    this.reached = request.from.revision;
    this.#read();
  }

  #read(): void {
    const { from, within, maxBytes } = this.request;
    for (const row of this.sources.rows.after(from.revision, from.removals, within?.root)) {
      if (this.events.length > 0 && this.#bytes + row.data.length > maxBytes) {
        this.more = true;
        return;
      }
      if (this.#isAskedFor(row)) this.#take(row);
      this.reached = row.rev;
    }
  }

  #isAskedFor(row: ChangedRow): boolean {
    const { within } = this.request;
    return within === undefined || within.root === within.sessionID || this.#lineage(row).includes(within.sessionID);
  }

  #take(row: ChangedRow): void {
    if (!isRemoval(row)) {
      this.#addAround(row);
      if (holdsRows(row) && !this.#settle(ownID(row))) return;
    }
    this.#add(row, true);
  }

  /** Sends what a row stands in, from the outside in. */
  #addAround(row: ChangedRow): void {
    const { revision } = this.request.from;
    for (const sessionID of this.#sessionsAround(row)) {
      if (this.#settle(sessionID)) this.#addIfChanged(this.sources.rows.session(sessionID, revision));
    }
    if (row.kind !== "part" || row.message_id === null) return;
    if (this.#settle(row.message_id)) this.#addIfChanged(this.sources.rows.message(row.message_id, revision));
  }

  #sessionsAround(row: ChangedRow): readonly string[] {
    const lineage = this.#lineage(row);
    const top = this.request.within === undefined ? 0 : lineage.indexOf(this.request.within.sessionID);
    return lineage.slice(top, row.kind === "session" ? -1 : undefined);
  }

  #lineage(row: ChangedRow): readonly string[] {
    if (isRemoval(row)) return row.data.split("/");
    const known = this.#lineages.get(row.session_id);
    const lineage = known ?? this.sources.sessions.get(row.session_id)?.lineage ?? [row.session_id];
    this.#lineages.set(row.session_id, lineage);
    return lineage;
  }

  /** False: it was settled before. */
  #settle(id: string): boolean {
    if (this.#settled.has(id)) return false;
    this.#settled.add(id);
    return true;
  }

  #addIfChanged(row: ChangedRow | undefined): void {
    if (row !== undefined) this.#add(row, false);
  }

  #add(row: ChangedRow, inPlace: boolean): void {
    const event = this.#eventOf(row);
    this.#bytes += row.data.length;
    const cursor = this.sources.cursors.encode(row.rev, this.request.from.removals);
    this.events.push(inPlace ? { cursor, event } : { event });
  }

  #eventOf(row: ChangedRow): WireEvent {
    const sessionID = row.session_id;
    const messageID = row.message_id ?? "";
    const partID = row.part_id ?? "";
    switch (row.kind) {
      case "session":
        return { type: "session.updated", properties: { sessionID, info: JSON.parse(row.data) as Session } };
      case "message":
        return { type: "message.updated", properties: { sessionID, info: JSON.parse(row.data) as Message } };
      case "part":
        return {
          type: "message.part.updated",
          properties: { sessionID, part: this.sources.reader.current(partID, row.data) },
        };
      case "todo":
        return { type: "todo.updated", properties: { sessionID, todos: JSON.parse(row.data) as Todo[] } };
      case "session.deleted":
        return { type: row.kind, properties: { sessionID } };
      case "message.removed":
        return { type: row.kind, properties: { sessionID, messageID } };
      case "message.part.removed":
        return { type: row.kind, properties: { sessionID, messageID, partID } };
    }
  }
}

function isRemoval({ kind }: ChangedRow): boolean {
  return kind === "session.deleted" || kind === "message.removed" || kind === "message.part.removed";
}

function holdsRows({ kind }: ChangedRow): boolean {
  return kind === "session" || kind === "message";
}

function ownID(row: ChangedRow): string {
  return row.message_id ?? row.session_id;
}
