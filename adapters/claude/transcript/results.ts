import type { ResolvedBlock, ToolPart } from "../../../schemas/index.js";
import { isRecord } from "../../shared/is-record.js";
import { annotateTool, completeTool, failTool } from "../../shared/tool-call.js";
import { emit } from "../../shared/transcript.js";
import { MAX_OUTPUT_BYTES, previewMetadata, savedPath } from "../held-output.js";
import { filesOf, resultMetadata, taskOutput, textOf, withoutTag } from "../results.js";
import { changeTodos } from "../todos.js";
import { verdictOf } from "./blocks.js";
import type { PermissionVerdict, UserEntry } from "./entry.js";
import { sideFile } from "./layout.js";
import { beforePause, inThread, type NativeResult, type ReaderDraft, useLine } from "./state.js";
import { subagentOfCall } from "./subagents.js";
import { closeTurn } from "./turn.js";

/** What the CLI says of everything an interrupt met, also of what was allowed and ran. */
const STOCK_REJECTION = "The user doesn't want to proceed";

/** One line for each result. One of a call that is closed comes too late and changes nothing. */
export function onResults(draft: ReaderDraft, line: number, entry: UserEntry): void {
  const { content } = entry.message;
  if (typeof content === "string") return;
  for (const block of content) {
    if (block.type !== "tool_result") continue;
    const result: NativeResult = {
      callID: String(block.tool_use_id),
      content: block.content,
      isError: block.is_error === true,
      structured: entry.toolUseResult,
      denial: entry.toolDenialKind ?? null,
      verdict: entry.permissionDecision ?? null,
    };
    if (draft.transcript.tools[result.callID] && !isHeld(draft, line, result)) onResult(draft, result);
  }
}

/** An output that is too large for its line stands in a file: the result waits until that was read. */
function isHeld(draft: ReaderDraft, line: number, result: NativeResult): boolean {
  const path = savedPath(result.structured);
  if (path === undefined) return false;
  const token = `${draft.thread.name}/${result.callID}`;
  draft.state.held[token] = { thread: draft.thread.name, line, at: draft.at, result };
  draft.outputs.push({ kind: "read", token, path: sideFile(path), maxBytes: MAX_OUTPUT_BYTES });
  return true;
}

export function onHeldOutput(step: ReaderDraft, token: string, text: string | null): void {
  const held = step.state.held[token];
  if (!held) return;
  delete step.state.held[token];
  const thread = step.state.subagents[held.thread] ?? step.state.main;
  useLine(thread, held.line);
  const result = text === null ? { ...held.result, isPreview: true } : { ...held.result, content: text };
  onResult({ ...inThread(step, thread), at: held.at }, result);
}

/** The files that were not read by now are not there. */
export function releaseHeld(draft: ReaderDraft): void {
  for (const token of Object.keys(draft.state.held)) onHeldOutput(draft, token, null);
}

function onResult(draft: ReaderDraft, result: NativeResult): void {
  const { callID, structured } = result;
  const part = draft.transcript.tools[callID];
  if (!part) return;
  const output = outputOf(draft, part, result);
  const block = verdictOf(draft, part, result, output);
  const metadata = {
    ...permissionOf(result.verdict),
    ...resultMetadata(draft, structured),
    ...(result.isPreview && previewMetadata(String(savedPath(structured)), structured)),
  };
  if (result.isError) return fail(draft, result, output, metadata, block);
  noteTodos(draft, part, output, structured);
  const attachments = filesOf(result.content);
  completeTool(draft, callID, { output, metadata, attachments, ...(block && { block }) });
}

/** As the CLI names it on its stream. */
function permissionOf(verdict: PermissionVerdict | null): Record<string, unknown> {
  if (!verdict) return {};
  const { decision, source, reasonType } = verdict;
  const permission = { decision, source, ...(reasonType != null && { reason_type: reasonType }) };
  return { native: { permission } };
}

function fail(
  draft: ReaderDraft,
  { callID, denial }: NativeResult,
  output: string,
  metadata: Record<string, unknown>,
  block: ResolvedBlock | undefined,
): void {
  const decided = block ? { block } : {};
  if (denial !== "user-rejected" || !output.startsWith(STOCK_REJECTION))
    return failTool(draft, callID, { error: withoutTag(output), metadata, ...decided });
  const native = { ...(isRecord(metadata.native) && metadata.native), result: output };
  const error = "The turn was aborted while this ran";
  failTool(draft, callID, { error, metadata: { ...metadata, native, interrupted: true }, ...decided });
}

/** The report of a subagent ends its turn, and comes in a frame of warnings to the model. */
function outputOf(draft: ReaderDraft, part: ToolPart, { callID, content, structured, isError }: NativeResult): string {
  const text = textOf(content);
  if (part.tool !== "task") return text;
  const child = subagentOfCall(draft, callID, isRecord(structured) ? structured.agentId : undefined);
  if (!child) return text;
  const sessionID = child.transcript.session.id;
  annotateTool(draft, callID, { sessionId: sessionID });
  if (!isRecord(structured) || structured.status !== "async_launched")
    closeTurn(beforePause(inThread(draft, child)), {});
  return isError ? text : taskOutput(sessionID, text, structured);
}

function noteTodos(draft: ReaderDraft, part: ToolPart, output: string, structured: unknown): void {
  const { state } = draft;
  const native = isRecord(part.metadata?.native) ? part.metadata.native : {};
  const record = isRecord(structured) ? structured : {};
  const after = changeTodos(state.todos, String(native.tool), part.state.input, record, output);
  if (after === state.todos) return;
  state.todos = after;
  const todos = after.map(({ content, status }) => ({ content, status, priority: "medium" as const }));
  emit(draft, { type: "todo.updated", properties: { sessionID: state.main.transcript.session.id, todos } });
}
