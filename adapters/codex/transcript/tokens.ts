import { camelCase } from "../camel-case.js";
import { onRateLimits, onTokenUsage } from "../usage.js";
import type { EventOf, RolloutTotals } from "./line.js";
import type { ReaderDraft } from "./state.js";

/** The same count as on the stream, under other names. One without numbers tells only of limits. */
export function onTokenCount(draft: ReaderDraft, { info, rate_limits: limits }: EventOf<"token_count">): void {
  if (limits) onRateLimits(draft, { rateLimits: renamed(limits) });
  if (!info) return;
  const total = countsOf(info.total_token_usage);
  const last = countsOf(info.last_token_usage);
  const tokenUsage = { total, last, modelContextWindow: info.model_context_window };
  onTokenUsage(draft, { threadId: "", turnId: draft.thread.turnID ?? "", tokenUsage });
}

function countsOf(totals: RolloutTotals) {
  return {
    totalTokens: totals.total_tokens,
    inputTokens: totals.input_tokens,
    cachedInputTokens: totals.cached_input_tokens,
    cacheWriteInputTokens: totals.cache_write_input_tokens,
    outputTokens: totals.output_tokens,
    reasoningOutputTokens: totals.reasoning_output_tokens,
  };
}

function renamed(limits: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(limits).map(([name, value]) => [camelCase(name), value]));
}
