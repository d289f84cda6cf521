import { DecidedBy } from "../../schemas/index.js";

const EXIT_REASONS = ["exited", "failed", "killed", "error"] as const;
/** `exited` with code 0, `failed` with another, `killed` by a signal, `error`: not started, or lost with its host. */
export type ExitReason = (typeof EXIT_REASONS)[number];

/** What all sessions of one agent came to since the gateway started: plain counters, since frames come by the thousand. */
export class AgentTotals {
  /** Processes that run now. */
  running = 0;
  starts = 0;
  frames = 0;
  unknownFrames = 0;
  noiseLines = 0;
  faults = 0;
  stalls = 0;
  readonly exits = zeros(EXIT_REASONS);
  readonly decisions = zeros(DecidedBy.options);
}

function zeros<K extends string>(keys: readonly K[]): Record<K, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
}
