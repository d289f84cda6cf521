import type { ProcessTree } from "./process-tree.js";

/** How long each rung may take, in milliseconds. */
export interface LadderBounds {
  /** From the end of its input until the agent is sent SIGTERM. */
  readonly inputEndMs: number;
  /** From SIGTERM until everything is killed. */
  readonly terminateMs: number;
  /** From SIGKILL until the agent is given up: a process that hangs in the kernel can't be killed. */
  readonly killMs: number;
}

export const DEFAULT_BOUNDS: LadderBounds = { inputEndMs: 2_000, terminateMs: 5_000, killMs: 2_000 };

interface LadderTarget {
  readonly tree: ProcessTree;
  closeInput(): void;
  /** Even SIGKILL did not end the agent. */
  giveUp(): void;
}

const RUNGS = ["none", "inputEnd", "terminate", "kill", "over"] as const;
type Rung = (typeof RUNGS)[number];

/**
 * End of input → SIGTERM to the group → SIGKILL to everything. Each rung is climbed at most once and only upwards.
 * The tree is noted on every rung, for the agent may die on any of them and leave orphans in other sessions.
 */
export class KillLadder {
  readonly #target: LadderTarget;
  readonly #bounds: LadderBounds;
  #rung: Rung = "none";
  #timer: NodeJS.Timeout | undefined;

  constructor(target: LadderTarget, bounds: LadderBounds) {
    this.#target = target;
    this.#bounds = bounds;
  }

  end(): void {
    if (!this.#climb("inputEnd")) return;
    this.#target.tree.remember();
    this.#target.closeInput();
    this.#wait(this.#bounds.inputEndMs, () => this.#terminate());
  }

  kill(): void {
    if (!this.#climb("kill")) return;
    this.#target.tree.kill();
    this.#wait(this.#bounds.killMs, () => this.#target.giveUp());
  }

  /** The agent is dead: no bound is waited for any longer, and what it left behind goes with it. */
  childExited(): void {
    const wasBegun = this.#rung !== "none";
    if (this.#climb("over") && wasBegun) this.#target.tree.sweep();
  }

  #terminate(): void {
    if (!this.#climb("terminate")) return;
    this.#target.tree.remember();
    this.#target.tree.terminate();
    this.#wait(this.#bounds.terminateMs, () => this.kill());
  }

  #climb(to: Rung): boolean {
    if (RUNGS.indexOf(to) <= RUNGS.indexOf(this.#rung)) return false;
    this.#rung = to;
    clearTimeout(this.#timer);
    return true;
  }

  #wait(bound: number, next: () => void): void {
    this.#timer = setTimeout(next, bound);
    // The child itself keeps the gateway alive for as long as there is something to wait for.
    this.#timer.unref();
  }
}
