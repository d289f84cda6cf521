import type { PendingBlock, ResolvedBlock, ToolPart, WireEvent } from "../../schemas/index.js";

const REMEMBERED_RESOLVED = 1000;

/** The blocks of one session tree as its events tell them: which wait, and how the last ones were decided. */
export class BlockIndex {
  readonly #pending = new Map<string, PendingBlock>();
  readonly #pendingOfPart = new Map<string, string>();
  readonly #resolved = new Map<string, ResolvedBlock>();
  readonly #onDecided: (block: ResolvedBlock) => void;

  /** `onDecided` hears of each block once. */
  constructor(onDecided: (block: ResolvedBlock) => void = () => {}) {
    this.#onDecided = onDecided;
  }

  apply(event: WireEvent): void {
    if (event.type === "message.part.updated" && event.properties.part.type === "tool")
      this.#applyTool(event.properties.part);
  }

  /** Takes another list of what waits, in place of what the events told. */
  reset(pending: readonly PendingBlock[]): void {
    this.#pending.clear();
    this.#pendingOfPart.clear();
    for (const block of pending) this.#add(block);
  }

  pending(): PendingBlock[] {
    return [...this.#pending.values()];
  }

  find(blockID: string): PendingBlock | undefined {
    return this.#pending.get(blockID);
  }

  resolved(blockID: string): ResolvedBlock | undefined {
    return this.#resolved.get(blockID);
  }

  #applyTool(part: ToolPart): void {
    this.#dropPending(part.id);
    const { state, sessionID, messageID, callID, tool } = part;
    if (state.status === "blocked") {
      const { block } = state;
      this.#add({ sessionID, messageID, partID: part.id, callID, tool, block });
    } else if (state.status !== "pending" && state.block) {
      this.#remember(state.block);
    }
  }

  #add(pending: PendingBlock): void {
    this.#pending.set(pending.block.id, pending);
    this.#pendingOfPart.set(pending.partID, pending.block.id);
  }

  #dropPending(partID: string): void {
    const blockID = this.#pendingOfPart.get(partID);
    if (blockID === undefined) return;
    this.#pendingOfPart.delete(partID);
    this.#pending.delete(blockID);
  }

  #remember(block: ResolvedBlock): void {
    if (!this.#resolved.has(block.id)) this.#onDecided(block);
    this.#resolved.set(block.id, block);
    if (this.#resolved.size <= REMEMBERED_RESOLVED) return;
    for (const oldest of this.#resolved.keys()) {
      this.#resolved.delete(oldest);
      return;
    }
  }
}
