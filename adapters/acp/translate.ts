import { type Command, type Input, type Output, type SessionSeed, STALLED_TIMER, type Step } from "../contract.js";
import { cloneJson } from "../shared/clone-json.js";
import {
  applyUpdate,
  isStalled,
  markStalled,
  setSessionError,
  setStatus,
  updateSession,
} from "../shared/session-record.js";
import { createTranscript } from "../shared/transcript.js";
import { beginSession, onResponse } from "./answers.js";
import { CANCELLED, withdrawAsk } from "./asks.js";
import { onToolCall } from "./calls.js";
import { onChunk, tellNotice } from "./chunks.js";
import { onCompaction, onCompactionSummary } from "./compaction.js";
import { onElicitation } from "./elicitation.js";
import type { AcpFrame, RequestFrame, Update, UpdateFrame } from "./frame.js";
import { onHibernate } from "./hibernate.js";
import { onPermission } from "./permissions.js";
import { dropPlan, takePlan } from "./plan.js";
import type { Profile } from "./profile.js";
import { awaitReplayEnd, endHeard, endReplay, isKnownHistory, isReplayTimer, onUserChunk } from "./replay.js";
import { isOwnTurn } from "./responses.js";
import { sendAnswer, sendRefusal } from "./rpc.js";
import { onSetMode, onSetModel, onSetOption, takeCommands, takeConfig, toNativeMode } from "./settings.js";
import { type AcpDraft, type AcpState, isMain, newState } from "./state.js";
import { stepChunk } from "./stream.js";
import { inConversationOfCall, inSession, onSessionMessage, onSubagent } from "./subagents.js";
import { finishMain, OVER, onAbort, onDecision, onExit, onPrompt, onWake, start } from "./turn.js";
import { onUsage } from "./usage.js";

export function init(seed: SessionSeed): Step<AcpState> {
  const { transcript, created } = createTranscript(seed);
  return { state: newState(transcript, seed.mcpServers), outputs: [created] };
}

export function step(profile: Profile, state: AcpState, input: Input<AcpFrame>): Step<AcpState> {
  const outputs: Output[] = [];
  const next = input.kind === "frame" ? stepChunk(state, input.frame, profile, { at: input.at, outputs }) : undefined;
  if (next) return { state: next, outputs };
  const copy = cloneJson(state);
  const draft = {
    state: copy,
    conversation: copy.main,
    transcript: copy.main.transcript,
    profile,
    at: input.at,
    outputs,
  };
  onInput(draft, input);
  return { state: copy, outputs };
}

function onInput(draft: AcpDraft, input: Input<AcpFrame>): void {
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
      return onTimer(draft, input.timer);
    case "file":
      return;
  }
}

function onTimer(draft: AcpDraft, timer: string): void {
  if (timer === STALLED_TIMER) return markStalled(draft);
  if (!isReplayTimer(timer)) return onWake(draft, timer);
  if (draft.state.session === "replaying") beginSession(draft);
}

function onCommand(draft: AcpDraft, command: Command): void {
  switch (command.type) {
    case "prompt":
      endHeard(draft);
      // A recording shows that the session is ready by what is sent to it.
      if (command.nativeID !== undefined && draft.state.session === "replaying") endReplay(draft);
      return onPrompt(draft, command);
    case "compact":
    case "review":
      // Refused before: the protocol has no such request.
      return;
    case "reply":
      return onDecision(draft, command);
    case "abort":
      return onAbort(draft, command);
    case "reattached":
      // What it did meanwhile is told by its own events.
      return;
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

function onFrame(draft: AcpDraft, frame: AcpFrame): void {
  switch (frame.kind) {
    case "refused":
      return sendRefusal(draft, frame.token, frame.code, frame.message);
    case "response":
      return onResponse(draft, frame);
    case "request":
      return onRequest(draft, frame);
    case "withdrawn":
      return withdrawAsk(draft, frame.token);
    case "update":
      return onUpdateFrame(draft, frame);
    case "elicitationComplete":
      return onElicitationComplete(draft, frame.elicitationID);
    case "notification":
      if (frame.method === draft.profile.ownTurnEnd && isOwnTurn(draft)) finishMain(draft, OVER);
      return;
  }
}

function onRequest(step: AcpDraft, frame: RequestFrame): void {
  const sessionID = frame.params.sessionId;
  const draft = sessionID == null ? step : inSession(step, sessionID);
  if (frame.method === "elicitation/create") {
    return draft
      ? onElicitation(draft, frame.token, frame.params)
      : sendAnswer(step, frame.token, { action: "cancel" });
  }
  // Nobody can be asked for a session that is not known, and nobody may stay without an answer.
  if (!draft) return sendAnswer(step, frame.token, CANCELLED);
  onPermission(inConversationOfCall(draft, frame.params.toolCall), frame.token, frame.params);
}

/** The person went to the page and is back: that is the answer. */
function onElicitationComplete(draft: AcpDraft, elicitationID: string): void {
  const ask = Object.values(draft.state.asks).find(
    (open) => open.kind === "url" && open.elicitationID === elicitationID,
  );
  if (ask) onDecision(draft, { type: "reply", blockID: ask.blockID, answers: [["Done"]], decidedBy: "agent" });
}

function onUpdateFrame(step: AcpDraft, { sessionID, update }: UpdateFrame): void {
  const draft = inSession(step, sessionID);
  if (!draft) return;
  if (draft.state.session === "replaying" && draft.profile.replay === "after-answer") awaitReplayEnd(draft);
  if (isKnownHistory(draft, update)) return;
  if (update.kind !== "user_message_chunk" && isSpoken(update)) endHeard(draft);
  onUpdate(draft, update);
}

function isSpoken({ kind }: Update): boolean {
  return (
    kind === "agent_message_chunk" ||
    kind === "agent_thought_chunk" ||
    kind === "tool_call" ||
    kind === "tool_call_update"
  );
}

function onUpdate(draft: AcpDraft, update: Update): void {
  switch (update.kind) {
    case "user_message_chunk":
      return onUserChunk(draft, update.fields);
    case "agent_message_chunk":
      return onChunk(draft, "text", update.fields);
    case "agent_thought_chunk":
      return onChunk(draft, "reasoning", update.fields);
    case "tool_call":
      return onToolCall(inConversationOfCall(draft, update.fields), update.fields, true);
    case "tool_call_update":
      return onToolCall(inConversationOfCall(draft, update.fields), update.fields, false);
    case "usage_update":
      return onUsage(draft, update.fields);
    case "subagent_update":
      return onSubagent(draft, update.fields);
    case "session_message":
      return onSessionMessage(draft, update.fields);
    case "session_message_chunk":
      return;
    case "compaction_update":
      return onCompaction(draft, update.fields);
    case "compaction_summary_chunk":
      return onCompactionSummary(draft, update.fields);
    case "notice":
      return tellNotice(draft, noticeText(update.fields), { severity: update.fields.severity ?? "info" });
    default:
      return onSessionNews(draft, update);
  }
}

function noticeText({
  title,
  description,
}: {
  title?: string | null | undefined;
  description?: string | null | undefined;
}) {
  return [title, description].filter(Boolean).join("\n");
}

type SessionNews = Extract<
  Update,
  {
    kind:
      | "plan"
      | "plan_update"
      | "plan_removed"
      | "available_commands_update"
      | "current_mode_update"
      | "config_option_update"
      | "session_info_update";
  }
>;

/** How things stand now: no part of the conversation. */
function onSessionNews(draft: AcpDraft, { kind, fields }: SessionNews): void {
  switch (kind) {
    case "plan":
      return takePlan(draft, fields.entries);
    case "plan_update":
      return takePlan(draft, fields.plan?.entries, String(fields.plan?.planId ?? fields.plan?.id ?? ""));
    case "plan_removed":
      return dropPlan(draft, String(fields.planId ?? ""));
    case "session_info_update":
      if (fields.title) updateSession(draft, { title: fields.title });
      return;
    default:
      // A subagent's settings are its parent's business.
      if (isMain(draft)) onOffer(draft, { kind, fields } as SessionNews);
  }
}

function onOffer(draft: AcpDraft, { kind, fields }: SessionNews): void {
  switch (kind) {
    case "available_commands_update":
      return takeCommands(draft, fields.availableCommands);
    case "current_mode_update":
      return toNativeMode(draft, fields.currentModeId);
    case "config_option_update":
      return takeConfig(draft, fields.configOptions ?? []);
    default:
      return;
  }
}
