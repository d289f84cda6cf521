import { findDescendants } from "./descendants.js";
import { listProcesses, type ProcessRow } from "./process-table.js";
import type { ProcessTree } from "./process-tree.js";

type SendSignal = (pid: number, signal: NodeJS.Signals | 0) => void;

/** The tree below a process that leads its own process group. */
export class PosixProcessTree implements ProcessTree {
  readonly #leader: number;
  readonly #list: () => readonly ProcessRow[];
  readonly #send: SendSignal;
  /** pid → start time, so that a pid which was used again is never hit. */
  #known: ReadonlyMap<number, string> = new Map();
  #leaderGone = false;

  constructor(leader: number, list = listProcesses, send: SendSignal = process.kill) {
    // kill(-1) and kill(-0) mean everybody and ourselves.
    if (!(leader > 1)) throw new RangeError(`${leader} can't lead a process tree`);
    this.#leader = leader;
    this.#list = list;
    this.#send = send;
  }

  remember(): void {
    const rows = this.#listOrEmpty();
    const roots = this.#findRoots(rows);
    const pids = roots.map((row) => row.pid);
    const family = [...roots, ...findDescendants(pids, rows)];
    this.#known = new Map(family.map((row) => [row.pid, row.start]));
  }

  terminate(): void {
    this.#signal(-this.#leader, "SIGTERM");
  }

  kill(): void {
    this.#destroy();
    // For a machine whose process table can't be read.
    if (!this.#leaderGone) this.#signal(-this.#leader, "SIGKILL");
  }

  sweep(): void {
    this.#leaderGone = true;
    // Reading the process table costs milliseconds; an agent that left nothing behind is the usual case.
    if (this.#known.size > 0 || this.#signal(-this.#leader, 0)) this.#destroy();
  }

  /** Stops everybody before the second look, or a process could be born between looking and killing. */
  #destroy(): void {
    this.remember();
    this.#signalKnown("SIGSTOP");
    this.remember();
    this.#signalKnown("SIGKILL");
  }

  #findRoots(rows: readonly ProcessRow[]): readonly ProcessRow[] {
    // A dead leader's pid stays taken while its group has members; a process that has it now is a stranger.
    const isStranger = this.#leaderGone && rows.some((row) => row.pid === this.#leader);
    return rows.filter((row) => {
      return this.#known.get(row.pid) === row.start || (!isStranger && this.#isInGroup(row));
    });
  }

  #isInGroup(row: ProcessRow): boolean {
    return row.pid === this.#leader || row.group === this.#leader;
  }

  #listOrEmpty(): readonly ProcessRow[] {
    try {
      return this.#list();
    } catch {
      return [];
    }
  }

  #signalKnown(signal: NodeJS.Signals): void {
    for (const pid of this.#known.keys()) this.#signal(pid, signal);
  }

  /** Whether there was somebody to signal. */
  #signal(pid: number, signal: NodeJS.Signals | 0): boolean {
    try {
      this.#send(pid, signal);
      return true;
    } catch {
      return false;
    }
  }
}
