import type { ModelOfMessage } from "../shared/assistant-message.js";
import { beginOwnTurn, type PromptTarget } from "../shared/prompts.js";
import type { Draft } from "../shared/transcript.js";

const PROVIDER = "anthropic";

/** The model that answers: what the CLI said last, else what was asked for. */
export function currentModel(draft: Draft): ModelOfMessage {
  const { session } = draft.transcript;
  const native = session.metadata?.native as { model?: unknown } | undefined;
  const modelID = typeof native?.model === "string" ? native.model : (session.model ?? "default");
  return { providerID: PROVIDER, modelID, agent: agentOf(draft) };
}

export function modelNamed(draft: Draft, modelID: string): ModelOfMessage {
  return { providerID: PROVIDER, modelID, agent: agentOf(draft) };
}

export function promptTarget(draft: Draft): PromptTarget {
  return currentModel(draft);
}

function agentOf(draft: Draft): string {
  return draft.transcript.session.mode === "plan" ? "plan" : "build";
}

/** Something of a turn came while none runs: the agent began one by itself. */
export function ensureTurn(draft: Draft): void {
  if (!draft.transcript.turn) beginOwnTurn(draft, promptTarget(draft), "agent");
}
