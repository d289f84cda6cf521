import { z } from "zod";

/** What each id names; the key is the prefix on the wire (`ses_…`). */
export const ID_PREFIXES = {
  ses: "session",
  msg: "message",
  prt: "part",
  per: "permission block",
  que: "question block",
  cal: "call block",
} as const;

export type IdPrefix = keyof typeof ID_PREFIXES;

const idSchema = (prefix: IdPrefix) =>
  z
    .string()
    .regex(
      new RegExp(`^${prefix}_[A-Za-z0-9_-]{1,64}$`),
      `must be a ${ID_PREFIXES[prefix]} id: "${prefix}_" and 1 to 64 letters, digits, "_" or "-"`,
    );

export const SessionID = idSchema("ses");
export const MessageID = idSchema("msg");
export const PartID = idSchema("prt");
export const BlockID = z
  .string()
  .regex(
    /^(per|que|cal)_[A-Za-z0-9_-]{1,64}$/,
    'must be a block id: "per_", "que_" or "cal_" and 1 to 64 letters, digits, "_" or "-"',
  );

const COUNTER_WIDTH = 6;
const TIME_WIDTH = 9;

/**
 * The time-ordered body of a session's ids: nine base-36 digits of the creation time (milliseconds), then a suffix
 * that tells apart sessions made in the same millisecond. Every id of the session starts with it.
 */
export function idSeed(atMs: number, suffix: string): string {
  return atMs.toString(36).padStart(TIME_WIDTH, "0") + suffix;
}

/** An id that sorts by `counter` among the ids of the same seed. Same seed and counter: same id. */
export function makeId(prefix: IdPrefix, seed: string, counter: number): string {
  return `${prefix}_${seed}${counter.toString(36).padStart(COUNTER_WIDTH, "0")}`;
}
