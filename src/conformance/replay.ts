import { isDeepStrictEqual } from "node:util";
import type { Input, Output } from "../../adapters/index.js";
import { finalOf } from "./laws/events.js";
import { eventsOf, executeRun, type Run } from "./run.js";
import { adapterOfTrace, type Expected, jsonLines, type Trace, type TraceLine } from "./trace.js";

export interface Replay {
  readonly run: Run;
  readonly expected: Expected;
  /** Each way in which what the adapter sends is not what the trace expects. */
  readonly problems: readonly string[];
}

/** Plays a trace into its adapter, with no process and no network: every line is consumed, every output expected. */
export function replay(trace: Trace): Replay {
  const adapter = adapterOfTrace(trace);
  const { at } = trace.info.seed;
  const inputs: Input<unknown>[] = [];
  const expectations: Output[][] = [];
  const problems: string[] = [];
  for (const line of trace.native) {
    if (line.kind === "expect") {
      expectations.at(-1)?.push(line.output);
      continue;
    }
    const input = inputOf(line, at, adapter.parse);
    if (!input) {
      problems.push(`the adapter does not know the frame ${adapter.kindOf("frame" in line ? line.frame : line)}`);
      continue;
    }
    inputs.push(input);
    expectations.push([]);
  }
  const run = executeRun(adapter, trace.info.seed, inputs, trace.info.origin);
  return { run, expected: expectedOf(run), problems: [...problems, ...compareOutputs(run, expectations)] };
}

export function expectedOf(run: Run): Expected {
  const events = eventsOf(run);
  return { wire: jsonLines(events), final: `${JSON.stringify(finalOf(events), null, 1)}\n` };
}

type InputLine = Exclude<TraceLine, { kind: "expect" }>;

function inputOf(line: InputLine, start: number, parse: (raw: unknown) => unknown): Input<unknown> | undefined {
  const { t, ...rest } = line;
  const input = { ...rest, at: start + t } as Input<unknown>;
  if (input.kind !== "frame") return input;
  const frame = parse(input.frame);
  return frame === undefined ? undefined : { ...input, frame };
}

function compareOutputs(run: Run, expectations: readonly Output[][]): string[] {
  return run.steps.flatMap(({ input, outputs }, i) => {
    const actual = outputs.filter((output) => output.kind !== "wire");
    const expected = expectations[i] ?? [];
    if (isDeepStrictEqual(JSON.parse(JSON.stringify(actual)), expected)) return [];
    return [`after input ${i} (${input.kind}): expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`];
  });
}
