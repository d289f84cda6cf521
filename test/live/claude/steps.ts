import { type SeenToolResult, toolResultsIn } from "../anthropic/seen.js";
import type { ScriptedModel } from "../scenario.js";
import { newestRequest } from "../steps.js";

export * from "../steps.js";

/** The tool results in the newest request of a lane. */
export function lastToolResults(model: ScriptedModel, lane = "main"): SeenToolResult[] {
  const last = newestRequest(model, lane);
  return last === undefined ? [] : toolResultsIn(last);
}
