/** Why the gateway ends a connection, as WebSocket close codes; those from 4000 on are ours. */
export const CLOSE_CODES = {
  normal: 1000,
  shuttingDown: 1001,
  failed: 1011,
  /** The client was away too long to be caught up: subscribe again and read everything. */
  resubscribe: 4009,
} as const;
