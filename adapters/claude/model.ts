import type { ModelOfMessage } from "../shared/assistant-message.js";
import type { PromptTarget } from "../shared/prompts.js";
import type { ClaudeDraft } from "./state.js";

const PROVIDER = "anthropic";

/** The model that answers: what the CLI said last, else what was asked for. */
export function currentModel(draft: ClaudeDraft): ModelOfMessage {
  const { session } = draft.transcript;
  const native = session.metadata?.native as { model?: unknown } | undefined;
  const modelID = typeof native?.model === "string" ? native.model : (session.model ?? "default");
  return { providerID: PROVIDER, modelID, agent: agentOf(draft) };
}

export function modelNamed(draft: ClaudeDraft, modelID: string): ModelOfMessage {
  return { providerID: PROVIDER, modelID, agent: agentOf(draft) };
}

export function promptTarget(draft: ClaudeDraft): PromptTarget {
  return currentModel(draft);
}

function agentOf(draft: ClaudeDraft): string {
  return draft.transcript.session.mode === "plan" ? "plan" : "build";
}
