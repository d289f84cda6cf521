import type { Cursor } from "../../schemas/index.js";

/** Base-36 digits that hold every safe integer. Fixed, so that cursors sort as strings. */
const WIDTH = 11;
const RADIX = 36;

/**
 * What a cursor says: everything up to `revision` is known. Whoever started from nothing does not know the removals
 * before the start, and need not: `removals` is then that start, and later than `revision` until they have caught up.
 */
export interface Position {
  readonly revision: number;
  readonly removals: number;
}

/** Cursors of one database: its identity, the revision and, while catching up from nothing, the start. */
export class CursorCodec {
  constructor(private readonly databaseID: string) {}

  encode(revision: number, removals = revision): Cursor {
    const start = removals > revision ? digits(removals) : "";
    return this.databaseID + digits(revision) + start;
  }

  /** undefined: a cursor of another database, or none at all. */
  decode(cursor: Cursor): Position | undefined {
    const body = cursor.slice(this.databaseID.length);
    if (!cursor.startsWith(this.databaseID) || (body.length !== WIDTH && body.length !== 2 * WIDTH)) return undefined;
    const revision = Number.parseInt(body.slice(0, WIDTH), RADIX);
    return { revision, removals: body.length === WIDTH ? revision : Number.parseInt(body.slice(WIDTH), RADIX) };
  }
}

function digits(value: number): string {
  return value.toString(RADIX).padStart(WIDTH, "0");
}
