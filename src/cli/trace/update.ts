import { replay } from "../../conformance/replay.js";
import { listTraces, readTrace, writeExpected } from "../../conformance/trace.js";
import { traceFolders } from "./trace-folders.js";

/** Only what follows from the recording is written: a change of what is sent to the agent needs a new recording. */
export async function action(args: readonly string[]): Promise<number> {
  let failed = 0;
  for (const folder of traceFolders(args).flatMap(listTraces)) {
    const { expected, problems } = replay(readTrace(folder));
    if (problems.length === 0) writeExpected(folder, expected);
    else failed += 1;
    for (const problem of problems) process.stderr.write(`${folder}: ${problem}; record it again\n`);
  }
  return failed === 0 ? 0 : 1;
}
