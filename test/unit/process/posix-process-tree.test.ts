import { describe, expect, test } from "vitest";
import { PosixProcessTree } from "../../../src/process/posix-process-tree.js";
import type { ProcessRow } from "../../../src/process/process-table.js";

const LEADER = 100;
const row = (pid: number, parent: number, group = pid, start = "1"): ProcessRow => ({ pid, parent, group, start });
const gateway = row(50, 1);
const stranger = row(60, 1);
const leader = row(LEADER, 50);

/** A tree over a table that the test changes, with the signals it sends. */
function createTree(...initial: readonly ProcessRow[]) {
  const machine = { rows: initial, signals: [] as string[] };
  const send = (pid: number, signal: NodeJS.Signals | 0) => {
    const hit = machine.rows.some((candidate) => candidate.pid === pid || candidate.group === -pid);
    if (!hit) throw Object.assign(new Error("kill ESRCH"), { code: "ESRCH" });
    machine.signals.push(`${signal} ${pid}`);
  };
  const tree = new PosixProcessTree(LEADER, () => machine.rows, send);
  const killed = () =>
    machine.signals.filter((text) => text.startsWith("SIGKILL")).map((text) => Number(text.slice(8)));
  return { tree, machine, killed };
}

test("SIGTERM goes to the group alone: the agent ends its own commands", () => {
  const { tree, machine } = createTree(gateway, leader, row(101, LEADER));
  tree.terminate();
  expect(machine.signals).toEqual([`SIGTERM -${LEADER}`]);
});

test("kill reaches the group and the sessions below it, and nobody else", () => {
  const { tree, killed } = createTree(
    gateway,
    stranger,
    leader,
    row(101, LEADER, LEADER),
    row(102, 101),
    row(103, 102),
  );
  tree.kill();
  expect(killed()).toEqual(expect.arrayContaining([LEADER, 101, 102, 103, -LEADER]));
  expect(killed()).not.toContain(gateway.pid);
  expect(killed()).not.toContain(stranger.pid);
});

test("kill finds what was born between looking and stopping", () => {
  const rows = [gateway, leader];
  let looks = 0;
  const signals: string[] = [];
  const list = () => (looks++ === 0 ? rows : [...rows, row(105, LEADER)]);
  new PosixProcessTree(LEADER, list, (pid, signal) => signals.push(`${signal} ${pid}`)).kill();
  expect(signals).toContain("SIGKILL 105");
});

test("kill still reaches the group when the process table can't be read", () => {
  const signals: string[] = [];
  const list = () => {
    throw new Error("no /proc");
  };
  new PosixProcessTree(LEADER, list, (pid, signal) => signals.push(`${signal} ${pid}`)).kill();
  expect(signals).toEqual([`SIGKILL -${LEADER}`]);
});

describe("after the agent's death", () => {
  test("what was noted before is killed although it has a new parent, with what is below it", () => {
    const { tree, machine, killed } = createTree(gateway, leader, row(102, LEADER));
    tree.remember();
    machine.rows = [gateway, stranger, row(102, 1), row(103, 102)];
    tree.sweep();
    expect(killed().toSorted()).toEqual([102, 103]);
  });

  test("what is left in its group is killed without having been noted", () => {
    const { tree, machine, killed } = createTree(gateway, leader);
    machine.rows = [gateway, row(101, 1, LEADER)];
    tree.sweep();
    expect(killed()).toEqual([101]);
  });

  test("a pid that is used again is left alone", () => {
    const { tree, machine, killed } = createTree(gateway, leader, row(102, LEADER));
    tree.remember();
    machine.rows = [gateway, row(102, 1, 102, "2"), row(LEADER, 1, LEADER, "2"), row(104, LEADER, LEADER, "2")];
    tree.sweep();
    expect(killed()).toEqual([]);
  });

  test("the process table is not read when nothing is left", () => {
    const list = () => expect.unreachable();
    const tree = new PosixProcessTree(LEADER, list, () => {
      throw new Error("kill ESRCH");
    });
    tree.sweep();
  });
});

test.each([-1, 0, 1, Number.NaN])("%s can't lead a tree", (pid) => {
  expect(() => new PosixProcessTree(pid)).toThrow(RangeError);
});
