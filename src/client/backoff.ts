export interface BackoffOptions {
  /** The first wait, in milliseconds; each further one is twice as long. */
  readonly minMs?: number;
  readonly maxMs?: number;
}

const MIN_MS = 250;
const MAX_MS = 10_000;

/** Waits before another attempt, longer each time; clients of one gateway that restarts do not come back all at once. */
export function backoff(attempt: number, { minMs = MIN_MS, maxMs = MAX_MS }: BackoffOptions): Promise<void> {
  const full = Math.min(maxMs, minMs * 2 ** attempt);
  return new Promise((resolve) => setTimeout(resolve, full * (0.5 + Math.random() / 2)));
}
