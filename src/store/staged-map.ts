/**
 * A bounded cache of rows that follows a transaction: what a group sets is kept apart until `commit`, and forgotten by
 * `rollback`, so that the cache never tells what the database does not hold. Values are never changed in place.
 */
export class StagedMap<V> {
  readonly #kept = new Map<string, V>();
  /** null: deleted by the group. */
  readonly #staged = new Map<string, V | null>();

  constructor(
    private readonly limit: number,
    private readonly mayEvict: (value: V) => boolean = () => true,
  ) {}

  get(key: string): V | undefined {
    const staged = this.#staged.get(key);
    if (staged !== undefined) return staged ?? undefined;
    return this.#kept.get(key);
  }

  set(key: string, value: V): void {
    this.#staged.set(key, value);
  }

  delete(key: string): void {
    this.#staged.set(key, null);
  }

  *entries(): Iterable<[string, V]> {
    for (const entry of this.#kept) if (!this.#staged.has(entry[0])) yield entry;
    for (const [key, value] of this.#staged) if (value !== null) yield [key, value];
  }

  commit(): void {
    for (const [key, value] of this.#staged) {
      if (value === null) this.#kept.delete(key);
      else this.#kept.set(key, value);
    }
    this.#staged.clear();
    if (this.#kept.size > this.limit) this.#evict();
  }

  rollback(): void {
    this.#staged.clear();
  }

  /** The oldest go first; a quarter at once, so that a full cache does not walk its pinned values at every commit. */
  #evict(): void {
    const target = Math.floor(this.limit * 0.75);
    for (const [key, value] of this.#kept) {
      if (this.#kept.size <= target) return;
      if (this.mayEvict(value)) this.#kept.delete(key);
    }
  }
}
