import { openChildSession } from "../shared/child-session.js";
import { isRecord } from "../shared/is-record.js";
import { oneLine } from "../shared/one-line.js";
import { acceptPrompt, beginTurn } from "../shared/prompts.js";
import { updateSession } from "../shared/session-record.js";
import { annotateTool, completeTool, openTool, runTool } from "../shared/tool-call.js";
import { nextId } from "../shared/transcript.js";
import { ownCallID } from "./call-ids.js";
import { at, textsOf } from "./content.js";
import { outcomeOf } from "./errors.js";
import type { ToolCallFields, UpdateOf } from "./frame.js";
import { currentModel } from "./model.js";
import { closeChunks, messageFor, startTurn } from "./responses.js";
import { type AcpDraft, type Child, conversationKey, inConversation, newConversation } from "./state.js";
import { finishTurn } from "./turn-end.js";

/** The conversation of a session of the agent; undefined for one that is neither ours nor a subagent of ours. */
export function inSession(draft: AcpDraft, sessionID: string): AcpDraft | undefined {
  const { main, children } = draft.state;
  main.nativeID ??= sessionID;
  if (main.nativeID === sessionID) return inConversation(draft, main);
  const child = children[sessionID];
  return child && inConversation(draft, child);
}

interface Opening {
  readonly nativeID: string;
  readonly title: string;
  readonly callID: string | null;
  readonly hasSession: boolean;
}

/** Announces the child session; `draft` is at work in its parent's conversation. */
function openChild(draft: AcpDraft, { nativeID, title, callID, hasSession }: Opening): Child {
  const transcript = openChildSession(draft, draft.transcript.session, {
    sessionID: nextId(draft.state.main, "ses"),
    title: oneLine(title),
    native: { sessionID: nativeID },
  });
  const child: Child = {
    ...newConversation(transcript, nativeID),
    nativeID,
    parentNativeID: conversationKey(draft),
    callID,
    hasSession,
    canCancel: false,
    messages: [],
  };
  draft.state.children[nativeID] = child;
  return child;
}

/** What the parent's session tells of a subagent. With it the agent sends no call: the part is made here. */
export function onSubagent(draft: AcpDraft, fields: UpdateOf<"subagent_update">): void {
  const known = draft.state.children[fields.sessionId];
  const child = known ?? beginSubagent(draft, fields);
  if (known && fields.title) updateSession(inConversation(draft, child), { title: fields.title });
  if (fields.capabilities) child.canCancel = isRecord(fields.capabilities.cancel);
  if (fields.state?.state === "idle") endSubagent(draft, child, fields.state.stopReason);
}

function beginSubagent(draft: AcpDraft, { sessionId, title, description }: UpdateOf<"subagent_update">): Child {
  const name = title || description || "subagent";
  const callID = draft.transcript.turn ? openTask(draft, sessionId, { description: name }) : null;
  const child = openChild(draft, { nativeID: sessionId, title: name, callID, hasSession: true });
  if (callID !== null) annotateTool(draft, callID, { sessionId: child.transcript.session.id });
  return child;
}

function openTask(draft: AcpDraft, sessionID: string, input: Record<string, unknown>): string {
  const message = messageFor(draft, "call");
  closeChunks(draft);
  const { conversation } = draft;
  const callID = ownCallID(conversation, `subagent.${sessionID}`);
  openTool(draft, message, { callID, tool: "task", metadata: { native: { tool: "subagent", sessionID } } });
  conversation.response?.calls.push(callID);
  conversation.spoke = true;
  runTool(draft, callID, input, oneLine(`task ${String(input.description)}`));
  return callID;
}

/** Its call may be over with the parent's turn: a subagent may outlive that. */
function endSubagent(draft: AcpDraft, child: Child, stopReason: unknown): void {
  const output = child.lastText;
  finishTurn(inConversation(draft, child), {
    ...outcomeOf(stopReason),
    toolError: "The subagent ended before this tool had a result",
    decidedBy: "agent",
  });
  if (child.callID !== null) completeTool(parentOf(draft, child), child.callID, { output });
  child.callID = null;
}

function parentOf(draft: AcpDraft, { parentNativeID }: Child): AcpDraft {
  const { main, children } = draft.state;
  return inConversation(draft, parentNativeID === null ? main : (children[parentNativeID] ?? main));
}

/** A message between sessions, which both of them tell. One to a subagent is its prompt. */
export function onSessionMessage(draft: AcpDraft, fields: UpdateOf<"session_message">): void {
  const child = draft.state.children[fields.recipientSessionId ?? ""];
  if (!child || child.messages.includes(fields.messageId)) return;
  child.messages.push(fields.messageId);
  const text = textsOf(fields.content).join("\n");
  if (text !== "") promptChild(inConversation(draft, child), text);
}

function promptChild(draft: AcpDraft, text: string): void {
  const waits = draft.transcript.turn !== null;
  const prompt = acceptPrompt(draft, { parts: [{ type: "text", text }] }, currentModel(draft), false);
  if (!prompt || waits) return;
  startTurn(draft);
  beginTurn(draft, prompt.info.id);
}

/**
 * The conversation a call belongs to where the agent has no sessions for subagents: it names the call that began the
 * subagent, and of the subagent's words tells none.
 */
export function inConversationOfCall(draft: AcpDraft, fields: ToolCallFields): AcpDraft {
  const path = draft.profile.parentCall;
  const parentCall = path && at(fields, path);
  if (typeof parentCall !== "string") return draft;
  const known = draft.state.children[parentCall];
  // With a session of its own the subagent is there already.
  if (draft.conversation !== draft.state.main && !known) return draft;
  return inConversation(draft, known ?? flattenedChild(draft, parentCall));
}

function flattenedChild(draft: AcpDraft, parentCall: string): Child {
  const call = draft.conversation.calls[parentCall];
  const title = call?.title ?? "subagent";
  const child = openChild(draft, { nativeID: parentCall, title, callID: null, hasSession: false });
  if (!call) return child;
  runTool(draft, call.callID, isRecord(call.rawInput) ? call.rawInput : {}, oneLine(`task ${title}`));
  annotateTool(draft, call.callID, { sessionId: child.transcript.session.id });
  return child;
}
