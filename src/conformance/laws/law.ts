import type { Run } from "../run.js";

/** One way in which a run breaks a law. */
export interface Violation {
  readonly law: string;
  readonly message: string;
}

/** A law holds for every adapter and every run; it names each way it is broken. */
export interface Law {
  readonly name: string;
  readonly check: (run: Run) => readonly string[];
}
