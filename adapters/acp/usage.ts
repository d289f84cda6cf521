import type { Tokens } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import { updateNative } from "../shared/session-record.js";
import { at } from "./content.js";
import type { UpdateOf } from "./frame.js";
import { type AcpDraft, isMain } from "./state.js";

/** The places where the answer to a prompt tells what its turn used, the best first. */
const PLACES = ["usage", "_meta.quota.token_count", "_meta.usage"];

/** What the answer to a prompt says was used. */
export function promptTokens(result: unknown): Tokens | undefined {
  for (const place of PLACES) {
    const tokens = usageOf(at(result, place));
    if (tokens) return tokens;
  }
  return undefined;
}

/**
 * Agents count what came from the cache, and what was thought, inside the input and the output or beside them: their total
 * tells which.
 */
export function usageOf(usage: unknown): Tokens | undefined {
  if (!isRecord(usage)) return undefined;
  const input = countOf(usage, "inputTokens", "input_tokens");
  const output = countOf(usage, "outputTokens", "output_tokens");
  if (input === undefined && output === undefined) return undefined;
  const read = countOf(usage, "cachedReadTokens", "cachedInputTokens", "cached_input_tokens") ?? 0;
  const write = countOf(usage, "cachedWriteTokens", "cacheWriteInputTokens") ?? 0;
  const thought = countOf(usage, "thoughtTokens", "reasoningOutputTokens", "thought_tokens") ?? 0;
  const total = countOf(usage, "totalTokens", "total_tokens") ?? (input ?? 0) + (output ?? 0);
  const beyond = total - (input ?? 0) - (output ?? 0);
  const cacheBeside = read + write > 0 && beyond >= read + write;
  const thoughtBeside = thought > 0 && beyond - (cacheBeside ? read + write : 0) >= thought;
  return {
    input: Math.max(0, (input ?? 0) - (cacheBeside ? 0 : read + write)),
    output: Math.max(0, (output ?? 0) - (thoughtBeside ? 0 : thought)),
    reasoning: thought,
    cache: { read, write },
  };
}

function countOf(usage: Record<string, unknown>, ...names: readonly string[]): number | undefined {
  const counts = names.map((name) => usage[name]);
  return counts.find((count): count is number => typeof count === "number" && Number.isInteger(count) && count >= 0);
}

/** How full the context is, and what the session has cost: a sum over all its turns. */
export function onUsage(draft: AcpDraft, { used, size, cost, _meta }: UpdateOf<"usage_update">): void {
  const { state } = draft;
  const model = isRecord(_meta) ? Object.entries(_meta).find(([name]) => name.endsWith("/model"))?.[1] : undefined;
  if (typeof model === "string" && isMain(draft)) state.model = model;
  updateNative(draft, {
    ...(typeof used === "number" && { contextTokens: used }),
    ...(typeof size === "number" && { contextWindow: size }),
  });
  if (!isMain(draft) || typeof cost?.amount !== "number" || cost.currency !== "USD") return;
  // A new process may count anew.
  if (cost.amount < state.cost) state.costBefore = 0;
  state.cost = cost.amount;
  if (!draft.transcript.turn) state.costBefore = state.cost;
}
