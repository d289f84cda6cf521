import type { Mode, Session } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import { setSessionError, updateNative, updateSession } from "../shared/session-record.js";
import { sendRequest } from "./control.js";
import type { ControlResponseFrame } from "./frame.js";
import { MODES } from "./modes.js";
import type { ClaudeDraft, OptionChange, SettingChange } from "./state.js";
import { someSubagentWorks } from "./subagents.js";

/** One that starts later is started with it; a running CLI is told, and it is in force when the CLI confirms it. */
export function onSetMode(draft: ClaudeDraft, mode: Mode): void {
  if (draft.state.process !== "running") return updateSession(draft, { mode });
  if (takesToolsAway(mode) !== draft.state.lacksTools) return restartIn(draft, mode);
  ask(draft, { kind: "mode", value: mode }, { subtype: "set_permission_mode", mode: MODES[mode].native });
}

/** Whether a process of this mode is started without some tools: that cannot be changed while it runs. */
export function takesToolsAway(mode: Mode): boolean {
  return mode === "read-only";
}

/** The next prompt starts a process in the new mode. Nothing that still works may end for it. */
function restartIn(draft: ClaudeDraft, mode: Mode): void {
  if (draft.transcript.turn !== null || someSubagentWorks(draft)) {
    const message = `the mode "${mode}" needs another process of Claude Code: set it when the session is idle`;
    return setSessionError(draft, { name: "invalid_request", message, retryable: true });
  }
  updateSession(draft, { mode });
  draft.outputs.push({ kind: "stop", how: "end" });
  draft.state.process = "ending";
}

export function onSetModel(draft: ClaudeDraft, model: string): void {
  if (draft.state.process !== "running") return updateSession(draft, { model });
  ask(draft, { kind: "model", value: model }, { subtype: "set_model", model });
}

function ask(draft: ClaudeDraft, change: SettingChange, request: { subtype: string } & Record<string, unknown>): void {
  updateSession(draft, { pending: { ...draft.transcript.session.pending, [change.kind]: change.value } });
  draft.state.changes[sendRequest(draft, request)] = change;
}

const OPTION = "maxThinkingTokens";

/** There is one option; the gateway has checked its name and value. It is shown when it is in force. */
export function onSetOption(draft: ClaudeDraft, option: string, value: unknown): void {
  if (draft.state.process !== "running") return updateNative(draft, { [option]: value });
  sendOption(draft, value, false);
}

/** A new process knows nothing of what was set in an earlier one. */
export function sendOptions(draft: ClaudeDraft): void {
  const native = draft.transcript.session.metadata?.native;
  if (isRecord(native) && native[OPTION] !== undefined) sendOption(draft, native[OPTION], true);
}

function sendOption(draft: ClaudeDraft, value: unknown, initial: boolean): void {
  const request = { subtype: "set_max_thinking_tokens", max_thinking_tokens: value };
  draft.state.changes[sendRequest(draft, request)] = { kind: "option", option: OPTION, value, initial };
}

/** Answers to our own requests. The CLI may echo our answers to it in the same form: their ids are not ours. */
export function onControlResponse(draft: ClaudeDraft, { response }: ControlResponseFrame): void {
  const change = draft.state.changes[response.request_id];
  delete draft.state.changes[response.request_id];
  if (change?.kind === "option") settleOption(draft, change, response);
  else if (change) settle(draft, change, response);
  if (isRecord(response.response) && Array.isArray(response.response.commands)) onInitialized(draft, response.response);
}

type Answer = ControlResponseFrame["response"];

function settle(draft: ClaudeDraft, change: SettingChange, answer: Answer): void {
  const pending = stillPending(draft, change.kind);
  if (answer.subtype !== "error") return updateSession(draft, { pending, [change.kind]: change.value });
  updateSession(draft, { pending });
  tellRefusal(draft, `${change.kind} "${change.value}"`, answer);
}

/** A refusal leaves what was in force: of a process that was to start with the option, nothing. */
function settleOption(draft: ClaudeDraft, { option, value, initial }: OptionChange, answer: Answer): void {
  if (answer.subtype !== "error") return updateNative(draft, { [option]: value });
  if (initial) forgetNative(draft, option);
  tellRefusal(draft, `${option} ${JSON.stringify(value)}`, answer);
}

function tellRefusal(draft: ClaudeDraft, what: string, { error }: Answer): void {
  const message = `Claude Code refused the ${what}: ${error ?? "no reason given"}`;
  setSessionError(draft, { name: "invalid_request", message, retryable: false });
}

function forgetNative(draft: ClaudeDraft, field: string): void {
  const { metadata } = draft.transcript.session;
  const native = isRecord(metadata?.native) ? metadata.native : {};
  const { [field]: _, ...kept } = native;
  updateSession(draft, { metadata: { ...metadata, native: kept } });
}

/** What still waits for an answer: a later change of the same kind does. */
function stillPending(draft: ClaudeDraft, kind: SettingChange["kind"]): Session["pending"] {
  const { pending } = draft.transcript.session;
  if (Object.values(draft.state.changes).some((change) => change.kind === kind)) return pending;
  const { [kind]: _, ...waiting } = pending ?? {};
  return Object.keys(waiting).length > 0 ? waiting : undefined;
}

/** What waited for a process that is gone takes effect with the next one. */
export function applyWaiting(draft: ClaudeDraft): void {
  const { pending } = draft.transcript.session;
  for (const change of Object.values(draft.state.changes))
    if (change.kind === "option") updateNative(draft, { [change.option]: change.value });
  draft.state.changes = {};
  if (pending) updateSession(draft, { ...pending, pending: undefined });
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
