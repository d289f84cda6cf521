import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { isAlive } from "../../../src/is-alive.js";
import { findDescendants } from "../../../src/process/descendants.js";
import {
  findProcess,
  listProcesses,
  type ProcessRow,
  parseProcStat,
  parsePs,
} from "../../../src/process/process-table.js";

const stat = (comm: string) =>
  `4242 (${comm}) S 17 4240 4240 0 -1 4194560 110 0 0 0 0 0 0 0 20 0 1 0 987654 5500928 250 18446744073709551615 1 1 0`;

describe("/proc/<pid>/stat", () => {
  test.each(["node", "my agent", "a) S 1 (b", "((sd-pam))", ""])("is read around the name %j", (comm) => {
    expect(parseProcStat(stat(comm))).toEqual({ pid: 4242, parent: 17, group: 4240, start: "987654" });
  });

  test.each(["", "4242", "4242 (node", "garbage"])("%j is no process", (text) => {
    expect(parseProcStat(text)).toBeUndefined();
  });
});

test("the lines of ps are read, with the start time as identity", () => {
  const text = "    1     0     1 Mon Nov 30 10:00:00 2026\n  501     1   501 Mon Nov 30 10:00:05 2026    \n\nodd\n";
  expect(parsePs(text)).toEqual([
    { pid: 1, parent: 0, group: 1, start: "Mon Nov 30 10:00:00 2026" },
    { pid: 501, parent: 1, group: 501, start: "Mon Nov 30 10:00:05 2026" },
  ]);
});

test.skipIf(process.platform === "win32")("this process is listed under its parent", () => {
  expect(listProcesses().find((row) => row.pid === process.pid)).toMatchObject({ parent: process.ppid });
});

describe.skipIf(process.platform === "win32")("one process", () => {
  test("is found while it runs, under the start that the list has", () => {
    expect(findProcess(process.pid)).toEqual(listProcesses().find((row) => row.pid === process.pid));
  });

  test("is not there when it has ended, also when nobody has asked how", async () => {
    // The shell becomes a program that waits for no child. The child ends with its input.
    const becomes = "exec /bin/sh -c 'echo $1; exec sleep 60' sh $!";
    const parent = spawn("/bin/sh", ["-c", `exec 3<&0; cat <&3 & ${becomes}`]);
    try {
      const [pid] = await once(parent.stdout, "data");
      expect(findProcess(Number(pid))).toMatchObject({ pid: Number(pid) });
      parent.stdin.end();
      await vi.waitFor(() => expect(findProcess(Number(pid))).toBeUndefined());
      if (process.platform === "linux") expect(isAlive(Number(pid))).toBe(true);
    } finally {
      parent.kill("SIGKILL");
    }
  });
});

describe("descendants", () => {
  const row = (pid: number, parent: number): ProcessRow => ({ pid, parent, group: pid, start: "1" });
  const rows = [row(0, 0), row(1, 0), row(13, 12), row(10, 1), row(11, 10), row(12, 10), row(20, 1), row(21, 20)];
  const pids = (roots: readonly number[]) => findDescendants(roots, rows).map(({ pid }) => pid);

  test.each([
    ["of a root, at any depth and in any group", [10], [11, 12, 13]],
    ["of several", [12, 20], [13, 21]],
    ["of one below the other, once", [10, 12], [13, 11]],
    ["of none", [99], []],
  ])("%s", (_name, roots, expected) => {
    expect(pids(roots).toSorted()).toEqual(expected.toSorted());
  });

  test("a process that is its own parent ends the search", () => {
    expect(pids([0])).not.toContain(0);
  });
});
