import { type Input, type Output, type SessionSeed, STALLED_TIMER, type Step } from "../contract.js";
import { closeMessage, openMessage } from "../shared/assistant-message.js";
import { cloneJson } from "../shared/clone-json.js";
import {
  applyUpdate,
  isStalled,
  markStalled,
  setSessionError,
  setStatus,
  updateNative,
  updateSession,
} from "../shared/session-record.js";
import { createTranscript } from "../shared/transcript.js";
import { isClosed, onAssistantBlocks, rememberClosed } from "./api-message.js";
import { noteTask, onTaskOutput } from "./background-tasks.js";
import { onCompactBoundary, onCompacting, onHarnessText } from "./compaction.js";
import { apiError, retryMessage } from "./errors.js";
import type { AssistantFrame, ClaudeFrame, SystemFrame } from "./frame.js";
import { onHibernate } from "./hibernate.js";
import { currentModel, ensureTurn } from "./model.js";
import { MODES, modeOfNative } from "./modes.js";
import { onAskWithdrawn, onControlRequest, onFile, onReply } from "./permissions.js";
import { onToolProgress } from "./progress.js";
import { onReattached, onRechecked } from "./recheck.js";
import { onHeldOutput, onUserFrame } from "./results.js";
import { onControlResponse, onSetMode, onSetModel, onSetOption } from "./settings.js";
import { type ClaudeDraft, type ClaudeState, inThread, newThread, type Side } from "./state.js";
import { onStream, stepDelta } from "./stream.js";
import { onTask, subagentOf } from "./subagents.js";
import { onAbort, onExit, onPrompt, onPromptCancelled, onResult, onWake, start } from "./turn.js";

export function init(seed: SessionSeed): Step<ClaudeState> {
  const { transcript, created } = createTranscript(seed);
  const side: Side = {
    subagents: {},
    process: "none",
    lacksTools: false,
    hasTimers: false,
    wanted: false,
    nativeID: null,
    fork: null,
    mcpServers: seed.mcpServers ?? null,
    tools: [...(seed.tools ?? [])],
    requests: 0,
    changes: {},
    sent: [],
    answered: [],
    todos: [],
    compaction: null,
    hasHistory: false,
    aborting: false,
    recheck: null,
    deferral: null,
    leftDeferred: null,
    asks: {},
    reads: {},
    withdrawn: {},
    tasks: {},
    taskReads: {},
    held: {},
  };
  return { state: { main: newThread(transcript), side }, outputs: [created] };
}

export function step(state: ClaudeState, input: Input<ClaudeFrame>): Step<ClaudeState> {
  const outputs: Output[] = [];
  if (
    !isStalled(state.main.transcript.session) &&
    input.kind === "frame" &&
    input.frame.type === "stream_event" &&
    input.frame.event.type === "content_block_delta"
  ) {
    const draft = { at: input.at, transcript: state.main.transcript, outputs };
    const next = stepDelta(state, input.frame.event, input.frame.api_message_id, draft);
    if (next) return { state: next, outputs };
  }
  const { main, side } = cloneJson(state);
  onInput({ state: side, main, thread: main, transcript: main.transcript, at: input.at, outputs }, input);
  return { state: { main, side }, outputs };
}

function onInput(draft: ClaudeDraft, input: Input<ClaudeFrame>): void {
  switch (input.kind) {
    case "command":
      return onCommand(draft, input.command);
    case "frame":
      // What a dying process still says belongs to a turn that has ended.
      if (draft.state.process === "ending") return;
      if (isStalled(draft.transcript.session)) setStatus(draft, { type: "busy" });
      return onFrame(draft, input.frame);
    case "fault":
      return setSessionError(draft, { name: "protocol", message: input.detail, retryable: false });
    case "exit":
      return onExit(draft, input);
    case "wake":
      return input.timer === STALLED_TIMER ? markStalled(draft) : onWake(draft, input.timer);
    case "file":
      return draft.state.held[input.token]
        ? onHeldOutput(draft, input.token, input.text)
        : onFile(draft, input.token, input.text);
  }
}

function onCommand(draft: ClaudeDraft, command: Extract<Input<never>, { kind: "command" }>["command"]): void {
  switch (command.type) {
    case "prompt":
      return onPrompt(draft, command);
    case "compact":
      return onPrompt(draft, { ...command, type: "prompt", parts: [{ type: "text", text: "/compact" }] });
    // The CLI has none, and the gateway asks for none.
    case "review":
      return;
    case "reply":
      return onReply(draft, command);
    case "abort":
      return onAbort(draft, command);
    case "reattached":
      return onReattached(draft);
    case "start":
      return start(draft);
    case "hibernate":
      return onHibernate(draft);
    case "setMode":
      return onSetMode(draft, command.mode);
    case "setModel":
      return onSetModel(draft, command.model);
    case "setOption":
      return onSetOption(draft, command.option, command.value);
    case "update":
      return applyUpdate(draft, command);
  }
}

function onFrame(step: ClaudeDraft, frame: ClaudeFrame): void {
  const draft = isSubagentLine(frame) ? inThread(step, subagentOf(step, frame)) : step;
  switch (frame.type) {
    case "stream_event":
      return onStream(draft, frame);
    case "assistant":
      return onAssistant(draft, frame);
    case "user":
      if (!onHarnessText(draft, frame)) onUserFrame(draft, frame);
      return;
    case "result":
      return onResult(draft, frame);
    case "system":
      return onSystem(draft, frame);
    case "control_request":
      return onControlRequest(draft, frame);
    case "command_lifecycle":
      return frame.state === "cancelled" ? onPromptCancelled(draft, frame.command_uuid) : undefined;
    case "control_cancel_request":
      return onAskWithdrawn(draft, frame.request_id);
    case "control_response":
      onTaskOutput(draft, frame);
      onRechecked(draft, frame);
      return onControlResponse(draft, frame);
    case "tool_progress":
      return onToolProgress(draft, frame);
  }
}

function isSubagentLine(frame: ClaudeFrame): frame is Extract<ClaudeFrame, { type: "assistant" | "user" }> {
  return (frame.type === "assistant" || frame.type === "user") && frame.parent_tool_use_id != null;
}

function onAssistant(draft: ClaudeDraft, frame: AssistantFrame): void {
  if (isClosed(draft, frame.message.id)) return;
  ensureTurn(draft);
  if (frame.is_api_error_message || frame.error) return onApiError(draft, frame);
  onAssistantBlocks(draft, frame);
}

/** The CLI reports an API failure as an answer of a made-up model; here it is an error, with that answer as its text. */
function onApiError(draft: ClaudeDraft, frame: AssistantFrame): void {
  const text = frame.message.content.map((block) => (block.type === "text" ? String(block.text ?? "") : "")).join("\n");
  const refused = frame.message.stop_reason === "refusal";
  const message = openMessage(draft, currentModel(draft), { messageID: frame.message.id });
  closeMessage(draft, message.id, { finish: refused ? "refusal" : "error", error: apiError(frame, text, refused) });
  rememberClosed(draft, frame.message.id);
}

function onSystem(draft: ClaudeDraft, frame: SystemFrame): void {
  switch (frame.subtype) {
    case "init":
      return onInit(draft, frame);
    case "status":
      if (frame.permissionMode) {
        updateNative(draft, { permissionMode: frame.permissionMode });
        followMode(draft, frame.permissionMode);
      }
      return onCompacting(draft, frame);
    case "session_title_changed":
      return frame.title ? updateSession(draft, { title: frame.title }) : undefined;
    case "compact_boundary":
      return onCompactBoundary(draft, frame);
    case "api_retry":
      if (!draft.transcript.turn) return;
      return setStatus(draft, {
        type: "retry",
        attempt: frame.attempt ?? 1,
        message: retryMessage(frame.error, frame.error_status),
        next: draft.at + Math.round(frame.retry_delay_ms ?? 0),
      });
    default:
      onTask(draft, frame);
      return noteTask(draft, frame);
  }
}

/** The session's mode is the one in force, also when the CLI changed it by itself. */
function followMode(draft: ClaudeDraft, native: string): void {
  const { session } = draft.transcript;
  const mode = modeOfNative(native);
  if (mode !== undefined && MODES[session.mode].native !== native) updateSession(draft, { mode });
}

/** Comes at the start of every turn, and tells the id to resume by. */
function onInit(draft: ClaudeDraft, frame: SystemFrame): void {
  if (frame.session_id) {
    draft.state.nativeID = frame.session_id;
    draft.state.fork = null;
  }
  updateNative(draft, {
    ...(frame.session_id && { sessionID: frame.session_id }),
    ...(frame.claude_code_version && { version: frame.claude_code_version }),
    ...(frame.model && { model: frame.model }),
    ...(frame.permissionMode && { permissionMode: frame.permissionMode }),
  });
  if (frame.permissionMode) followMode(draft, frame.permissionMode);
}
