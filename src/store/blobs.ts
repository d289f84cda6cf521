import type { Database, Statement } from "better-sqlite3";
import type { Part } from "../../schemas/index.js";
import type { Blob } from "./store.js";
import { type Lightened, takeLarge } from "./take-large.js";

interface Row {
  readonly mime: string;
  readonly is_text: number;
  readonly data: Buffer;
}

/** Large values, each once, for as long as a part refers to them. */
export class Blobs {
  readonly #insert: Statement;
  readonly #refer: Statement;
  readonly #forget: Statement;
  readonly #prune: Statement;
  readonly #read: Statement;
  readonly #has: Statement;

  constructor(
    db: Database,
    private readonly large: number,
  ) {
    this.#insert = db.prepare("insert into blob (ref, mime, is_text, data) values (?, ?, ?, ?) on conflict do nothing");
    this.#refer = db.prepare("insert into part_blob (part_id, ref) values (?, ?) on conflict do nothing");
    this.#forget = db.prepare("delete from part_blob where part_id = ?");
    this.#prune = db.prepare("delete from blob where not exists (select 1 from part_blob p where p.ref = blob.ref)");
    this.#read = db.prepare("select mime, is_text, data from blob where ref = ?");
    this.#has = db.prepare("select 1 from blob where ref = ?").pluck();
  }

  lighten(part: Part): Lightened {
    return takeLarge(part, this.large);
  }

  get(ref: string): Blob | undefined {
    const row = this.#read.get(ref) as Row | undefined;
    return row && { ref, mime: row.mime, isText: row.is_text === 1, data: row.data };
  }

  has(ref: string): boolean {
    return this.#has.get(ref) !== undefined;
  }

  add({ ref, mime, isText, data }: Blob): void {
    this.#insert.run(ref, mime, isText ? 1 : 0, data);
  }

  /** What a stored part refers to now, beside what it brought: another part's, when it is a copy of that. */
  keep(part: Part, blobs: readonly Blob[]): void {
    if (part.type !== "tool" && part.type !== "file") return;
    this.#forget.run(part.id);
    for (const blob of blobs) this.add(blob);
    for (const { ref } of Object.values(part.blobs ?? {})) this.#refer.run(part.id, ref);
  }

  /** Drops what no part refers to any more. */
  prune(): void {
    this.#prune.run();
  }
}
