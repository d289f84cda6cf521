import { GATEWAY_USAGE } from "../gateway-options.js";
import { type Actions, runAction } from "../run-action.js";
import type { Verb } from "../verb.js";

const ACTIONS: Actions = {
  allow: async () => (await import("../permit/reply.js")).allow,
  deny: async () => (await import("../permit/reply.js")).deny,
  answer: async () => (await import("../permit/reply.js")).answer,
};

export const verb: Verb = {
  summary: "list what agents ask for, and allow, deny or answer it",
  usage: `usage: agentwire permit [--json] [gateway]
       agentwire permit allow <block> [--always | --option ID] [--json] [gateway]
       agentwire permit deny <block> [--message TEXT] [--json] [gateway]
       agentwire permit answer <block> <answer>… [--json] [gateway]

Without an action it lists what waits in the sessions of a gateway that runs. What waits is named by the id of its block, by the
beginning or the end of it, or by its session when nothing else waits there. The first decision wins: a later one exits
with 6 and tells who decided.

allow   lets the tool run once
deny    has it fail; a question is left unanswered
answer  answers each question, in order: the number or the label of an option (several with commas), or free text

  --always             allow what it offers from now on, too
  --option ID          decide by one of the agent's own options
  --message TEXT       why not, for the agent
  --json               list: each thing that waits, as block.list has it, one a line; else: {"block"} as it was decided

[gateway]
${GATEWAY_USAGE}`,
  run: (args) => runAction(ACTIONS, args, async () => (await import("../permit/list.js")).action),
};
