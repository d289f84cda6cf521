import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GatewayError } from "../gateway-error.js";
import { isAlive } from "../is-alive.js";

/**
 * One process for each native session: agents do not lock their sessions, and two on one split its history without a
 * word. A lock is a file with the holder's process id; one whose holder is gone is taken over. A lock is there with its
 * holder's id or not at all: whoever found it empty would take it over.
 */
export class NativeLocks {
  readonly #folder: string;
  readonly #held = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws `conflict` while another session or gateway works on the same native session. */
  acquire(agent: string, nativeID: string, sessionID: string): void {
    const name = lockName(agent, nativeID);
    const holder = this.#held.get(name);
    if (holder === sessionID) return;
    if (holder !== undefined) throw taken(nativeID, `the session ${holder} of this gateway`);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, name);
    if (!create(path)) this.#takeOver(path, nativeID);
    this.#held.set(name, sessionID);
  }

  /** Gives back what a session holds. */
  release(sessionID: string): void {
    for (const [name, holder] of this.#held) {
      if (holder !== sessionID) continue;
      this.#held.delete(name);
      rmSync(join(this.#folder, name), { force: true });
    }
  }

  #takeOver(path: string, nativeID: string): void {
    const holder = readText(path);
    const pid = Number(holder);
    if (pid > 0 && pid !== process.pid && isAlive(pid)) throw taken(nativeID, `another gateway (process ${pid})`);
    dropLeft(path, holder);
    if (!create(path)) throw taken(nativeID, "another gateway");
  }
}

function lockName(agent: string, nativeID: string): string {
  return `${agent}-${nativeID.replace(/[^A-Za-z0-9_-]/g, "-")}.lock`;
}

/** Makes the lock whole: written under a name of our own, then given its name. False when there is one. */
function create(path: string): boolean {
  const own = ownName(path);
  writeFileSync(own, String(process.pid), { mode: 0o600 });
  try {
    return give(own, path);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Takes a lock away that its holder left; not that of another gateway which was faster and has just taken it over. */
function dropLeft(path: string, holder: string): void {
  const aside = ownName(path);
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (readText(aside) !== holder) give(aside, path);
  rmSync(aside, { force: true });
}

/** A second name for a file; false when something has that name. */
function give(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function ownName(path: string): string {
  return `${path}.${process.pid}`;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function taken(nativeID: string, holder: string): GatewayError {
  return new GatewayError("conflict", `the agent's session ${nativeID} is in use by ${holder}`, {
    hint: "end the other one first, or fork the session",
  });
}
