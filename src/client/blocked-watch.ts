import type { PendingBlock, Result } from "../../schemas/index.js";
import type { ClientEvent } from "./reduce-client.js";
import type { Subscription } from "./subscription.js";

/** What it throws, or rejects with, is an uncaught error like that of any other listener. */
export type BlockedListener = (pending: PendingBlock) => unknown;

/** Tells of each tool that waits once: those that wait already, and those that come. */
export async function watchBlocks(
  events: Subscription,
  list: () => Promise<Result<"block.list">>,
  listener: BlockedListener,
): Promise<void> {
  const told = new Set<string>();
  const tell = (pending: PendingBlock): void => {
    if (told.has(pending.block.id)) return;
    told.add(pending.block.id);
    void Promise.resolve(pending).then(listener).catch(throwLater);
  };
  const tellAll = async (): Promise<void> => {
    for (const pending of (await list()).blocks) tell(pending);
  };
  try {
    await events.opened;
    await tellAll();
    for await (const event of events) {
      if (event.type === "gap") await tellAll();
      const pending = pendingOf(event);
      if (pending) tell(pending);
    }
  } catch (error) {
    // Nobody waits for this loop, so nobody else would hear of it.
    throwLater(error);
  }
}

function pendingOf(event: ClientEvent): PendingBlock | undefined {
  if (event.type !== "message.part.updated") return undefined;
  const { part } = event.properties;
  if (part.type !== "tool" || part.state.status !== "blocked") return undefined;
  const { sessionID, messageID, id: partID, callID, tool } = part;
  return { sessionID, messageID, partID, callID, tool, block: part.state.block };
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
