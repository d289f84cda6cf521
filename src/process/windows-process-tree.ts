import { spawn } from "node:child_process";
import type { ProcessTree } from "./process-tree.js";

/** Windows keeps no groups and sends no signals; `taskkill /T` walks the tree itself. */
export class WindowsProcessTree implements ProcessTree {
  readonly #leader: number;

  constructor(leader: number) {
    this.#leader = leader;
  }

  remember(): void {}

  terminate(): void {
    this.#taskkill([]);
  }

  kill(): void {
    this.#taskkill(["/F"]);
  }

  /** The tree can't be found once its root is dead, and its pid may already be somebody else's. */
  sweep(): void {}

  #taskkill(flags: readonly string[]): void {
    const args = ["/PID", String(this.#leader), "/T", ...flags];
    const killer = spawn("taskkill", args, { stdio: "ignore", windowsHide: true });
    killer.on("error", () => {});
  }
}
