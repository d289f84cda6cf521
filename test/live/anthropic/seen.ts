import { objectsIn, textOf } from "../model-server/content.js";
import type { ScriptedModel, SeenRequest } from "../scenario.js";
import { newestRequest } from "../steps.js";

/** A tool's result as the model got it. */
export interface SeenToolResult {
  readonly id: string;
  readonly isError: boolean;
  readonly text: string;
}

/** The tool results that a request carries, oldest first. */
export function toolResultsIn(request: SeenRequest): SeenToolResult[] {
  return blocksIn(request)
    .filter((block) => block.type === "tool_result")
    .map((block) => ({ id: String(block.tool_use_id), isError: block.is_error === true, text: textOf(block.content) }));
}

/** The tool results in the newest request of a lane. */
export function lastToolResults(model: ScriptedModel, lane = "main"): SeenToolResult[] {
  const last = newestRequest(model, lane);
  return last === undefined ? [] : toolResultsIn(last);
}

/** Everything that users said in a request, with what the CLI wrote into their messages. */
export function userTextIn(request: SeenRequest): string {
  return messagesIn(request)
    .filter((message) => message.role === "user")
    .map((message) => textOf(message.content))
    .join("\n");
}

/** The images that a request carries, in messages and in tool results, as base64. */
export function imagesIn(request: SeenRequest): string[] {
  const blocks = blocksIn(request).flatMap((block) => [block, ...objectsIn(block.content)]);
  return blocks.filter((block) => block.type === "image").map((block) => String((block.source as Json).data));
}

type Json = Readonly<Record<string, unknown>>;

function blocksIn(request: SeenRequest): Json[] {
  return messagesIn(request).flatMap((message) => objectsIn(message.content));
}

function messagesIn(request: SeenRequest): Json[] {
  return objectsIn(request.body.messages);
}
