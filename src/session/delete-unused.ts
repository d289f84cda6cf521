import type { Session } from "../../schemas/index.js";
import type { Store, UnusedQuery } from "../store/store.js";

/** Few, because all else waits meanwhile. */
const BATCH = 10;

export interface DeletedBatch {
  readonly deleted: number;
  /** The last that was looked at: more come after it. undefined: there are no more. */
  readonly last: Session | undefined;
}

/** Deletes some of the sessions that nobody has used for long, the oldest first. `remove` says whether it did. */
export async function deleteUnused(
  store: Store,
  query: Pick<UnusedQuery, "since" | "after">,
  remove: (session: Session) => Promise<boolean> | boolean,
): Promise<DeletedBatch> {
  const batch = store.unused({ ...query, limit: BATCH });
  let deleted = 0;
  for (const session of batch) if (await remove(session)) deleted += 1;
  return { deleted, last: batch.length < BATCH ? undefined : batch.at(-1) };
}
