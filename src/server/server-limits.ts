const KiB = 1024;
const MiB = 1024 * KiB;

/** What one client may cost. */
export const SERVER_LIMITS = {
  /** The largest message a client may send. */
  messageBytes: 32 * MiB,
  /** What may wait in an outlet before its subscribers are behind, and before a client that reads no answers is not read. */
  pendingBytes: 1 * MiB,
  /** A subscriber that is behind catches up once no more than this waits. */
  lowWaterBytes: 256 * KiB,
  /** How much a subscriber that catches up asks of the store at once. */
  pageBytes: 256 * KiB,
  /** The rows that a page brings are sent in frames of about this many characters, or one row if that is larger. */
  frameLength: 64 * KiB,
  /** The rest of a long text is sent in pieces of this many UTF-16 units: at most four bytes each. */
  pieceLength: 16 * KiB,
  /** Requests of one connection that are handled at the same time; more are not read yet. */
  inFlight: 64,
  /** How long answers may take to leave after the client has ended its input. */
  drainMs: 5_000,
};

export type ServerLimits = { readonly [K in keyof typeof SERVER_LIMITS]: number };
