import { objectsIn, textOf } from "../model-server/content.js";

type Json = Readonly<Record<string, unknown>>;

/** The tool results that a request carries, oldest first. */
export function toolResultsIn(body: Json): string[] {
  return objectsIn(body.messages)
    .filter(({ role }) => role === "tool")
    .map(({ content }) => textOf(content));
}

/** Everything that users said in a request, with what the CLI wrote into their messages. */
export function userTextIn(body: Json): string {
  return objectsIn(body.messages)
    .filter(({ role }) => role === "user")
    .map(({ content }) => textOf(content))
    .join("\n");
}

/** The conversation a request belongs to: `LANE=<name>` in what its user said, `aux` where no tool is offered, else `main`. */
export function laneOf(body: Json): string {
  const marked = /LANE=([A-Za-z0-9_-]+)/.exec(userTextIn(body))?.[1];
  return marked ?? (objectsIn(body.tools).length > 0 ? "main" : "aux");
}

/** The pictures in a request, as data URLs. */
export function imagesIn(body: Json): string[] {
  return objectsIn(body.messages)
    .flatMap(({ content }) => objectsIn(content))
    .flatMap(({ image_url }) => (image_url === undefined ? [] : [String((image_url as Json).url)]));
}
