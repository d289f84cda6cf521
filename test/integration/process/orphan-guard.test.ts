import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { guardOrphan } from "../../../src/process/orphan-guard.js";
import { expectGone, isRunning, onPosix, watchPid } from "./harness.js";

/** A process group that nothing ends by itself. */
function startGroup(): number {
  const leader = spawn("sleep", ["600"], { stdio: "ignore", detached: true });
  return watchPid(leader.pid ?? 0);
}

test.runIf(onPosix)("a group whose gateway died is ended, and its guard with it", async () => {
  const leader = startGroup();
  const guard = guardOrphan(leader);
  // What the kernel does with the pipes of a process that is killed.
  guard?.stdin?.destroy();
  await expectGone(leader);
  process.kill(watchPid(guard?.pid ?? 0), "SIGKILL");
});

test.runIf(onPosix)("a guard that is let go leaves the group alone", async () => {
  const leader = startGroup();
  const guard = guardOrphan(leader);
  guard?.kill("SIGKILL");
  await expectGone(guard?.pid ?? 0);
  expect(isRunning(leader)).toBe(true);
  process.kill(-leader, "SIGKILL");
});
