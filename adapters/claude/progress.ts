import { annotateTool } from "../shared/tool-call.js";
import type { ToolProgressFrame } from "./frame.js";
import { type ClaudeDraft, inThreadOfCall } from "./state.js";

/** A sign of life has an id of its own, made from that of the call. */
const HEARTBEAT = /-heartbeat-\d+$/;

/** A tool that runs for long says so every half minute, in whatever thread it runs. */
export function onToolProgress(step: ClaudeDraft, frame: ToolProgressFrame): void {
  const callID = frame.tool_use_id.replace(HEARTBEAT, "");
  const draft = inThreadOfCall(step, callID);
  if (draft) annotateTool(draft, callID, { elapsedMs: Math.round(frame.elapsed_time_seconds * 1000) });
}
