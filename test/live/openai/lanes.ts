import { userTextIn } from "./seen.js";

/**
 * The conversation a request belongs to: `LANE=<name>` in what its user said (a subagent's task holds it), the name of a
 * subagent whose task is no message, `aux` where the answer shall be an object (such as a title), else `main`.
 */
export function laneOf(body: Readonly<Record<string, unknown>>): string {
  // A model of the CLI's own that decides in the user's place.
  if (JSON.stringify(body.client_metadata ?? "").includes("guardian_review")) return "reviewer";
  const marked = /LANE=([A-Za-z0-9_-]+)/.exec(userTextIn({ body }))?.[1];
  const subagent = /"\/root\/(\w+)\\?"/.exec(JSON.stringify(body.client_metadata ?? ""))?.[1];
  return marked ?? subagent ?? (JSON.stringify(body.text ?? "").includes("json_schema") ? "aux" : "main");
}
