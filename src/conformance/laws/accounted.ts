import { isDeepStrictEqual } from "node:util";
import { type AssistantMessage, addTokens, type MessageWithParts, NO_TOKENS, Tokens } from "../../../schemas/index.js";
import { eventsOf } from "../run.js";
import { finalOf } from "./events.js";
import type { Law } from "./law.js";

/** A message has the tokens and cost of its steps; a turn's messages add up to what the agent says of the turn. */
export const accounted: Law = {
  name: "accounted",
  check: (run) =>
    finalOf(eventsOf(run)).sessions.flatMap(({ messages }) => [...checkSteps(messages), ...checkTurns(messages)]),
};

function checkSteps(messages: readonly MessageWithParts[]): string[] {
  return messages.flatMap(({ info, parts }) => {
    if (info.role !== "assistant") return [];
    const steps = parts.filter((part) => part.type === "step-finish");
    const tokens = steps.reduce((sum, step) => addTokens(sum, step.tokens), NO_TOKENS);
    const cost = steps.reduce((sum, step) => sum + step.cost, 0);
    const problems = isDeepStrictEqual(tokens, info.tokens)
      ? []
      : [`message ${info.id} has other tokens than its steps`];
    return Math.abs(cost - info.cost) < 1e-9
      ? problems
      : [...problems, `message ${info.id} has another cost than its steps`];
  });
}

/** The agent's own totals stand in `metadata.turn` of the turn's last message, where they can be trusted. */
function checkTurns(messages: readonly MessageWithParts[]): string[] {
  const problems: string[] = [];
  let turn: AssistantMessage[] = [];
  for (const { info } of messages) {
    // A summary answers the compaction, in the middle of a turn.
    if (info.role !== "assistant" || info.summary) continue;
    // A turn that was killed has no totals; the next prompt's turn begins anew.
    if (turn[0]?.parentID !== info.parentID) turn = [];
    turn.push(info);
    const totals = info.metadata?.turn as { tokens?: unknown } | undefined;
    if (totals === undefined) continue;
    const claimed = Tokens.safeParse(totals.tokens);
    const sum = turn.reduce((tokens, message) => addTokens(tokens, message.tokens), NO_TOKENS);
    if (claimed.success && !isDeepStrictEqual(claimed.data, sum)) {
      problems.push(
        `the turn that ends with ${info.id} counts ${JSON.stringify(sum)}, the agent says ${JSON.stringify(claimed.data)}`,
      );
    }
    turn = [];
  }
  return problems;
}
