import type { ModelOfMessage } from "../shared/assistant-message.js";
import type { AcpDraft } from "./state.js";

/** The model that answers: what the agent said last, else what was asked for. */
export function currentModel({ state, profile }: AcpDraft): ModelOfMessage {
  const { session } = state.main.transcript;
  return {
    providerID: profile.id,
    modelID: state.model ?? session.model ?? "default",
    agent: session.mode === "plan" ? "plan" : "build",
  };
}
