import { objectsIn, textOf } from "../model-server/content.js";
import type { ScriptedModel } from "../scenario.js";
import { newestRequest } from "../steps.js";

/** What a request holds, as far as scenarios look at it. */
interface Seen {
  readonly body: Readonly<Record<string, unknown>>;
}

type Json = Readonly<Record<string, unknown>>;

/** A tool's result as the model got it. */
export interface SeenToolResult {
  readonly id: string;
  readonly text: string;
}

/** The tool results that a request carries, oldest first. */
export function toolResultsIn(request: Seen): SeenToolResult[] {
  return inputOf(request)
    .filter((item) => item.type === "function_call_output" || item.type === "custom_tool_call_output")
    .map((item) => ({ id: String(item.call_id), text: textOf(item.output) }));
}

/** The tool results in the newest request of a lane. */
export function lastToolResults(model: ScriptedModel, lane = "main"): SeenToolResult[] {
  const last = newestRequest(model, lane);
  return last === undefined ? [] : toolResultsIn(last);
}

/** Everything that users said in a request, with what the CLI wrote into their messages. */
export function userTextIn(request: Seen): string {
  return inputOf(request)
    .filter((item) => item.role === "user")
    .map((item) => textOf(item.content))
    .join("\n");
}

/** The pictures in a request, as data URLs. */
export function imagesIn(request: Seen): string[] {
  return inputOf(request)
    .flatMap((item) => [...objectsIn(item.content), ...objectsIn(item.output)])
    .flatMap((part) => (part.type === "input_image" ? [String(part.image_url)] : []));
}

function inputOf(request: Seen): Json[] {
  return objectsIn(request.body.input);
}
