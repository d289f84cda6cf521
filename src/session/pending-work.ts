import type { Input, Output, SpawnOptions } from "../../adapters/index.js";
import { SPAWN_EFFECT } from "../process/agent-host.js";
import type { Place } from "./mailbox.js";

type ReadOutput = Extract<Output, { kind: "read" }>;

/** One thing asked of a process. `effect` counts all that is asked of it; its start is the first. */
export type Effect = { readonly effect: number } & (
  | { readonly kind: "spawn"; readonly options: SpawnOptions }
  | { readonly kind: "send"; readonly frame: unknown }
  | { readonly kind: "stop"; readonly how: "end" | "kill" }
);

/** What a session has asked for and not seen done, as it is stored with each step: plain JSON. */
export interface PendingWork {
  /** The host that the process was asked of. */
  readonly host: string;
  /** How much was asked of the process so far. */
  readonly effects: number;
  readonly outbox: readonly Effect[];
  /** When each timer is due. */
  readonly timers: Readonly<Record<string, number>>;
  readonly reads: readonly ReadOutput[];
}

const NOTHING: PendingWork = { host: "", effects: 0, outbox: [], timers: {}, reads: [] };

/** How much of each kind waits. */
export function countWork({ outbox, timers, reads }: PendingWork = NOTHING) {
  return { effects: outbox.length, timers: Object.keys(timers).length, reads: reads.length };
}

/**
 * Remembers what is under way, so that a gateway that comes after a crash does what this one could not. What a step asks
 * for is noted before it is stored and done after; what was done is forgotten with a later step.
 */
export class WorkLog {
  #work: PendingWork;
  #epoch: number;
  readonly #host: () => string;

  constructor(epoch: number, host: () => string, work: PendingWork = NOTHING) {
    this.#host = host;
    this.#epoch = epoch;
    this.#work = work;
  }

  get work(): PendingWork {
    return this.#work;
  }

  /** Which of its session's processes the effects are for. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Notes what a step asks for, and returns what of it is for the process. */
  note(outputs: readonly Output[], at: number): readonly Effect[] {
    return outputs.flatMap((output) => this.#noteOne(output, at));
  }

  /** A new process begins its count anew, and nothing that was asked of the last one matters. */
  #noteOne(output: Output, at: number): Effect[] {
    switch (output.kind) {
      case "spawn": {
        const { kind, ...options } = output;
        this.#epoch += 1;
        this.#work = { ...this.#work, host: this.#host(), effects: SPAWN_EFFECT, outbox: [] };
        return [this.#add({ effect: SPAWN_EFFECT, kind, options })];
      }
      case "send":
        return [this.#add({ effect: this.#count(), kind: output.kind, frame: output.frame })];
      case "stop":
        return [this.#add({ effect: this.#count(), kind: output.kind, how: output.how })];
      case "wake":
        this.#noteTimer(output.timer, output.afterMs === null ? undefined : at + output.afterMs);
        return [];
      case "read":
        this.#work = { ...this.#work, reads: [...this.#work.reads, output] };
        return [];
      case "wire":
        return [];
    }
  }

  done(effect: number): void {
    const outbox = this.#work.outbox.filter((one) => one.effect !== effect);
    this.#work = { ...this.#work, outbox };
  }

  /** A timer that fired and a file that was read are waited for no more. */
  took(input: Input<unknown>): void {
    if (input.kind === "wake") this.#noteTimer(input.timer, undefined);
    if (input.kind !== "file") return;
    this.#work = { ...this.#work, reads: this.#work.reads.filter(({ token }) => token !== input.token) };
  }

  /** A process that has ended can be asked for nothing. */
  ended(): void {
    this.#work = { ...this.#work, outbox: [] };
  }

  /** The process is gone with all that was under way. */
  clear(): void {
    this.#work = { ...NOTHING, effects: this.#work.effects };
  }

  /** Where a process stands that was just asked for. */
  startOf(place: Place): Place {
    return this.#epoch === place.epoch ? place : { epoch: this.#epoch, seq: 0 };
  }

  #add(effect: Effect): Effect {
    this.#work = { ...this.#work, outbox: [...this.#work.outbox, effect] };
    return effect;
  }

  #count(): number {
    const effects = this.#work.effects + 1;
    this.#work = { ...this.#work, effects };
    return effects;
  }

  #noteTimer(timer: string, due: number | undefined): void {
    const { [timer]: _, ...others } = this.#work.timers;
    this.#work = { ...this.#work, timers: due === undefined ? others : { ...others, [timer]: due } };
  }
}
