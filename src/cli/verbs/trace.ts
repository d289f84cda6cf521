import { UsageError } from "../usage-error.js";
import type { Verb } from "../verb.js";

type Action = (args: readonly string[]) => Promise<number>;

const ACTIONS: Readonly<Record<string, () => Promise<{ readonly action: Action }>>> = {
  record: () => import("../trace/record.js"),
  replay: () => import("../trace/replay.js"),
  update: () => import("../trace/update.js"),
  show: () => import("../trace/show.js"),
  play: () => import("../trace/play.js"),
};

export const verb: Verb = {
  summary: "record, replay, update, show or play golden traces",
  usage: `usage: agentwire trace record <agent> <folder> <prompt> [--cwd DIR] [--model M] [--mode M] [--on-ask HOW] [--program AGENT=PATH]
       agentwire trace replay [folder…]
       agentwire trace update [folder…]
       agentwire trace show <folder>
       agentwire trace play <folder>

record  runs one prompt with a real agent and writes what crossed its border, as a golden trace
replay  plays traces (default: golden-traces) into their adapters, with no process and no network, and holds them against
        every law; on a difference the result is written beside the trace as *.actual; exits with 1
update  rewrites wire.jsonl and final.json from native.jsonl
show    prints a trace as a person reads it
play    plays the agent's side on standard input and output, as the agent's program would`,
  run: async ([name = "", ...args]) => {
    const load = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (!load) throw new UsageError(`say what to do: ${Object.keys(ACTIONS).join(", ")}`);
    return (await load()).action(args);
  },
};
