import type { Finish, Tokens } from "../../schemas/index.js";
import type { ResultFrame, Usage } from "./frame.js";

/** `output_tokens` includes the thinking tokens; the wire counts them apart. */
export function tokensOf(usage: Usage): Tokens {
  const reasoning = usage.output_tokens_details?.thinking_tokens ?? 0;
  return {
    input: usage.input_tokens ?? 0,
    output: Math.max(0, (usage.output_tokens ?? 0) - reasoning),
    reasoning,
    cache: { read: usage.cache_read_input_tokens ?? 0, write: cacheWrites(usage) },
  };
}

/** The CLI counts the writes by lifetime where the sum is zero. */
function cacheWrites(usage: Usage): number {
  const { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long } = usage.cache_creation ?? {};
  return usage.cache_creation_input_tokens || (short ?? 0) + (long ?? 0);
}

/**
 * The later report wins field by field: the start has the input, the end has the output. A zero is no report: the CLI
 * itself keeps the earlier count then, and its totals are what ours are held against.
 */
export function mergeUsage(earlier: Usage, later: Usage | null | undefined): Usage {
  const told = Object.entries(later ?? {}).filter(([, value]) => value != null && value !== 0);
  return { ...earlier, ...Object.fromEntries(told) };
}

/** What this turn cost, with its subagents. `total_cost_usd` is cumulative over the session and resumes. */
export function turnCost(result: ResultFrame): number {
  const models = Object.values(result.model_usage_since_last_result ?? {});
  return models.reduce((sum, model) => sum + (model.costUSD ?? 0), 0);
}

export function finishOf(stopReason: string | null | undefined, hasTools: boolean): Finish {
  switch (stopReason) {
    case "tool_use":
      return "tool-calls";
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "refusal":
      return "refusal";
    case "end_turn":
    case "stop_sequence":
    case "pause_turn":
      return "stop";
    default:
      return hasTools ? "tool-calls" : "stop";
  }
}
