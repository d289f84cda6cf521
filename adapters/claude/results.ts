import type { Decision, FilePart, ResolvedBlock } from "../../schemas/index.js";
import { diffFile, diffFromHunks } from "../shared/file-diff.js";
import { isRecord } from "../shared/is-record.js";
import { relativePath } from "../shared/relative-path.js";
import { resolveBlock } from "../shared/resolve-block.js";
import { completeTool, failTool, type ToolFailure } from "../shared/tool-call.js";
import type { Draft } from "../shared/transcript.js";
import { linkTask } from "./background-tasks.js";
import type { ContentBlock, UserFrame } from "./frame.js";
import { holdResult, previewMetadata, savedOutput } from "./held-output.js";
import { type ClaudeDraft, type HeldResult, inThreadOfCall } from "./state.js";
import { noteTodos } from "./todos.js";

/** Result lines of tools. One for a call that is closed already comes too late and changes nothing. */
export function onUserFrame(draft: ClaudeDraft, frame: UserFrame): void {
  const { content } = frame.message;
  if (typeof content === "string") return;
  for (const block of content) if (block.type === "tool_result") onToolResult(draft, frame, block);
}

function onToolResult(draft: ClaudeDraft, frame: UserFrame, result: ContentBlock): void {
  const callID = String(result.tool_use_id);
  const { tool_use_result: structured, tool_result_meta: meta } = frame;
  const saved = savedOutput(draft, textOf(result.content), structured);
  if (saved !== undefined && draft.transcript.tools[callID]) holdResult(draft, callID, saved, result, frame);
  else endTool(draft, { callID, result, structured, meta: meta?.find(({ id }) => id === callID) });
  for (const ask of Object.values(draft.state.asks)) if (ask.callID === callID) delete draft.state.asks[ask.blockID];
}

/** The file of an output that was too large for its line; without it the preview has to do. */
export function onHeldOutput(step: ClaudeDraft, token: string, text: string | null): void {
  const held = step.state.held[token];
  delete step.state.held[token];
  const draft = held && inThreadOfCall(step, held.callID);
  if (!draft) return;
  if (text === null) endTool(draft, held, previewMetadata(held.path, held.structured));
  else
    endTool(draft, { ...held, result: { ...held.result, content: [{ type: "text", text }, ...notText(held.result)] } });
}

function notText({ content }: ContentBlock): unknown[] {
  return Array.isArray(content) ? content.filter((block) => !isRecord(block) || block.type !== "text") : [];
}

/** The thread's turn ends: what was not read by now is not waited for. */
export function settleHeld(draft: ClaudeDraft): void {
  for (const [token, { callID }] of Object.entries(draft.state.held))
    if (draft.transcript.tools[callID]) onHeldOutput(draft, token, null);
}

function endTool(draft: ClaudeDraft, ended: Omit<HeldResult, "path">, more: Record<string, unknown> = {}): void {
  const { callID, result, structured, meta } = ended;
  const block = lateVerdict(draft, callID, meta?.permission_decision);
  const approval = meta?.permission_decision ? { native: { permission: meta.permission_decision } } : {};
  const metadata = { ...approval, ...resultMetadata(draft, structured), ...more };
  const output = outputOf(draft, callID, result, structured);
  if (result.is_error === true)
    return failTool(draft, callID, { ...failureOf(draft, output, metadata), ...(block && { block }) });
  noteResult(draft, callID, output, structured);
  completeTool(draft, callID, { output, metadata, attachments: filesOf(result.content), ...(block && { block }) });
}

/** Results that change more than their tool. */
function noteResult(draft: ClaudeDraft, callID: string, output: string, structured: unknown): void {
  const part = draft.transcript.tools[callID];
  if (!part) return;
  const native = isRecord(part.metadata?.native) ? part.metadata.native : {};
  noteTodos(draft, String(native.tool), part.state.input, structured, output);
  if (isRecord(structured) && typeof structured.backgroundTaskId === "string")
    linkTask(draft, structured.backgroundTaskId, callID);
}

/** A verdict nobody gave here: the CLI decided by itself, and the result says how. */
function lateVerdict(
  draft: ClaudeDraft,
  callID: string,
  native: { decision?: string | null | undefined; source?: string | null | undefined } | null | undefined,
): ResolvedBlock | undefined {
  const state = draft.transcript.tools[callID]?.state;
  const open = draft.state.withdrawn[callID]?.block ?? (state?.status === "blocked" ? state.block : undefined);
  delete draft.state.withdrawn[callID];
  if (!open) return undefined;
  const accepted: Decision = native?.source === "user_permanent" ? "always" : "once";
  const decision = native?.decision === "accept" ? accepted : "reject";
  return resolveBlock(draft, open, { decision, decidedBy: "agent" });
}

/** What a tool put out. A subagent's report comes in a frame of warnings to the model, a launch as a note to it. */
function outputOf(draft: ClaudeDraft, callID: string, result: ContentBlock, structured: unknown): string {
  const text = textOf(result.content);
  const part = draft.transcript.tools[callID];
  if (part?.tool !== "task" || part.state.status === "pending" || result.is_error === true) return text;
  const sessionID = part.state.metadata?.sessionId;
  return typeof sessionID === "string" ? taskOutput(sessionID, text, structured) : reportIn(text);
}

/** The output of a call that began a subagent: whose session it is, and its report once there is one. */
export function taskOutput(sessionID: string, text: string, structured: unknown): string {
  const launched = isRecord(structured) ? structured.status === "async_launched" : text.startsWith(LAUNCHED);
  if (launched) return `task_id: ${sessionID}`;
  const report =
    isRecord(structured) && Array.isArray(structured.content) ? textOf(structured.content) : reportIn(text);
  return `task_id: ${sessionID}\n\n<task_result>\n${report}\n</task_result>`;
}

const LAUNCHED = "Async agent launched";
const HAND_BACK = "[Subagent hand-back]";

/** The report behind the frame, each of whose lines is indented by two spaces. */
function reportIn(text: string): string {
  const frame = text.indexOf(HAND_BACK);
  if (frame < 0) return text;
  const body = text.slice(text.indexOf("\n", frame) + 1);
  return body.replace(/^ {2}/gm, "").trim();
}

export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .filter(isRecord)
    .filter((block) => block.type === "text")
    .map((block) => String(block.text ?? ""))
    .join("\n");
}

type Attachment = Omit<FilePart, "id" | "sessionID" | "messageID">;

/** The line holds an image twice, here and in `tool_use_result`; this one is kept. */
export function filesOf(content: unknown): Attachment[] {
  if (!Array.isArray(content)) return [];
  return content.filter(isRecord).flatMap((block) => {
    const source = block.type === "image" && isRecord(block.source) ? block.source : undefined;
    if (source?.type !== "base64") return [];
    const mime = String(source.media_type ?? "application/octet-stream");
    return [{ type: "file" as const, mime, url: `data:${mime};base64,${String(source.data ?? "")}` }];
  });
}

/** After an interrupt the CLI says "rejected" also of tools that were allowed and ran. */
function failureOf(draft: ClaudeDraft, output: string, metadata: Record<string, unknown>): ToolFailure {
  if (!draft.state.aborting) return { error: withoutTag(output), metadata };
  const native = { ...(isRecord(metadata.native) && metadata.native), result: output };
  return { error: "The turn was aborted while this ran", metadata: { ...metadata, native, interrupted: true } };
}

const ERROR_TAG = /^<tool_use_error>([\s\S]*)<\/tool_use_error>$/;

export function withoutTag(text: string): string {
  return ERROR_TAG.exec(text)?.[1] ?? text;
}

/** What the structured result adds to the text: the change an edit made, how a command ended. */
export function resultMetadata(draft: Draft, result: unknown): Record<string, unknown> {
  if (!isRecord(result)) return {};
  const { filePath, structuredPatch, originalFile, type, interrupted } = result;
  if (typeof filePath === "string" && Array.isArray(structuredPatch)) {
    const file = relativePath(filePath, draft.transcript.session.directory);
    const isNew = type === "create" || originalFile === null;
    // A new file comes without hunks.
    const filediff = isNew
      ? diffFile(file, null, String(result.content ?? ""))
      : diffFromHunks(file, structuredPatch.filter(isHunk), "modified");
    return { diff: filediff.patch, filediff };
  }
  const { backgroundTaskId: taskID } = result;
  if (typeof taskID === "string") return { background: true, taskID };
  return interrupted === true ? { interrupted } : {};
}

interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

function isHunk(value: unknown): value is Hunk {
  return isRecord(value) && Array.isArray(value.lines) && typeof value.oldStart === "number";
}
