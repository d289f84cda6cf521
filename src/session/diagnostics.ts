const KEPT_NOISE = 50;
const NOISE_LENGTH = 500;

/** What an agent wrote that is not of its protocol: counted, and a little of it kept for whoever looks into it. */
export class Diagnostics {
  readonly unknownKinds = new Map<string, number>();
  readonly noiseLines: string[] = [];
  noiseCount = 0;

  noise(text: string): void {
    this.noiseCount += 1;
    if (this.noiseLines.length < KEPT_NOISE) this.noiseLines.push(text.slice(0, NOISE_LENGTH));
  }

  /** Counts a frame of an unknown kind; true for the first of its kind. */
  unknown(kind: string): boolean {
    const count = this.unknownKinds.get(kind) ?? 0;
    this.unknownKinds.set(kind, count + 1);
    return count === 0;
  }
}
