/** How a scenario went. */
export interface Outcome {
  readonly problems: readonly string[];
  /** What else there is to say of it. */
  readonly note?: string;
  /** It asks for what this way of running cannot do. */
  readonly skipped?: boolean;
}
