import { Histogram } from "../histogram.js";

/** In seconds; a commit that waits for a disk takes tens of milliseconds. */
const DURATIONS = [0.0005, 0.001, 0.005, 0.025, 0.1, 0.5];

/** What a store has done since it was opened. */
export class StoreCounts {
  /** How long each transaction took, with what it applied. */
  readonly commits = new Histogram(DURATIONS);
  /** Groups that could not be committed. */
  failures = 0;
  /** Deltas that were joined to one before them, so that nobody heard them by themselves. */
  joinedDeltas = 0;
}
