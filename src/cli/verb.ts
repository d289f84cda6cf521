/** One verb of the command line: its file is loaded only when it is used. */
export interface Verb {
  readonly summary: string;
  readonly usage: string;
  /** Runs the verb; resolves with the exit code. */
  run(args: readonly string[]): Promise<number>;
}
