import { cpus } from "node:os";
import { setTimeout } from "node:timers/promises";

const PROBE_MS = 400;
const BUSY = 0.2;
const PATIENCE_MS = 60_000;

/** Waits until others leave the machine alone, but not for ever. Returns which part of it they use. */
export async function untilQuiet(): Promise<number> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const busy = await probe();
    if (busy <= BUSY || performance.now() > end) return busy;
  }
}

async function probe(): Promise<number> {
  const before = readTimes();
  await setTimeout(PROBE_MS);
  const after = readTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function readTimes(): { idle: number; all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((each) => Object.values(each))) };
}
