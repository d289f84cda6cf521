import { type ChildProcess, spawn } from "node:child_process";

/** Waits for the end of its input, which comes when the gateway dies, however it does; then ends a process group. */
const SCRIPT = 'read -r _; kill -TERM "-$1"; sleep 5; kill -KILL "-$1"';

/**
 * Ends a child that would outlive a gateway that was killed: a server reads no input whose end it could see. It is a shell
 * that sleeps in a pipe, so it costs next to nothing. Undefined where there are no process groups.
 */
export function guardOrphan(leader: number): ChildProcess | undefined {
  if (process.platform === "win32") return undefined;
  // In a group of its own: what ends the gateway's group must not end this one first.
  const guard = spawn("/bin/sh", ["-c", SCRIPT, "sh", String(leader)], {
    stdio: ["pipe", "ignore", "ignore"],
    env: {},
    detached: true,
  });
  // Without a shell the child is not guarded; that costs nobody his agent.
  guard.on("error", () => undefined);
  guard.stdin.on("error", () => undefined);
  guard.unref();
  return guard;
}
