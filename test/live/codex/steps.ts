import { type SeenToolResult, toolResultsIn } from "../openai/seen.js";
import type { ScriptedModel } from "../scenario.js";

export {
  ask,
  childrenOf,
  decideNext,
  fileAppears,
  lastRequest,
  mainRequests,
  onlyChildOf,
  putFile,
  sessionOf,
  showsText,
  textsOf,
  todosOf,
  toolStatesOf,
  toolsOf,
} from "../claude/steps.js";

/** The tool results in the newest request of a lane. */
export function lastToolResults(model: ScriptedModel, lane = "main"): SeenToolResult[] {
  const last = model.requests.findLast((request) => request.lane === lane);
  return last === undefined ? [] : toolResultsIn(last);
}
