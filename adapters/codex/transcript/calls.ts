import type { FilePart } from "../../../schemas/index.js";
import { isRecord } from "../../shared/is-record.js";
import { annotateTool, completeTool, failTool, runTool } from "../../shared/tool-call.js";
import { oneLine } from "../paths.js";
import { onPlan } from "../plan.js";
import { openCall, openItem } from "../tool-parts.js";
import { commandView, type ToolView } from "../tools.js";
import { camel } from "./item.js";
import { answerQuestions } from "./questions.js";
import type { NativeCall, ReaderDraft } from "./state.js";

type Attachment = Omit<FilePart, "id" | "sessionID" | "messageID">;

/** What is typed into a command that runs, and what it says: the command's own item tells it whole. */
const WRITE_STDIN = "write_stdin";
/** The newer models call no tool but one that runs their program; what the program calls comes as items. */
const PROGRAM = "exec";
const PROGRAM_ITEM = "exec-";

/**
 * The model calls a tool. What is known to become an item is shown at once; any other call is shown with its result, where
 * no item has told of it by then: of what failed before it ran there is none.
 */
export function onCall(draft: ReaderDraft, callID: string, call: Omit<NativeCall, "itemsBefore">): void {
  draft.side.calls[callID] = { ...call, itemsBefore: programItems(draft) };
  const view = viewOfItem(draft, callID, call);
  if (view) runTool(draft, openItem(draft, callID, view), view.input, view.title);
}

function programItems({ thread }: ReaderDraft): number {
  return Object.keys(thread.items).filter((id) => id.startsWith(PROGRAM_ITEM)).length;
}

export function onOutput(draft: ReaderDraft, callID: string, output: unknown): void {
  const call = draft.side.calls[callID];
  if (!call) return;
  delete draft.side.calls[callID];
  const opened = openCall(draft, callID);
  if (opened !== undefined) return endOpened(draft, callID, opened, call, textOf(output));
  if (!isTold(draft, callID, call)) showCall(draft, callID, call, output);
}

function isTold(draft: ReaderDraft, callID: string, { name, itemsBefore }: NativeCall): boolean {
  if (name === WRITE_STDIN || draft.thread.items[callID] !== undefined) return true;
  return name === PROGRAM && programItems(draft) > itemsBefore;
}

/** Calls that have no result when their turn ends: they are there, and fail with it. */
export function openUntold(draft: ReaderDraft): void {
  for (const [callID, call] of Object.entries(draft.side.calls))
    if (!isTold(draft, callID, call)) beginCall(draft, callID, call);
  draft.side.calls = {};
}

const RUNS_ON = /^Process running with session ID/m;
const ENDED = /^Process exited with code (\d+)/m;
const ABORTED = /^aborted by user/;
const NOT_RUN = /rejected|^unsupported call|^failed to parse|^apply_patch verification failed/;

/** The result came and no item: the tool never ran, runs on, or is one whose history has no items. */
function endOpened(draft: ReaderDraft, itemID: string, callID: string, call: NativeCall, text: string): void {
  const output = behindHeader(text);
  // Its turn ends with it.
  if (ABORTED.test(text)) return;
  if (RUNS_ON.test(text)) return annotateTool(draft, callID, { output });
  draft.thread.items[itemID] = { kind: "done" };
  if (call.name !== "exec_command")
    return NOT_RUN.test(text) ? failTool(draft, callID, { error: text }) : completeTool(draft, callID, { output });
  const exitCode = ENDED.exec(text)?.[1];
  if (exitCode === undefined) return failTool(draft, callID, { error: text });
  const metadata = { output, exitCode: Number(exitCode) };
  if (exitCode === "0") return completeTool(draft, callID, { output, metadata });
  const error = output.trim() === "" ? `The command failed with exit code ${exitCode}` : output;
  failTool(draft, callID, { error, metadata });
}

/** The model is told how long it took and more before the output itself. */
function behindHeader(text: string): string {
  return /^Output:\n([\s\S]*)$/m.exec(text)?.[1] ?? text;
}

function showCall(draft: ReaderDraft, callID: string, call: NativeCall, output: unknown): void {
  const text = textOf(output);
  const input = jsonOf(call.input);
  if (call.name === "update_plan" && text === "Plan updated") return showPlan(draft, input);
  if (call.name === "request_user_input" && answerQuestions(draft, callID, input, text)) return;
  const opened = beginCall(draft, callID, call);
  if (ABORTED.test(text)) return;
  draft.thread.items[callID] = { kind: "done" };
  if (NOT_RUN.test(text)) return failTool(draft, opened, { error: text });
  completeTool(draft, opened, { output: behindHeader(text), attachments: imagesIn(output) });
}

function beginCall(draft: ReaderDraft, callID: string, { name, namespace, input: written }: NativeCall): string {
  const input = jsonOf(written) ?? { input: written };
  const native = { tool: name, itemID: callID, ...(namespace !== null && { namespace }) };
  const opened = openItem(draft, callID, { tool: name, input, title: name, native });
  runTool(draft, opened, input, name);
  return opened;
}

function showPlan(draft: ReaderDraft, input: Record<string, unknown> | undefined): void {
  const steps = Array.isArray(input?.plan) ? input.plan.filter(isRecord) : [];
  const plan = steps.map(({ step, status }) => ({ step: String(step), status: camel(String(status)) }));
  onPlan(draft, { threadId: "", turnId: "", plan });
}

/** How the call's item will look; undefined for a tool that may have none. */
function viewOfItem(draft: ReaderDraft, itemID: string, call: Omit<NativeCall, "itemsBefore">): ToolView | undefined {
  const { directory } = draft.transcript.session;
  if (call.name === "apply_patch") return patchView(call.input, itemID, directory);
  const input = jsonOf(call.input);
  if (call.name === "exec_command" && typeof input?.cmd === "string")
    return execView(input.cmd, input, itemID, directory);
  const server = /^mcp__(.+)$/.exec(call.namespace ?? "")?.[1];
  if (server === undefined) return undefined;
  const native = { tool: "mcpToolCall", itemID, server, name: call.name };
  return { tool: "mcp", input: input ?? {}, title: `${server}: ${call.name}`, native };
}

/** A patch that goes through the shell becomes the item of a patch. */
function execView(cmd: string, input: Record<string, unknown>, itemID: string, directory: string) {
  if (cmd.includes("apply_patch")) return undefined;
  const workdir = typeof input.workdir === "string" ? input.workdir : directory;
  return { ...commandView(cmd, workdir, directory), native: { tool: "commandExecution", itemID } };
}

const PATCHED = /^\*\*\* (Add|Update|Delete) File: (.*)$/gm;

function patchView(patch: string, itemID: string, directory: string): ToolView {
  const files = [...patch.matchAll(PATCHED)].map(([, kind = "", path = ""]) => ({ path, type: kind.toLowerCase() }));
  const tool = files.length > 0 && files.every(({ type }) => type === "add") ? "write" : "edit";
  const [first] = files;
  return {
    tool,
    input: { ...(files.length === 1 && first && { filePath: absolute(first.path, directory) }), files },
    title: `${tool} ${oneLine(files.map(({ path }) => path).join(", "))}`,
    native: { tool: "fileChange", itemID },
  };
}

function absolute(path: string, directory: string): string {
  return path.startsWith("/") ? path : `${directory}/${path}`;
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function contentIn(output: unknown): Record<string, unknown>[] {
  return Array.isArray(output) ? output.filter(isRecord) : [];
}

function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  return contentIn(output)
    .flatMap(({ text }) => (typeof text === "string" ? [text] : []))
    .join("\n");
}

function imagesIn(output: unknown): Attachment[] {
  return contentIn(output).flatMap(({ image_url: url }) => (typeof url === "string" ? [imageOf(url)] : []));
}

function imageOf(url: string): Attachment {
  return { type: "file", mime: /^data:([^;,]+)/.exec(url)?.[1] ?? "image/*", url };
}

/** A picture that the vendor's model made: there is no item of it. */
export function onImage(draft: ReaderDraft, itemID: string, prompt: string | null, base64: string | null): void {
  const input = prompt === null ? {} : { prompt };
  const native = { tool: "image_generation_call", itemID };
  const callID = openItem(draft, itemID, { tool: "imageGeneration", input, title: "imageGeneration", native });
  draft.thread.items[itemID] = { kind: "done" };
  runTool(draft, callID, input, "imageGeneration");
  const attachments = base64 === null ? [] : [imageOf(`data:image/png;base64,${base64}`)];
  completeTool(draft, callID, { output: "", attachments });
}
