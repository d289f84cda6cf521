import type { PendingBlock, Session } from "../../../schemas/index.js";
import type { Client } from "../../client/index.js";

/** What a session does, in a few words. */
export function statusOf({ status, queue, time }: Session, blocks: readonly PendingBlock[]): string {
  const words = [
    blocks.length > 0 ? `${blocks.length} blocked` : status.type === "busy" && status.stalled ? "stalled" : status.type,
    ...(queue.length > 0 ? [`${queue.length} queued`] : []),
    ...(time.archived !== undefined ? ["archived"] : []),
  ];
  return words.join(", ");
}

/** What waits, by the root session it waits in or below. */
export async function blocksByRoot(client: Client): Promise<Map<string, PendingBlock[]>> {
  const { blocks } = await client.call("block.list", {});
  const byRoot = new Map<string, PendingBlock[]>();
  for (const pending of blocks) {
    const root = await rootOf(client, pending.sessionID);
    byRoot.set(root, [...(byRoot.get(root) ?? []), pending]);
  }
  return byRoot;
}

async function rootOf(client: Client, sessionID: string): Promise<string> {
  const { session } = await client.call("session.get", { sessionID });
  return session.parentID === undefined ? sessionID : rootOf(client, session.parentID);
}
