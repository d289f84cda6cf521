import { homedir } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { directoryPlaceholders } from "../../conformance/placeholders.js";
import { playTrace, UnexpectedInput } from "../../conformance/player.js";
import { adapterOfTrace, readTrace } from "../../conformance/trace.js";
import { UsageError } from "../usage-error.js";

/** Recorded pauses are kept up to this: who watches wants to see it stream, not to wait as long as a model. */
const LONGEST_PAUSE_MS = 60;

export async function action([folder]: readonly string[]): Promise<number> {
  if (folder === undefined) throw new UsageError("name the folder of a trace");
  const trace = readTrace(folder);
  if (adapterOfTrace(trace).channel === "http") {
    throw new UsageError("this trace is of an agent that serves HTTP, which cannot be played on stdin and stdout");
  }
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  try {
    await playTrace(trace, {
      placeholders: directoryPlaceholders(process.cwd(), homedir()),
      suffix: String(process.pid),
      write: (line) => process.stdout.write(line),
      pause: (ms) => wait(Math.min(Math.max(ms, 0), LONGEST_PAUSE_MS)),
      next: async () => (await lines.next()).value,
    });
    return 0;
  } catch (error) {
    if (!(error instanceof UnexpectedInput)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  } finally {
    // An open reader would keep the process alive.
    process.stdin.destroy();
  }
}
