import type { Mode } from "../../schemas/index.js";
import { setSessionError, updateNative, updateSession } from "../shared/session-record.js";
import { isRecord } from "./api-message.js";
import { sendRequest } from "./control.js";
import type { ControlResponseFrame } from "./frame.js";
import { MODES } from "./modes.js";
import type { ClaudeDraft, PendingChange } from "./state.js";

/** A running CLI is told and may refuse; one that starts later is started with it. */
export function onSetMode(draft: ClaudeDraft, mode: Mode): void {
  const before = draft.transcript.session.mode;
  if (mode === before) return;
  updateSession(draft, { mode });
  if (draft.state.process !== "running") return;
  const requestID = sendRequest(draft, { subtype: "set_permission_mode", mode: MODES[mode].native });
  draft.state.changes[requestID] = { kind: "mode", before };
}

export function onSetModel(draft: ClaudeDraft, model: string): void {
  const before = draft.transcript.session.model ?? null;
  if (model === before) return;
  updateSession(draft, { model });
  if (draft.state.process !== "running") return;
  const requestID = sendRequest(draft, { subtype: "set_model", model });
  draft.state.changes[requestID] = { kind: "model", before };
}

/** The only option is `maxThinkingTokens`; the gateway has checked its name and value. */
export function onSetOption(draft: ClaudeDraft, option: string, value: unknown): void {
  updateNative(draft, { [option]: value });
  if (draft.state.process === "running") sendOptions(draft);
}

/** A new process knows nothing of what was set in an earlier one. */
export function sendOptions(draft: ClaudeDraft): void {
  const native = draft.transcript.session.metadata?.native;
  if (!isRecord(native) || native.maxThinkingTokens === undefined) return;
  sendRequest(draft, { subtype: "set_max_thinking_tokens", max_thinking_tokens: native.maxThinkingTokens });
}

/** Answers to our own requests. The CLI may echo our answers to it in the same form: their ids are not ours. */
export function onControlResponse(draft: ClaudeDraft, { response }: ControlResponseFrame): void {
  const change = draft.state.changes[response.request_id];
  delete draft.state.changes[response.request_id];
  if (change && response.subtype === "error") return takeBack(draft, change, response.error ?? "no reason given");
  if (isRecord(response.response) && Array.isArray(response.response.commands)) onInitialized(draft, response.response);
}

function takeBack(draft: ClaudeDraft, change: PendingChange, reason: string): void {
  if (change.kind === "mode") updateSession(draft, { mode: change.before });
  else updateSession(draft, { model: change.before ?? undefined });
  const message = `Claude Code refused the ${change.kind}: ${reason}`;
  setSessionError(draft, { name: "invalid_request", message, retryable: false });
}

/** What this CLI offers, by name: the descriptions are long and its own. */
function onInitialized(draft: ClaudeDraft, response: Record<string, unknown>): void {
  updateNative(draft, {
    commands: namesIn(response.commands, "name"),
    agents: namesIn(response.agents, "name"),
    models: namesIn(response.models, "value"),
  });
}

function namesIn(value: unknown, field: string): string[] {
  return Array.isArray(value) ? value.filter(isRecord).map((entry) => String(entry[field] ?? "")) : [];
}
