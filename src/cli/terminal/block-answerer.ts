import { setTimeout as wait } from "node:timers/promises";
import type { Block, Decision, ResolvedBlock, ToolPart, WireEvent } from "../../../schemas/index.js";
import { AgentwireError } from "../../client/index.js";
import { askBlock, canDecide, type Decidable, type Reply } from "./ask-block.js";
import { decisionOf, subjectOf } from "./describe-block.js";

export interface BlockAnswererOptions {
  /** Sends a decision to the gateway; fails with an `AgentwireError`. */
  readonly reply: (blockID: string, reply: Reply) => Promise<unknown>;
  /** A person. Undefined: there is no more input, or the block needs no answer any more. */
  readonly ask?: (query: string, signal: AbortSignal) => Promise<string | undefined>;
  /** What is done where nobody is asked, or nobody answers. */
  readonly otherwise: "leave" | Decision;
  /** Whether the session's client is known to be nowhere else: then its tools cannot be carried out. */
  readonly isAlone: boolean;
  /** Tells the person something. */
  readonly note: (text: string) => void;
}

interface Waiting {
  readonly block: Block;
  /** Aborted when it is decided. */
  readonly decided: AbortController;
  /** Its decision was sent from here. */
  isReplied: boolean;
  outcome?: ResolvedBlock;
}

/** How often a decision is sent again while the gateway is away. */
const RETRY_MS = 500;

/**
 * Decides a session's blocks as they come: by a fixed answer, or by asking a person, one at a time. What somebody else
 * decides meanwhile is asked no more.
 */
export class BlockAnswerer {
  readonly #options: BlockAnswererOptions;
  readonly #waiting = new Map<string, Waiting>();
  /** What was decided waits no more, even when it is heard late that it did. */
  readonly #decided = new Set<string>();
  #asking: Promise<void> = Promise.resolve();

  constructor(options: BlockAnswererOptions) {
    this.#options = options;
  }

  hear(event: WireEvent): void {
    if (event.type === "message.part.updated" && event.properties.part.type === "tool")
      this.#hearTool(event.properties.part);
  }

  #hearTool({ state }: ToolPart): void {
    if (state.status === "pending") return;
    for (const block of state.priorBlocks ?? []) this.#onDecided(block);
    if (state.status === "blocked") this.#onBlocked(state.block);
    else if (state.block) this.#onDecided(state.block);
  }

  #onBlocked(block: Block): void {
    if (this.#waiting.has(block.id) || this.#decided.has(block.id)) return;
    const waiting: Waiting = { block, decided: new AbortController(), isReplied: false };
    this.#waiting.set(block.id, waiting);
    this.#asking = this.#asking.then(() => this.#answer(waiting));
  }

  #onDecided(block: ResolvedBlock): void {
    this.#decided.add(block.id);
    const waiting = this.#waiting.get(block.id);
    if (!waiting) return;
    this.#waiting.delete(block.id);
    waiting.outcome = block;
    waiting.decided.abort();
    this.#tellOutcome(waiting);
  }

  #tellOutcome({ outcome, isReplied }: Waiting): void {
    if (outcome && !isReplied) this.#options.note(`  ${subjectOf(outcome)} — ${decisionOf(outcome)}`);
  }

  async #answer(waiting: Waiting): Promise<void> {
    const { signal } = waiting.decided;
    try {
      const reply = signal.aborted ? undefined : await this.#replyTo(waiting.block, signal);
      if (signal.aborted) return;
      if (!reply) return this.#tellLeft(waiting.block);
      waiting.isReplied = true;
      await this.#send(waiting.block.id, reply, signal);
    } catch (error) {
      this.#failed(waiting, error);
    }
  }

  /** First the person; then what is done without one. */
  async #replyTo(block: Block, signal: AbortSignal): Promise<Reply | undefined> {
    const { ask, otherwise, isAlone } = this.#options;
    if (block.type === "call") return isAlone ? { error: NOT_SERVED } : undefined;
    const reply = ask && (await askBlock((query) => ask(query, signal), block));
    return reply ?? (otherwise === "leave" ? undefined : fixedReply(block, otherwise));
  }

  /** A decision may be sent twice: only the first counts. */
  async #send(blockID: string, reply: Reply, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await this.#options.reply(blockID, reply);
        return;
      } catch (error) {
        if (!(error instanceof AgentwireError) || !error.isTemporary) throw error;
        await wait(RETRY_MS, undefined, { signal });
      }
    }
  }

  #tellLeft(block: Block): void {
    if (block.type !== "call")
      this.#options.note(
        `  ${subjectOf(block)} — waits: agentwire permit ${block.type === "question" ? "answer" : "allow"} ${block.id}`,
      );
  }

  #failed(waiting: Waiting, error: unknown): void {
    const kind = error instanceof AgentwireError ? error.kind : undefined;
    // Somebody else was first, or the turn has ended: what came of it is told in place of what was sent.
    if (kind === "conflict") {
      waiting.isReplied = false;
      return this.#tellOutcome(waiting);
    }
    if (kind === "not_found" || kind === "closed" || waiting.outcome) return;
    this.#options.note(`agentwire: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const NOT_SERVED = "The client that serves this tool is not here: it cannot be called from the command line";
const MUST_CHOOSE = "There are several ways to allow this, and nobody is here to choose one";

/** Where several options mean what was asked for beforehand, nobody chose one: that is no permission. */
function fixedReply(block: Decidable, wanted: Decision): Reply {
  if (block.type === "question") return { decision: "reject" };
  const decision = wanted === "always" && block.always.length === 0 ? "once" : wanted;
  return canDecide(block, decision) ? { decision } : { decision: "reject", message: MUST_CHOOSE };
}
