import { openDatabase } from "../../../src/store/open-database.js";
import { SqliteStore, type StoreErrorListener } from "../../../src/store/sqlite-store.js";
import type { StoreClock } from "../../../src/store/store-clock.js";

/** Ways in which a disk takes nothing any more. */
export type Limit = "full" | "read-only";

/** A store on a disk that can be filled, or be made read-only, while it is open. */
export class LimitedStore extends SqliteStore {
  readonly #db;

  constructor(path: string, clock: StoreClock, onError: StoreErrorListener) {
    const db = openDatabase({ path });
    super(db, { path, clock, keepTombstones: 100, largeChars: 1_000_000, onError });
    this.#db = db;
  }

  limit(how: Limit): void {
    // The file may not grow by a single page.
    if (how === "full") this.#db.pragma(`max_page_count = ${this.#db.pragma("page_count", { simple: true })}`);
    else this.#db.pragma("query_only = ON");
  }

  free(): void {
    if (!this.#db.open) return;
    this.#db.pragma("max_page_count = 1000000");
    this.#db.pragma("query_only = OFF");
  }
}

/** More than fits into what is free of the pages that there are. */
export const MUCH = "much ".repeat(20_000);
