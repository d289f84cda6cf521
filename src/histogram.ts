/** How often a value was how large: a count for each bound, of the values up to it and above the one before. */
export class Histogram {
  readonly counts: number[];
  sum = 0;

  /** The bounds ascend; what is above the last is counted, too. */
  constructor(readonly bounds: readonly number[]) {
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let place = 0;
    while (place < this.bounds.length && value > (this.bounds[place] as number)) place += 1;
    this.counts[place] = (this.counts[place] as number) + 1;
    this.sum += value;
  }
}
