import type { ToolPart } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import { resolveBlock } from "../shared/resolve-block.js";
import {
  annotateTool,
  appendToolInput,
  appendToolOutput,
  completeTool,
  failTool,
  openTool,
  runTool,
  setState,
} from "../shared/tool-call.js";
import { forgetAskOf } from "./asks.js";
import { ownCallID } from "./call-ids.js";
import { at, textsOf } from "./content.js";
import type { ToolCallFields } from "./frame.js";
import { closeChunks, messageFor } from "./responses.js";
import type { AcpDraft, Call, Conversation } from "./state.js";
import { changesOf, contentText, endOf } from "./tool-results.js";
import { isKnown, nativeName, toolOf, viewOf } from "./tools.js";

const REMEMBERED_CALLS = 256;
const FIELDS = ["title", "kind", "status", "content", "locations", "rawInput", "rawOutput"] as const;
const ORDER = ["pending", "in_progress", "completed", "failed"];

/** A call as it begins, or what has changed of one: agents leave out the one or the other, or send both again. */
export function onToolCall(draft: AcpDraft, fields: ToolCallFields, begins: boolean): void {
  const call = upsertCall(draft, fields, { begins });
  if (!call) return;
  call.asked = false;
  advance(draft, fields.toolCallId, call);
}

export interface HowSeen {
  /** The message says that the call begins. */
  readonly begins?: boolean;
  /** The poorer view that a permission request gives: it only adds what is not known. */
  readonly isView?: boolean;
}

/** What is known of a call, with what was said of it now; undefined for one that is over. */
export function upsertCall(draft: AcpDraft, fields: ToolCallFields, how: HowSeen): Call | undefined {
  const { conversation } = draft;
  const id = fields.toolCallId;
  const known = conversation.calls[id];
  if (!known && isOver(conversation, id, how.begins === true)) return undefined;
  const call = known ?? { callID: "", name: null, diffs: [], terminal: "", asked: how.isView === true };
  takeFields(call, fields, how.isView === true);
  if (!known) openCall(draft, id, call, fields);
  return call;
}

/** Ids come again in later turns: then only the beginning of a call makes a new one. */
function isOver({ closed, turns, transcript }: Conversation, id: string, begins: boolean): boolean {
  const turn = closed[id];
  if (turn === undefined) return false;
  return !begins || (turn === turns && transcript.turn !== null);
}

function openCall(draft: AcpDraft, id: string, call: Call, fields: ToolCallFields): void {
  const message = messageFor(draft, "call");
  closeChunks(draft);
  const { conversation, profile } = draft;
  call.name = fields.name ?? nativeName(id, call, profile);
  const tool = toolOf(call, profile);
  call.callID = ownCallID(conversation, id);
  const native = {
    toolCallId: id,
    ...(call.name !== null && { tool: call.name }),
    ...(call.kind && { kind: call.kind }),
  };
  openTool(draft, message, { callID: call.callID, tool, metadata: { native } });
  conversation.calls[id] = call;
  conversation.response?.calls.push(call.callID);
  conversation.spoke = true;
}

/** A field that is there takes the place of what was known; a state goes only forward. */
function takeFields(call: Call, fields: ToolCallFields, isView: boolean): void {
  for (const field of FIELDS) {
    const value = fields[field];
    if (value === undefined || value === null) continue;
    if (isView && (field === "status" || isKnown(call[field]))) continue;
    if (field === "status" && !isForward(call.status, String(value))) continue;
    Object.assign(call, { [field]: value });
  }
  const diffs = (fields.content ?? []).filter((item) => isRecord(item) && item.type === "diff");
  if (diffs.length > 0) call.diffs = diffs;
  if (fields._meta) takeMeta(call, fields._meta);
}

function isForward(from: string | undefined, to: string): boolean {
  return ORDER.indexOf(to) > ORDER.indexOf(from ?? "");
}

/** Output and exit of a command, as some tell them beside the protocol. */
function takeMeta(call: Call, meta: Record<string, unknown>): void {
  const { terminal_output_delta, terminal_output, terminal_exit, ...rest } = meta;
  for (const piece of [terminal_output_delta, terminal_output]) {
    const data = at(piece, "data");
    if (typeof data === "string") call.terminal += data;
  }
  const code = at(terminal_exit, "exit_code");
  if (typeof code === "number") call.exitCode = code;
  if (Object.keys(rest).length > 0) call.meta = { ...call.meta, ...rest };
}

/** Brings the part to where the call is. */
export function advance(draft: AcpDraft, id: string, call: Call): void {
  const part = draft.transcript.tools[call.callID];
  if (!part) return;
  if (call.status === "completed" || call.status === "failed") return endCall(draft, id, call, part);
  if (part.state.status !== "blocked") moveOn(draft, call, part);
  showProgress(draft, call);
}

function moveOn(draft: AcpDraft, call: Call, part: ToolPart): void {
  const { profile, transcript } = draft;
  const view = viewOf(call, part.tool, transcript.session.directory, profile);
  const stillWritten = profile.tools.inputInContent === true && !isKnown(call.rawInput);
  if (stillWritten) return showInput(draft, call);
  if (call.status === "in_progress") runTool(draft, call.callID, view.input, view.title);
  refresh(draft, part, view);
}

/** The input grows while the model writes it. */
function showInput(draft: AcpDraft, call: Call): void {
  const text = textsOf(call.content ?? []).join("\n");
  const before = call.raw ?? "";
  if (!text.startsWith(before)) return;
  appendToolInput(draft, call.callID, text.slice(before.length));
  call.raw = text;
}

function refresh(
  draft: AcpDraft,
  part: ToolPart,
  { input, title }: { input: Record<string, unknown>; title: string },
): void {
  const { state } = part;
  if (state.status === "pending" && !isSame(state.input, input)) setState(draft, part, { ...state, input });
  if (state.status !== "running") return;
  if (!isSame(state.input, input) || state.title !== title) setState(draft, part, { ...state, input, title });
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** What a running tool has put out so far. */
function showProgress(draft: AcpDraft, call: Call): void {
  const { state } = draft.transcript.tools[call.callID] ?? {};
  if (state?.status !== "running" && state?.status !== "blocked") return;
  const shown = typeof state.metadata?.output === "string" ? state.metadata.output : "";
  const output = call.terminal === "" ? contentText(call) : call.terminal;
  if (output === "" || output === shown) return;
  if (output.startsWith(shown)) appendToolOutput(draft, call.callID, output.slice(shown.length));
  else annotateTool(draft, call.callID, { output });
}

function endCall(draft: AcpDraft, id: string, call: Call, part: ToolPart): void {
  const { profile, transcript } = draft;
  const { directory } = transcript.session;
  const view = viewOf(call, part.tool, directory, profile);
  runTool(draft, call.callID, view.input, view.title);
  refresh(draft, part, view);
  const block = lateVerdict(draft, call, part);
  const { error, output, metadata, attachments } = endOf(call, part.tool, directory, profile);
  forgetCall(draft.conversation, id);
  if (error !== undefined) failTool(draft, call.callID, { error, metadata, ...(block && { block }) });
  else completeTool(draft, call.callID, { output, metadata, attachments, ...(block && { block }) });
}

/** A verdict nobody gave here: somebody else did, or the agent itself, and the call's end says which. */
function lateVerdict(draft: AcpDraft, call: Call, { state }: ToolPart) {
  const open = call.withdrawn ?? (state.status === "blocked" ? state.block : undefined);
  if (!open) return undefined;
  forgetAskOf(draft, call.callID);
  return resolveBlock(draft, open, { decision: call.status === "failed" ? "reject" : "once", decidedBy: "agent" });
}

/** What still comes of this call changes nothing. */
export function forgetCall(conversation: Conversation, id: string): void {
  delete conversation.calls[id];
  delete conversation.closed[id];
  const kept = Object.entries(conversation.closed).slice(1 - REMEMBERED_CALLS);
  conversation.closed = { ...Object.fromEntries(kept), [id]: conversation.turns };
}

/** The change of files that a person is asked about. */
export function changesIn(draft: AcpDraft, call: Call): Record<string, unknown> {
  return changesOf(call, draft.transcript.session.directory);
}
