import { updateNative } from "../shared/session-record.js";
import type { NotificationParams } from "./frame.js";
import type { CodexDraft } from "./state.js";

/** What is in force, in the app-server's words: a mode of the wire may be more than it gives. */
export function policyOf(approval: unknown, sandbox: { type: string } | null | undefined): Record<string, unknown> {
  return {
    ...(approval != null && { approvalPolicy: approval }),
    ...(sandbox != null && { sandbox: sandbox.type }),
  };
}

export function onSettings(draft: CodexDraft, params: NotificationParams<"thread/settings/updated">): void {
  const { model, modelProvider, approvalPolicy, sandboxPolicy } = params.threadSettings;
  if (model && modelProvider) draft.state.model = { provider: modelProvider, id: model };
  updateNative(draft, {
    ...(model && { model }),
    ...(modelProvider && { provider: modelProvider }),
    ...policyOf(approvalPolicy, sandboxPolicy),
  });
}
