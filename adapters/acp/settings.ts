import type { Mode, Session } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import { setSessionError, updateNative, updateSession } from "../shared/session-record.js";
import { at } from "./content.js";
import type { RpcError } from "./frame.js";
import { nativeMode, wireMode } from "./modes.js";
import { sendRequest } from "./rpc.js";
import type { AcpDraft, Change, ConfigOption } from "./state.js";

/** What an agent offers with its session: modes and models the older way, and options, which may hold both. */
export function takeOffer(draft: AcpDraft, result: unknown): void {
  if (!isRecord(result)) return;
  const { state } = draft;
  if (isRecord(result.models)) {
    state.models = namesIn(result.models.availableModels, "modelId");
    if (typeof result.models.currentModelId === "string") toNativeModel(draft, result.models.currentModelId);
  }
  if (isRecord(result.modes)) {
    state.modes = namesIn(result.modes.availableModes, "id");
    if (typeof result.modes.currentModeId === "string") toNativeMode(draft, result.modes.currentModeId);
  }
  if (Array.isArray(result.configOptions)) takeConfig(draft, result.configOptions);
}

/** Options hang together: the list always comes whole, and one that is not in it is gone. */
export function takeConfig(draft: AcpDraft, list: readonly unknown[]): void {
  const config = list.filter(isRecord).flatMap(optionOf);
  draft.state.config = config;
  const values = Object.fromEntries(config.map(({ id, value }) => [id, value]));
  updateNative(draft, { options: values });
  const ofCategory = (category: string) => config.find((option) => option.category === category)?.value;
  const model = ofCategory("model");
  const mode = ofCategory("mode");
  if (typeof model === "string") toNativeModel(draft, model);
  if (typeof mode === "string") toNativeMode(draft, mode);
}

function optionOf({ id, category, type, currentValue, options }: Record<string, unknown>): ConfigOption[] {
  if (typeof id !== "string") return [];
  const isBoolean = type === "boolean" || typeof currentValue === "boolean";
  return [
    {
      id,
      category: typeof category === "string" ? category : "",
      type: isBoolean ? "boolean" : "select",
      value: isBoolean ? currentValue === true : String(currentValue ?? ""),
      values: valuesIn(options),
    },
  ];
}

/** Values may stand in groups. */
function valuesIn(options: unknown): string[] {
  const entries = Array.isArray(options) ? options.filter(isRecord) : [];
  return entries.flatMap(({ value, options: group }) => (value === undefined ? valuesIn(group) : [String(value)]));
}

function namesIn(list: unknown, field: string): string[] {
  return Array.isArray(list) ? list.filter(isRecord).map((entry) => String(entry[field] ?? "")) : [];
}

/** The agent is in this mode now: the session's mode follows, where it is one of the wire's. */
export function toNativeMode(draft: AcpDraft, native: string): void {
  draft.state.mode = native;
  updateNative(draft, { mode: native });
  const { session } = draft.state.main.transcript;
  const mode = wireMode(draft.profile, native, session.mode);
  // Before the session's own mode was asked for, the agent's is only where it starts.
  if (mode !== undefined && draft.state.session === "open") updateSession(draft, { mode });
}

function toNativeModel(draft: AcpDraft, model: string): void {
  draft.state.model = model;
  updateNative(draft, { model });
}

export function onSetMode(draft: AcpDraft, mode: Mode): void {
  const native = nativeMode(draft.profile, mode);
  if (!isOpen(draft) || native === undefined) return updateSession(draft, { mode });
  change(draft, { kind: "mode", value: mode }, { mode });
}

export function onSetModel(draft: AcpDraft, model: string): void {
  if (!isOpen(draft)) return updateSession(draft, { model });
  change(draft, { kind: "model", value: model }, { model });
}

/** An option is named by the agent's id of it, or by its category. It is kept for the next process too. */
export function onSetOption(draft: AcpDraft, option: string, value: unknown): void {
  if (isOpen(draft)) return change(draft, { kind: "option", option, value }, {});
  draft.state.chosen[option] = value;
}

function isOpen({ state }: AcpDraft): boolean {
  return state.process === "running" && state.session === "open";
}

function change(draft: AcpDraft, wanted: Change, pending: NonNullable<Session["pending"]>): void {
  const { session } = draft.transcript;
  if (!request(draft, wanted, false)) {
    refused(draft, wanted, "it offers no such thing");
    return;
  }
  if (Object.keys(pending).length > 0) updateSession(draft, { pending: { ...session.pending, ...pending } });
}

/** What the session wants and the agent has not: asked for before a prompt. Returns why one thing cannot be had. */
export function askForSettings(draft: AcpDraft): string | undefined {
  const { session } = draft.state.main.transcript;
  const { state, profile } = draft;
  // An agent without modes is in its only one.
  const isOnly = session.mode === "default" && state.mode === null;
  const mode = isOnly ? undefined : nativeMode(profile, session.mode);
  const wanted: Change[] = [
    ...(session.model !== undefined && session.model !== state.model
      ? [{ kind: "model" as const, value: session.model }]
      : []),
    ...(mode !== undefined && mode !== state.mode ? [{ kind: "mode" as const, value: session.mode }] : []),
    ...Object.entries(state.chosen).map(([option, value]) => ({ kind: "option" as const, option, value })),
  ];
  const missing = wanted.find((setting) => !request(draft, setting, true));
  return missing && refused(draft, missing, "it offers no such thing");
}

/** Asks for one change; false where the agent offers no way. */
function request(draft: AcpDraft, wanted: Change, opening: boolean): boolean {
  const asked = requestFor(draft, wanted);
  if (!asked) return false;
  const sessionId = draft.state.main.nativeID;
  sendRequest(draft, asked.method, { sessionId, ...asked.params }, { kind: "change", change: wanted, opening });
  return true;
}

interface Asked {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** Options are the newer way; an agent may have both. */
function requestFor({ state, profile }: AcpDraft, wanted: Change): Asked | undefined {
  const find = (name: string) =>
    state.config.find(({ id }) => id === name) ?? state.config.find(({ category }) => category === name);
  switch (wanted.kind) {
    case "mode": {
      const modeId = nativeMode(profile, wanted.value as Mode) ?? "";
      const option = find("mode");
      if (option) return setOption(option, modeId);
      return state.modes.length > 0 ? { method: "session/set_mode", params: { modeId } } : undefined;
    }
    case "model": {
      const option = find("model");
      if (option) return setOption(option, wanted.value);
      return state.models.length > 0 ? { method: "session/set_model", params: { modelId: wanted.value } } : undefined;
    }
    case "option": {
      const option = find(wanted.option);
      if (option) return setOption(option, wanted.value);
      return wanted.option === "mode" && state.modes.length > 0
        ? { method: "session/set_mode", params: { modeId: String(wanted.value) } }
        : undefined;
    }
  }
}

function setOption({ id, type }: ConfigOption, value: unknown): Asked {
  const params = type === "boolean" ? { type, value: value === true || value === "true" } : { value: String(value) };
  return { method: "session/set_config_option", params: { configId: id, ...params } };
}

/** The agent's answer to a change. Returns why it was refused. */
export function onChanged(
  draft: AcpDraft,
  wanted: Change,
  answer: { result?: unknown; error?: RpcError | undefined },
): string | undefined {
  const pending = stillPending(draft, wanted.kind);
  updateSession(draft, { pending });
  if (answer.error) {
    const why = at(answer.error.data, "details") ?? answer.error.message;
    return refused(draft, wanted, String(why));
  }
  if (wanted.kind === "option") draft.state.chosen[wanted.option] = wanted.value;
  else updateSession(draft, { [wanted.kind]: wanted.value });
  if (wanted.kind === "mode") draft.state.mode = nativeMode(draft.profile, wanted.value as Mode) ?? draft.state.mode;
  if (wanted.kind === "model") toNativeModel(draft, wanted.value);
  takeOffer(draft, answer.result);
  return undefined;
}

function refused(draft: AcpDraft, wanted: Change, why: string): string {
  const name = wanted.kind === "option" ? wanted.option : wanted.kind;
  if (wanted.kind === "option") delete draft.state.chosen[wanted.option];
  const message = `${draft.profile.name} refused the ${name} "${String(wanted.value)}": ${why}`;
  setSessionError(draft, { name: "invalid_request", message, retryable: false });
  return message;
}

/** What still waits for an answer: a later change of the same kind does. */
function stillPending({ state, transcript }: AcpDraft, kind: Change["kind"]): Session["pending"] {
  const { pending } = transcript.session;
  const waits = Object.values(state.pending).some((open) => open.kind === "change" && open.change.kind === kind);
  if (kind === "option" || waits) return pending;
  const { [kind]: _, ...waiting } = pending ?? {};
  return Object.keys(waiting).length > 0 ? waiting : undefined;
}

/** What waited for a process that is gone takes effect with the next one. */
export function applyWaiting(draft: AcpDraft): void {
  const { pending } = draft.state.main.transcript.session;
  if (pending) updateSession(draft, { ...pending, pending: undefined });
}

/** The names of the commands a prompt may begin with. */
export function takeCommands(draft: AcpDraft, list: unknown): void {
  updateNative(draft, { commands: namesIn(list, "name") });
}
