import type { Tokens } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import { updateNative } from "../shared/session-record.js";
import type { NotificationParams, TokenTotals } from "./frame.js";
import { closeResponse } from "./responses.js";
import type { CodexDraft, Totals } from "./state.js";
import { ensureTurn, isRunning } from "./turn-state.js";

/**
 * Comes once after each model response, with the totals of the thread over its whole life. What a response used is what
 * the totals grew by: `last` is an estimate after a compaction, and a total that comes again is no response.
 */
export function onTokenUsage(draft: CodexDraft, params: NotificationParams<"thread/tokenUsage/updated">): void {
  const { thread } = draft;
  const { total, last, modelContextWindow } = params.tokenUsage;
  if (!hasCounted(thread.usage)) beginCounting(draft, params.tokenUsage);
  const before = thread.usage;
  thread.usage = totalsOf(total);
  updateNative(draft, {
    contextTokens: last.totalTokens,
    ...(modelContextWindow != null && { contextWindow: modelContextWindow }),
  });
  // A resumed or forked thread tells where it stands, in the name of a turn that is over.
  if (!isRunning(draft, params.turnId)) {
    thread.usageBefore = thread.usage;
    return;
  }
  const grown = grownBy(thread.usage, before);
  if (Object.values(grown).every((count) => count === 0)) return;
  ensureTurn(draft);
  closeResponse(draft, tokensOf(grown));
}

function hasCounted(usage: Totals): boolean {
  return Object.values(usage).some((count) => count > 0);
}

/** A fork counts on from its origin, and no line may have told where that stood. */
function beginCounting({ thread }: CodexDraft, { total, last }: { total: TokenTotals; last: TokenTotals }): void {
  if (last.inputTokens === 0) return;
  thread.usage = grownBy(totalsOf(total), totalsOf(last));
  thread.usageBefore = thread.usage;
}

/** What the turn used, by the totals; undefined when they fell, as after an overflow that sets them anew. */
export function turnTokens(draft: CodexDraft): Tokens | undefined {
  const { usage, usageBefore } = draft.thread;
  const fell = (Object.keys(usage) as (keyof Totals)[]).some((key) => usage[key] < usageBefore[key]);
  return fell ? undefined : tokensOf(grownBy(usage, usageBefore));
}

function totalsOf(total: TokenTotals): Totals {
  return {
    input: total.inputTokens,
    cached: total.cachedInputTokens,
    cacheWrite: total.cacheWriteInputTokens ?? 0,
    output: total.outputTokens,
    reasoning: total.reasoningOutputTokens,
  };
}

export function grownBy(a: Totals, b: Totals): Totals {
  const left = (key: keyof Totals) => Math.max(0, a[key] - b[key]);
  return {
    input: left("input"),
    cached: left("cached"),
    cacheWrite: left("cacheWrite"),
    output: left("output"),
    reasoning: left("reasoning"),
  };
}

/** The app-server's input includes what came from the cache, its output includes the reasoning. */
export function tokensOf(totals: Totals): Tokens {
  return {
    input: Math.max(0, totals.input - totals.cached - totals.cacheWrite),
    output: Math.max(0, totals.output - totals.reasoning),
    reasoning: totals.reasoning,
    cache: { read: totals.cached, write: totals.cacheWrite },
  };
}

/**
 * The limits of the account, by their ids. Only what changed is told: a field that is null keeps what it was. Other
 * providers than the vendor's own have no limits, and every field is null.
 */
export function onRateLimits(draft: CodexDraft, params: NotificationParams<"account/rateLimits/updated">): void {
  const { limitId, ...limits } = params.rateLimits;
  const told = Object.fromEntries(Object.entries(limits).filter(([, value]) => value != null));
  if (Object.keys(told).length === 0) return;
  const { native } = draft.transcript.session.metadata ?? {};
  const known = isRecord(native) && isRecord(native.rateLimits) ? native.rateLimits : {};
  const name = typeof limitId === "string" ? limitId : "codex";
  const before = isRecord(known[name]) ? known[name] : {};
  updateNative(draft, { rateLimits: { ...known, [name]: { ...before, ...told } } });
}
