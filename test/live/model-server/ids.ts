/**
 * Ids that count, by kind: `msg_0001`, `toolu_0002`. Lanes other than `main` count by themselves and carry their name
 * (`msg_aux_0001`), for a side call that comes earlier or later must not move the ids of the conversation.
 */
export class IdCounter {
  readonly #last = new Map<string, number>();

  next(kind: string, lane: string): string {
    const prefix = lane === "main" ? kind : `${kind}_${lane}`;
    const number = (this.#last.get(prefix) ?? 0) + 1;
    this.#last.set(prefix, number);
    return `${prefix}_${String(number).padStart(4, "0")}`;
  }
}
