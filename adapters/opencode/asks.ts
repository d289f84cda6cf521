import type { Block, QuestionInfo } from "../../schemas/index.js";
import { relativePath } from "../shared/relative-path.js";
import { rememberAlways, resolveBlock } from "../shared/resolve-block.js";
import { blockTool, completeTool, failTool, openTool, runTool, unblockTool } from "../shared/tool-call.js";
import { nextId } from "../shared/transcript.js";
import { shownPath } from "./files.js";
import type { NativeQuestion, PermissionRequest, PropertiesOf, QuestionRequest, ToolPlace } from "./frame.js";
import { sendRequest } from "./requests.js";
import { type Ask, inThread, type OpencodeDraft, threadKey } from "./state.js";

/** How long an ask waits for the input of its call, in milliseconds: that comes with the next event. */
const HOLD_MS = 500;
const HOLD_TIMER = "ask:";

export function onPermissionAsked(draft: OpencodeDraft, request: PermissionRequest): void {
  if (askOf(draft, request.id)) return;
  if (!draft.transcript.turn) return sendReply(draft, request.id, { reply: "reject" });
  const { directory } = draft.transcript.session;
  const block: Block = {
    type: "permission",
    id: nextId(draft, "per"),
    permission: request.permission,
    patterns: patternsOf(request, directory),
    always: request.always,
    metadata: request.metadata,
  };
  openAsk(draft, "permission", request, block);
}

/** The server names a file from the root of its project, which may be that of the file system. */
function patternsOf({ permission, patterns, metadata }: PermissionRequest, directory: string): string[] {
  const file = metadata.filepath;
  if (permission === "edit" && typeof file === "string" && patterns.length === 1)
    return [relativePath(file, directory)];
  return patterns.length > 0 ? patterns.map((pattern) => shownPath(pattern, directory)) : ["*"];
}

export function onQuestionAsked(draft: OpencodeDraft, request: QuestionRequest): void {
  if (askOf(draft, request.id)) return;
  if (!draft.transcript.turn) return sendRejection(draft, request.id);
  const questions = request.questions.map(questionOf);
  openAsk(draft, "question", request, { type: "question", id: nextId(draft, "que"), questions });
}

function questionOf({ question, header, options, multiple, custom }: NativeQuestion): QuestionInfo {
  return {
    question,
    header,
    options: options.map(({ label, description }) => ({ label, description })),
    ...(multiple != null && { multiple }),
    ...(custom != null && { custom }),
  };
}

interface Asking {
  readonly id: string;
  readonly permission?: string;
  readonly metadata?: Record<string, unknown>;
  readonly tool?: ToolPlace | null | undefined;
}

/** An ask comes a moment before the input of its call, without which nobody could decide. */
function openAsk(draft: OpencodeDraft, kind: Ask["kind"], asking: Asking, block: Block): void {
  const callID = callOf(draft, asking.tool);
  const status = draft.transcript.tools[callID ?? ""]?.state.status;
  const base = { kind, nativeID: asking.id, blockID: block.id, threadID: threadKey(draft) };
  if (callID === undefined || (status !== "pending" && status !== "running"))
    return openOwn(draft, base, asking, block);
  const held = status === "pending" ? block : null;
  draft.state.asks[block.id] = { ...base, callID, synthetic: false, held };
  if (held) draft.outputs.push({ kind: "wake", timer: HOLD_TIMER + block.id, afterMs: HOLD_MS });
  else show(draft, callID, block);
}

/** An ask without a tool, or for one that waits already, has a part of its own. */
function openOwn(
  draft: OpencodeDraft,
  base: Omit<Ask, "callID" | "synthetic" | "held">,
  asking: Asking,
  block: Block,
): void {
  const message = Object.values(draft.thread.open).at(-1);
  const id = message?.id ?? draft.transcript.turn?.lastMessageID;
  if (id === undefined) {
    if (base.kind === "permission") sendReply(draft, asking.id, { reply: "reject" });
    else sendRejection(draft, asking.id);
    return;
  }
  const tool = asking.permission ?? "question";
  const native = { tool, requestID: asking.id };
  const { session } = draft.transcript;
  openTool(draft, { id, sessionID: session.id }, { callID: asking.id, tool, metadata: { native } });
  runTool(draft, asking.id, asking.metadata ?? {}, tool);
  draft.state.asks[block.id] = { ...base, callID: asking.id, synthetic: true, held: null };
  show(draft, asking.id, block);
}

function callOf(draft: OpencodeDraft, place: ToolPlace | null | undefined): string | undefined {
  const parts = Object.values(draft.thread.open[place?.messageID ?? ""]?.parts ?? {});
  const part = parts.findLast((open) => open.kind === "tool" && open.native === place?.callID);
  return part?.kind === "tool" ? part.callID : undefined;
}

function show(draft: OpencodeDraft, callID: string, block: Block): void {
  const state = draft.transcript.tools[callID]?.state;
  if (!state) return;
  const asked = block.type === "permission" ? block.metadata : {};
  const input = state.status === "pending" ? inputOf(asked) : state.input;
  const title = state.status === "pending" ? undefined : state.title;
  blockTool(draft, callID, input, title ?? draft.transcript.tools[callID]?.tool ?? "", block);
}

/** What the ask itself tells of the call. */
function inputOf(metadata: Record<string, unknown>): Record<string, unknown> {
  return typeof metadata.command === "string" ? { command: metadata.command } : {};
}

/** The input of a call is known, so what it asks can be shown. */
export function showHeldAsk(draft: OpencodeDraft, callID: string): void {
  const key = threadKey(draft);
  const ask = Object.values(draft.state.asks).find((open) => open.threadID === key && open.callID === callID);
  if (ask) release(draft, ask);
}

/** It was waited for in vain. */
export function showHeld(step: OpencodeDraft, timer: string): void {
  const ask = step.state.asks[timer.slice(HOLD_TIMER.length)];
  if (timer.startsWith(HOLD_TIMER) && ask) release(inThreadOf(step, ask), ask);
}

export function release(draft: OpencodeDraft, ask: Ask): void {
  if (!ask.held) return;
  const block = ask.held;
  ask.held = null;
  draft.outputs.push({ kind: "wake", timer: HOLD_TIMER + ask.blockID, afterMs: null });
  show(draft, ask.callID, block);
}

export function askOf({ state }: OpencodeDraft, nativeID: string): Ask | undefined {
  return Object.values(state.asks).find((ask) => ask.nativeID === nativeID);
}

/** The step at work in the thread that asks. */
export function inThreadOf(draft: OpencodeDraft, ask: Ask): OpencodeDraft {
  const { main, children } = draft.state;
  return inThread(draft, ask.threadID === null ? main : (children[ask.threadID] ?? main));
}

/** An answer of ours comes back, which is no news; any other is that of somebody else or of the server itself. */
export function onPermissionReplied(
  step: OpencodeDraft,
  { requestID, reply }: PropertiesOf<"permission.replied">,
): void {
  const ask = askOf(step, requestID);
  if (!ask) return;
  const draft = inThreadOf(step, ask);
  const decidedBy = reply === "reject" && draft.thread.rejected ? "cascade" : "agent";
  settle(draft, ask, { decision: reply === "reject" ? "reject" : reply === "always" ? "always" : "once", decidedBy });
}

export function onQuestionAnswered(
  step: OpencodeDraft,
  requestID: string,
  answers: readonly string[][] | undefined,
): void {
  const ask = askOf(step, requestID);
  if (!ask) return;
  const verdict = answers ? { decision: "once" as const, answers } : { decision: "reject" as const };
  settle(inThreadOf(step, ask), ask, { ...verdict, decidedBy: "agent" });
}

const REJECTED = "This was not allowed";

/** The ask has its verdict: it is kept on its tool, which goes on or fails. */
export function settle(draft: OpencodeDraft, ask: Ask, verdict: Parameters<typeof resolveBlock>[2]): void {
  release(draft, ask);
  delete draft.state.asks[ask.blockID];
  const state = draft.transcript.tools[ask.callID]?.state;
  if (state?.status !== "blocked") return;
  const block = resolveBlock(draft, state.block, verdict);
  if (verdict.decision === "reject") {
    return failTool(draft, ask.callID, { error: verdict.message || REJECTED, block });
  }
  if (block.type === "permission" && block.decision === "always" && verdict.decidedBy === "user")
    rememberAlways(draft, block);
  if (ask.synthetic) completeTool(draft, ask.callID, { output: "", block });
  else unblockTool(draft, ask.callID, block);
}

/** Asks of a thread that nobody needs to answer any more. */
export function dropAsks(draft: OpencodeDraft): void {
  const key = threadKey(draft);
  dropWhere(draft, (ask) => ask.threadID === key);
}

export function forgetAskOf(draft: OpencodeDraft, callID: string): void {
  const key = threadKey(draft);
  dropWhere(draft, (ask) => ask.threadID === key && ask.callID === callID);
}

function dropWhere(draft: OpencodeDraft, isOver: (ask: Ask) => boolean): void {
  for (const ask of Object.values(draft.state.asks).filter(isOver)) {
    if (ask.held) draft.outputs.push({ kind: "wake", timer: HOLD_TIMER + ask.blockID, afterMs: null });
    delete draft.state.asks[ask.blockID];
  }
}

export function sendReply(draft: OpencodeDraft, nativeID: string, body: { reply: string; message?: string }): void {
  sendRequest(draft, "POST", `/permission/${encodeURIComponent(nativeID)}/reply`, body, { kind: "reply" });
}

export function sendAnswers(draft: OpencodeDraft, nativeID: string, answers: readonly (readonly string[])[]): void {
  sendRequest(draft, "POST", `/question/${encodeURIComponent(nativeID)}/reply`, { answers }, { kind: "reply" });
}

export function sendRejection(draft: OpencodeDraft, nativeID: string): void {
  sendRequest(draft, "POST", `/question/${encodeURIComponent(nativeID)}/reject`, undefined, { kind: "reply" });
}
