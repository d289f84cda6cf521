import { GATEWAY_USAGE } from "../gateway-options.js";
import { type Actions, runAction } from "../run-action.js";
import type { Verb } from "../verb.js";

const ACTIONS: Actions = {
  show: async () => (await import("../sessions/show.js")).action,
  abort: async () => (await import("../sessions/change.js")).abort,
  archive: async () => (await import("../sessions/change.js")).archive,
  delete: async () => (await import("../sessions/change.js")).remove,
};

export const verb: Verb = {
  summary: "list the sessions of a gateway that runs; show, abort, archive or delete one",
  usage: `usage: agentwire sessions [--agent AGENT] [--directory DIR] [--archived] [--limit N] [--json] [gateway]
       agentwire sessions show <session> [--json] [gateway]
       agentwire sessions abort|archive|delete <session> [gateway]

Lists root sessions, the newest first, with what they do and how many of their tools wait. A session is named by its id, by the
beginning or the end of it, or as \`last\`: the newest one at work, or the newest of all.

show     its agent, mode, model, status, queue, tokens and cost, todos, subagents and what waits
abort    ends its turn and drops the prompts that wait
archive  takes it out of lists, until the next prompt
delete   ends its agent and deletes it with its subagents and messages

  --agent AGENT        only sessions of this agent
  --directory DIR      only those in this directory
  --archived           the archived ones, too
  --limit N            at most so many, default 50
  --json               one JSON object a line: {"session", "blocks"}

[gateway]
${GATEWAY_USAGE}`,
  run: (args) => runAction(ACTIONS, args, async () => (await import("../sessions/list.js")).action),
};
