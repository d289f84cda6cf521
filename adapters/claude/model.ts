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

const AGENT = "agent";
const FORM = "form";

/** Something of a turn came while none runs: the agent began one by itself, maybe while a form waits. */
export function ensureTurn(draft: Draft): void {
  const { turn } = draft.transcript;
  if (!turn) beginOwnTurn(draft, promptTarget(draft), AGENT);
  else if (turn.origin === FORM) turn.origin = AGENT;
}

/** A form that comes while no turn runs is one of its own: the agent knows nothing of it, and no result will end it. */
export function ensureFormTurn(draft: Draft): void {
  if (!draft.transcript.turn) beginOwnTurn(draft, promptTarget(draft), FORM);
}

export function isFormTurn({ transcript }: Draft): boolean {
  return transcript.turn?.origin === FORM;
}
