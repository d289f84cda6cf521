import type { Input, Output, SessionSeed, Step } from "../../contract.js";
import { cloneJson } from "../../shared/clone-json.js";
import { ABORTED, failOpenTools, NO_RESULT } from "../../shared/end-turn.js";
import { setStatus, updateNative, updateSession } from "../../shared/session-record.js";
import { setState } from "../../shared/tool-call.js";
import { camelCase } from "../camel-case.js";
import { outcomeOf } from "../errors.js";
import type { ThreadItem, TurnError } from "../frame.js";
import { onItemCompleted, onItemStarted } from "../items.js";
import { abandonResponse } from "../responses.js";
import { policyOf } from "../settings.js";
import { openCall } from "../tool-parts.js";
import { viewTool } from "../tools.js";
import { init as initAdapter } from "../translate.js";
import { finishTurn } from "../turn-end.js";
import { joinTurn } from "../turn-state.js";
import type { RolloutFrame } from "./arrange.js";
import { onCall, onImage, onOutput, openUntold } from "./calls.js";
import { changesIn, itemOf } from "./item.js";
import type { EventOf, LineOf, RolloutLine } from "./line.js";
import { atLine, closing, inSide, newSide, type ReaderDraft, type ReaderState } from "./state.js";
import { allThreads, enter, openNamed } from "./threads.js";
import { onTokenCount } from "./tokens.js";

export function init(seed: SessionSeed): Step<ReaderState> {
  const { state: codex, outputs } = initAdapter(seed);
  const native = seed.metadata?.native as { sessionID?: unknown } | undefined;
  codex.nativeID = String(native?.sessionID ?? "");
  return { state: { codex, sides: { "": newSide(seed.idSeed) } }, outputs };
}

export function step(before: ReaderState, input: Input<RolloutFrame>): Step<ReaderState> {
  const reader = cloneJson(before);
  const outputs: Output[] = [];
  const { codex, sides } = reader;
  const thread = codex.main;
  const side = sides[""] ?? newSide("");
  onInput({ reader, state: codex, thread, side, transcript: thread.transcript, at: input.at, outputs }, input);
  return { state: reader, outputs };
}

/** A turn's end is written down, so that a quiet file tells nothing. */
function onInput(draft: ReaderDraft, input: Input<RolloutFrame>): void {
  if (input.kind === "frame") return onFrame(draft, input.frame);
  if (input.kind === "exit") for (const { thread, side } of allThreads(draft)) leave(inSide(draft, thread, side));
}

function onFrame(step: ReaderDraft, { thread, line, index, entry }: RolloutFrame): void {
  const parent = entry.kind === "session_meta" ? entry.payload.parent_thread_id : undefined;
  const draft = enter(step, thread, parent);
  const { side, state } = draft;
  if (index < side.taken) return;
  side.taken = index + 1;
  state.model = side.model;
  atLine(draft, line, () => onLine(draft, line, entry));
  side.at = Math.max(side.at, step.at);
}

function onLine(draft: ReaderDraft, line: number, entry: RolloutLine): void {
  switch (entry.kind) {
    case "session_meta":
      return onMeta(draft, entry.payload);
    case "turn_context":
      return onContext(draft, entry.payload);
    case "thread_settings_applied": {
      const { model, model_provider_id: provider } = entry.payload.thread_settings;
      return noteModel(draft, model, provider);
    }
    case "task_started":
      return closing(draft, line, () => onStarted(draft, entry.payload));
    case "task_complete":
      openUntold(draft);
      return closing(draft, line, () => onComplete(draft, entry.payload));
    case "turn_aborted":
      openUntold(draft);
      return closing(draft, line, () => finish(draft, outcomeOf("interrupted", null), ABORTED.toolError));
    case "token_count":
      return closing(draft, line, () => onTokenCount(draft, entry.payload));
    case "item_completed":
      return onItem(draft, line, entry.payload);
    default:
      if (!onCallLine(draft, entry)) onUnpaged(draft, line, entry);
  }
}

/** A copied history names the threads that it is of. */
function onMeta(draft: ReaderDraft, meta: LineOf<"session_meta">): void {
  const { state, thread, side } = draft;
  if (meta.id !== (thread === state.main ? state.nativeID : thread.threadID)) return;
  thread.threadID = meta.id;
  side.model = { provider: meta.model_provider ?? "openai", id: side.model?.id ?? "default" };
  updateNative(draft, {
    sessionID: meta.id,
    ...(meta.cli_version != null && { version: meta.cli_version }),
    ...(meta.model_provider != null && { provider: meta.model_provider }),
    ...(meta.originator != null && { originator: meta.originator }),
    ...(meta.forked_from_id != null && { forkedFrom: meta.forked_from_id }),
    ...(meta.agent_nickname != null && { nickname: meta.agent_nickname }),
  });
}

function onContext(draft: ReaderDraft, context: LineOf<"turn_context">): void {
  noteModel(draft, context.model, undefined);
  updateNative(draft, policyOf(context.approval_policy, context.sandbox_policy));
}

function noteModel(draft: ReaderDraft, id: string | null | undefined, provider: string | null | undefined): void {
  const { side, state } = draft;
  if (id == null) return;
  side.model = { provider: provider ?? side.model?.provider ?? "openai", id };
  state.model = side.model;
  updateNative(draft, { model: id, provider: side.model.provider });
}

/** A turn that was left without its end, by a process that died, ends where the next one begins. */
function onStarted(draft: ReaderDraft, { turn_id, collaboration_mode_kind: kind }: EventOf<"task_started">): void {
  leave({ ...draft, at: draft.side.at });
  if (!joinTurn(draft, turn_id)) return;
  draft.thread.startedID = turn_id;
  if (draft.thread === draft.state.main) notePlanning(draft, kind === "plan");
}

/** Plan mode sticks to the thread, so whoever goes on with it must know. */
function notePlanning(draft: ReaderDraft, plans: boolean): void {
  if (plans !== draft.state.planning) updateSession(draft, { mode: plans ? "plan" : "default" });
  draft.state.planning = plans;
}

function onComplete(draft: ReaderDraft, { error }: EventOf<"task_complete">): void {
  finish(draft, outcomeOf(error ? "failed" : "completed", error ? turnErrorOf(error) : null), NO_RESULT);
}

function turnErrorOf(error: NonNullable<EventOf<"task_complete">["error"]>): TurnError {
  return { message: error.message, codexErrorInfo: camelDeep(error.codex_error_info ?? null) as never };
}

function camelDeep(value: unknown): unknown {
  if (typeof value === "string") return camelCase(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [camelCase(name), camelDeep(child)]));
}

function finish(draft: ReaderDraft, outcome: ReturnType<typeof outcomeOf>, toolError: string): void {
  if (draft.thread === draft.state.main) draft.state.hasHistory = true;
  finishTurn(draft, { ...outcome, toolError, decidedBy: "agent" });
}

/**
 * The rollout ends in the middle of a turn, or another one begins. A prompt without any answer stays so, and a call that is
 * not shown yet is not: more of it may be written later.
 */
function leave(draft: ReaderDraft): void {
  const { transcript, side, thread } = draft;
  if (thread.turnID === null && !transcript.turn) return;
  const line = side.message?.line ?? 0;
  atLine(draft, line, () => closing(draft, line, () => abandonTurn(draft)));
  side.calls = {};
}

function abandonTurn(draft: ReaderDraft): void {
  const { transcript } = draft;
  if (transcript.turn?.lastMessageID !== undefined) return finish(draft, { finish: "aborted" }, NO_RESULT);
  failOpenTools(draft, NO_RESULT, "agent");
  transcript.turn = null;
  finishTurn(draft, { toolError: NO_RESULT, decidedBy: "agent" });
  setStatus(draft, { type: "idle" });
}

function onItem(draft: ReaderDraft, line: number, payload: EventOf<"item_completed">): void {
  const item = itemOf(payload.item);
  if (item) tell(draft, line, item, payload.turn_id, payload.started_at_ms ?? draft.at);
}

/** An item is written down when it ends. */
function tell(draft: ReaderDraft, line: number, item: ThreadItem, turnId: string, startedAt: number): void {
  const params = { threadId: "", turnId, item };
  openNamed(draft, item);
  if (item.type === "userMessage") closing(draft, line, () => abandonResponse(draft, "aborted"));
  else onItemStarted({ ...draft, at: startedAt }, { ...params, item: asItBegan(item) });
  correctInput(draft, item);
  onItemCompleted(draft, params);
}

/** What a subagent is called is known when it is there. */
function asItBegan(item: ThreadItem): ThreadItem {
  return item.tool === "spawnAgent" ? { ...item, receiverThreadIds: [] } : item;
}

const ITEMS_THAT_KNOW = new Set(["commandExecution", "fileChange"]);

/** A call that was shown before its item came: the item of what ran knows better what was done. */
function correctInput(draft: ReaderDraft, item: ThreadItem): void {
  if (!ITEMS_THAT_KNOW.has(item.type)) return;
  const view = viewTool(item, draft.transcript.session.directory);
  const part = draft.transcript.tools[openCall(draft, item.id) ?? ""];
  if (!view || part?.state.status !== "running") return;
  setState(draft, part, { ...part.state, input: view.input, title: view.title });
}

function onCallLine(draft: ReaderDraft, entry: RolloutLine): boolean {
  switch (entry.kind) {
    case "function_call": {
      const { call_id, name, namespace = null, arguments: input } = entry.payload;
      onCall(draft, call_id, { name, namespace, input });
      return true;
    }
    case "custom_tool_call":
      onCall(draft, entry.payload.call_id, { name: entry.payload.name, namespace: null, input: entry.payload.input });
      return true;
    case "function_call_output":
    case "custom_tool_call_output":
      onOutput(draft, entry.payload.call_id, entry.payload.output);
      return true;
    case "image_generation_call":
      onImage(draft, entry.payload);
      return true;
    default:
      return false;
  }
}

/** Histories that are not in pages have no items, but a line for each text, prompt and patch. */
function onUnpaged(draft: ReaderDraft, line: number, entry: RolloutLine): void {
  const item = unpagedItem(line, entry);
  const { turnID } = draft.thread;
  if (item && turnID !== null) tell(draft, line, item, turnID, draft.at);
}

function unpagedItem(line: number, entry: RolloutLine): ThreadItem | undefined {
  const id = `line-${line}`;
  switch (entry.kind) {
    case "user_message":
      return { id, type: "userMessage", content: inputsOf(entry.payload) };
    case "agent_message":
      return { id, type: "agentMessage", text: entry.payload.message, phase: entry.payload.phase };
    case "agent_reasoning":
      return { id, type: "reasoning", summary: [entry.payload.text], content: [] };
    case "agent_reasoning_raw_content":
      return { id, type: "reasoning", summary: [], content: [entry.payload.text] };
    case "patch_apply_end":
      return patchItem(entry.payload);
    case "context_compacted":
      return { id, type: "contextCompaction" };
    default:
      return undefined;
  }
}

function inputsOf({ message, images, local_images: paths }: EventOf<"user_message">): unknown[] {
  return [
    { type: "text", text: message },
    ...(images ?? []).map((url) => ({ type: "image", url })),
    ...(paths ?? []).map((path) => ({ type: "localImage", path })),
  ];
}

function patchItem({ call_id: id, changes, status, success }: EventOf<"patch_apply_end">): ThreadItem {
  const ended = status ?? (success === false ? "failed" : "completed");
  return { id, type: "fileChange", status: ended, changes: changesIn(changes) };
}
