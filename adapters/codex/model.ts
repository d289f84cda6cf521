import type { ModelOfMessage } from "../shared/assistant-message.js";
import type { CodexDraft } from "./state.js";

/** The model that answers: what the app-server said last, else what was asked for. */
export function currentModel(draft: CodexDraft): ModelOfMessage {
  const { model, main } = draft.state;
  const { session } = main.transcript;
  return {
    providerID: model?.provider ?? "openai",
    modelID: model?.id ?? session.model ?? "default",
    agent: session.mode === "plan" ? "plan" : "build",
  };
}
