import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Input, Output, SessionSeed } from "../../adapters/index.js";
import { ADAPTERS, type AnyAdapter } from "../../adapters/index.js";
import { GatewayError } from "../gateway-error.js";
import type { Origin } from "./run.js";

/** What a trace is of: the first file of its folder. */
export const TraceInfo = z.strictObject({
  format: z.literal(1),
  adapter: z.string(),
  name: z.string(),
  title: z.string(),
  /** The promises the trace proves, by their ids in the list of requirements. */
  requirements: z.array(z.string()),
  /** The version of the CLI it was recorded from. */
  agentVersion: z.string(),
  /** What the session was forked from. */
  origin: z.looseObject({ state: z.unknown(), history: z.array(z.unknown()) }).optional(),
  seed: z.looseObject({ at: z.number(), sessionID: z.string(), idSeed: z.string(), directory: z.string() }),
});
export type TraceInfo = Omit<z.infer<typeof TraceInfo>, "seed" | "origin"> & {
  readonly seed: SessionSeed;
  readonly origin?: Origin;
};

/** One line of `native.jsonl`, `t` milliseconds after the session was made: what came in, or what must go out then. */
const TraceLineSchema = z.looseObject({
  t: z.number(),
  kind: z.enum(["command", "frame", "fault", "exit", "wake", "file", "expect"]),
});

export type TraceLine =
  | ({ readonly t: number } & WithoutTime<Input<unknown>>)
  | { readonly t: number; readonly kind: "expect"; readonly output: Output };
type WithoutTime<T> = T extends unknown ? Omit<T, "at"> : never;

/** A golden trace: what happened at the border of an agent's process, and what the adapter makes of it. */
export interface Trace {
  readonly info: TraceInfo;
  readonly native: readonly TraceLine[];
}

const FILES = { info: "trace.json", native: "native.jsonl", wire: "wire.jsonl", final: "final.json" } as const;
const ACTUAL = ".actual";

export function readTrace(folder: string): Trace {
  const info = TraceInfo.safeParse(parse(join(folder, FILES.info), readText(join(folder, FILES.info))));
  if (!info.success) throw broken(join(folder, FILES.info), z.prettifyError(info.error));
  const path = join(folder, FILES.native);
  const native = readText(path)
    .split("\n")
    .filter((line) => line !== "")
    .map((line, i) => readLine(`${path}:${i + 1}`, line));
  return { info: info.data as unknown as TraceInfo, native };
}

function readLine(place: string, text: string): TraceLine {
  const line = TraceLineSchema.safeParse(parse(place, text));
  if (!line.success) throw broken(place, z.prettifyError(line.error));
  return line.data as unknown as TraceLine;
}

export function writeTrace(folder: string, trace: Trace): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, FILES.info), `${JSON.stringify(trace.info, null, 2)}\n`);
  writeFileSync(join(folder, FILES.native), jsonLines(trace.native));
}

/** The two files that follow from the others: the wire events, and the state they end in. */
export interface Expected {
  readonly wire: string;
  readonly final: string;
}

export function readExpected(folder: string): Expected {
  return { wire: readText(join(folder, FILES.wire)), final: readText(join(folder, FILES.final)) };
}

export function writeExpected(folder: string, expected: Expected): void {
  for (const what of ["wire", "final"] as const) {
    writeFileSync(join(folder, FILES[what]), expected[what]);
    rmSync(join(folder, FILES[what] + ACTUAL), { force: true });
  }
}

/** Puts a result beside the golden one, for a person to compare; the next `writeExpected` takes it away. */
export function writeActual(folder: string, actual: Expected): void {
  for (const what of ["wire", "final"] as const) writeFileSync(join(folder, FILES[what] + ACTUAL), actual[what]);
}

export function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** Every trace folder below `root`, sorted: `<root>/<adapter>/<case>`. */
export function listTraces(root: string): string[] {
  if (!existsSync(root)) throw new GatewayError("not_found", `there is no folder ${root}`);
  if (existsSync(join(root, FILES.info))) return [root];
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .map((entry) => join(root, entry.name))
    .sort()
    .flatMap(listTraces);
}

export function adapterOfTrace(trace: Trace): AnyAdapter {
  const adapter = ADAPTERS[trace.info.adapter];
  if (adapter) return adapter;
  throw new GatewayError("not_found", `the trace ${trace.info.name} is of an unknown adapter "${trace.info.adapter}"`);
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw broken(path, error instanceof Error ? error.message : String(error));
  }
}

function parse(place: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw broken(place, "it is not JSON");
  }
}

function broken(place: string, why: string): GatewayError {
  return new GatewayError("invalid_params", `${place} cannot be read as part of a trace: ${why}`);
}
