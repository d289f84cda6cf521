import { checkLaws } from "../../conformance/laws/index.js";
import { replay } from "../../conformance/replay.js";
import { listTraces, readExpected, readTrace, writeActual } from "../../conformance/trace.js";
import { traceFolders } from "./trace-folders.js";

export async function action(args: readonly string[]): Promise<number> {
  const folders = traceFolders(args).flatMap(listTraces);
  const failed = folders.filter((folder) => !replayOne(folder));
  process.stdout.write(`${folders.length - failed.length} passed, ${failed.length} failed\n`);
  return failed.length === 0 ? 0 : 1;
}

function replayOne(folder: string): boolean {
  const problems = problemsOf(folder);
  for (const problem of problems) process.stderr.write(`${folder}: ${problem}\n`);
  return problems.length === 0;
}

function problemsOf(folder: string): string[] {
  const { run, expected, problems } = replay(readTrace(folder));
  const broken = checkLaws(run).map(({ law, message }) => `law ${law}: ${message}`);
  const golden = readExpected(folder);
  if (golden.wire === expected.wire && golden.final === expected.final) return [...problems, ...broken];
  writeActual(folder, expected);
  return [...problems, ...broken, "law golden: the result differs; see the *.actual files"];
}
