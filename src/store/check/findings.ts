/** Something in a database that must not be so. */
export interface Finding {
  /** What it is about: the id of a row, or `database`. */
  readonly id: string;
  readonly problem: string;
  /** What to do about it. */
  readonly advice: string;
}

/** More are counted, and not told: one damaged page makes thousands. */
const MOST = 1000;

export class Findings {
  readonly list: Finding[] = [];
  count = 0;

  add(id: string, problem: string, advice: string): void {
    this.count += 1;
    if (this.list.length < MOST) this.list.push({ id, problem, advice });
  }
}
