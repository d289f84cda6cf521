import type { Cursor, EventEnvelope } from "../../schemas/index.js";
import { ChangePage, type ChangeSources, type PageRequest } from "./change-page.js";
import type { Position } from "./cursor-codec.js";
import type { OpenParts } from "./open-parts.js";
import type { Changes, EventFilter } from "./store.js";
import type { Tombstones } from "./tombstones.js";

export interface ChangesSources extends ChangeSources {
  readonly tombstones: Tombstones;
  readonly open: OpenParts;
  /** The last revision there is. */
  readonly revision: number;
}

export interface ChangesQuery {
  readonly after: Cursor | undefined;
  readonly filter: EventFilter;
  readonly maxBytes: number;
}

export function readChanges(sources: ChangesSources, { after, filter, maxBytes }: ChangesQuery): Changes {
  const latest = sources.cursors.encode(sources.revision);
  const from = startOf(sources, after);
  if (from === undefined) return { events: [], cursor: latest, more: false, gap: true };
  const within = placeOf(sources, filter.sessionID);
  if (within === "unknown") return { events: [], cursor: latest, more: false, gap: false };
  const page = new ChangePage(sources, { from, within, maxBytes });
  if (page.more) {
    const cursor = sources.cursors.encode(page.reached, from.removals);
    return { events: page.events, cursor, more: true, gap: false };
  }
  return { events: [...page.events, ...unsavedParts(sources, filter)], cursor: latest, more: false, gap: false };
}

/** undefined: what happened since then is not all remembered. Whoever has nothing needs no removal before now. */
function startOf(sources: ChangesSources, after: Cursor | undefined): Position | undefined {
  const { revision } = sources;
  if (after === undefined) return { revision: 0, removals: revision };
  const position = sources.cursors.decode(after);
  if (position === undefined || position.revision > revision || position.removals > revision) return undefined;
  return position.removals < sources.tombstones.floor ? undefined : position;
}

/** A session that was deleted is still asked for by those who heard it: its tombstone knows where it was. */
function placeOf(sources: ChangesSources, sessionID: string | undefined): PageRequest["within"] | "unknown" {
  if (sessionID === undefined) return undefined;
  const root = sources.sessions.get(sessionID)?.lineage[0] ?? sources.tombstones.rootOfDeleted(sessionID);
  return root === undefined ? "unknown" : { sessionID, root };
}

/** Texts that could not be written (the disk is full): they are sent whole every time, as their rows do not tell. */
function unsavedParts({ open }: ChangesSources, { sessionID }: EventFilter): EventEnvelope[] {
  const unsaved = open.dirty().filter(({ lineage }) => sessionID === undefined || lineage.includes(sessionID));
  return unsaved.map(({ part }) => ({
    event: { type: "message.part.updated", properties: { sessionID: part.sessionID, part } },
  }));
}
