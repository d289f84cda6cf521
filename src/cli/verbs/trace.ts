import { type Actions, runAction } from "../run-action.js";
import type { Verb } from "../verb.js";

const ACTIONS: Actions = {
  record: async () => (await import("../trace/record.js")).action,
  replay: async () => (await import("../trace/replay.js")).action,
  update: async () => (await import("../trace/update.js")).action,
  show: async () => (await import("../trace/show.js")).action,
  play: async () => (await import("../trace/play.js")).action,
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
  run: (args) => runAction(ACTIONS, args),
};
