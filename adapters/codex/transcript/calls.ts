import type { FilePart } from "../../../schemas/index.js";
import { isRecord } from "../../shared/is-record.js";
import { annotateTool, completeTool, failTool, runTool } from "../../shared/tool-call.js";
import { camelCase } from "../camel-case.js";
import { onPlan } from "../plan.js";
import { openCall, openItem } from "../tool-parts.js";
import { DECLINED } from "../tool-results.js";
import type { ToolView } from "../tools.js";
import { endPermissions, endQuestions } from "./asked.js";
import { jsonOf, viewOfCall } from "./call-views.js";
import type { ResponseItemOf } from "./line.js";
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
  const known = { ...call, itemsBefore: programItems(draft) };
  draft.side.calls[callID] = known;
  const view = viewOfCall(known, callID, draft.transcript.session.directory);
  if (view) begin(draft, callID, view);
}

function begin(draft: ReaderDraft, callID: string, view: ToolView): string {
  const opened = openItem(draft, callID, view);
  runTool(draft, opened, view.input, view.title);
  return opened;
}

function programItems({ thread }: ReaderDraft): number {
  return Object.keys(thread.items).filter((id) => id.startsWith(PROGRAM_ITEM)).length;
}

export function onOutput(draft: ReaderDraft, callID: string, output: unknown): void {
  const call = draft.side.calls[callID];
  if (!call) return;
  delete draft.side.calls[callID];
  const text = textOf(output);
  const opened = openCall(draft, callID);
  if (opened === undefined && isTold(draft, callID, call)) return;
  if (call.name === "update_plan" && text === "Plan updated") return showPlan(draft, call);
  const part = opened ?? begin(draft, callID, plainView(callID, call));
  if (RUNS_ON.test(text)) return annotateTool(draft, part, { output: behindHeader(text) });
  // The turn ends with it.
  if (ABORTED.test(text)) return;
  draft.thread.items[callID] = { kind: "done" };
  end(draft, part, call, text, imagesIn(output));
}

function isTold(draft: ReaderDraft, callID: string, { name, itemsBefore }: NativeCall): boolean {
  if (name === WRITE_STDIN || draft.thread.items[callID] !== undefined) return true;
  return name === PROGRAM && programItems(draft) > itemsBefore;
}

/** Calls that have no result when their turn ends: they are there, and fail with it. */
export function openUntold(draft: ReaderDraft): void {
  for (const [callID, call] of Object.entries(draft.side.calls))
    if (!isTold(draft, callID, call)) begin(draft, callID, plainView(callID, call));
  draft.side.calls = {};
}

const RUNS_ON = /^Process running with session ID/m;
const ENDED = /^Process exited with code (\d+)/m;
const ABORTED = /^aborted by user/m;
const NOT_ALLOWED = /rejected by user|user rejected|user cancelled/;
const NOT_RUN = /^(?:unsupported call|failed to parse|apply_patch verification failed|Script failed)/;

/** The result came and no item: the tool never ran, or is one whose history has no items. */
function end(draft: ReaderDraft, callID: string, call: NativeCall, text: string, attachments: Attachment[]): void {
  const answer = jsonOf(text);
  if (call.name === "request_user_input" && answer) return endQuestions(draft, callID, jsonOf(call.input), answer);
  if (call.name === "request_permissions" && answer) return endPermissions(draft, callID, jsonOf(call.input), answer);
  if (NOT_ALLOWED.test(text)) return failTool(draft, callID, { error: DECLINED });
  if (call.name === "exec_command") return endCommand(draft, callID, text);
  if (NOT_RUN.test(text) || call.name === "request_user_input") return failTool(draft, callID, { error: text });
  completeTool(draft, callID, { output: behindHeader(text), attachments });
}

function endCommand(draft: ReaderDraft, callID: string, text: string): void {
  const exitCode = ENDED.exec(text)?.[1];
  if (exitCode === undefined) return failTool(draft, callID, { error: text });
  const output = behindHeader(text);
  const metadata = { output, exitCode: Number(exitCode) };
  if (exitCode === "0") return completeTool(draft, callID, { output, metadata });
  const error = output.trim() === "" ? `The command failed with exit code ${exitCode}` : output;
  failTool(draft, callID, { error, metadata });
}

/** The model is told how long it took and more before the output itself. */
function behindHeader(text: string): string {
  return /^Output:\n([\s\S]*)$/m.exec(text)?.[1] ?? text;
}

/** A call as the model wrote it. */
function plainView(itemID: string, { name, namespace, input: written }: NativeCall): ToolView {
  const native = { tool: name, itemID, ...(namespace !== null && { namespace }) };
  return { tool: name, input: jsonOf(written) ?? { input: written }, title: name, native };
}

function showPlan(draft: ReaderDraft, { input }: NativeCall): void {
  const written = jsonOf(input)?.plan;
  const steps = Array.isArray(written) ? written.filter(isRecord) : [];
  const plan = steps.map(({ step, status }) => ({ step: String(step), status: camelCase(String(status)) }));
  onPlan(draft, { threadId: "", turnId: "", plan });
}

function contentIn(output: unknown): Record<string, unknown>[] {
  return Array.isArray(output) ? output.filter(isRecord) : [];
}

function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  const texts = contentIn(output).flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  return texts.map((text, i) => (text.endsWith("\n") || i === texts.length - 1 ? text : `${text}\n`)).join("");
}

function imagesIn(output: unknown): Attachment[] {
  return contentIn(output).flatMap(({ image_url: url }) => (typeof url === "string" ? [imageOf(url)] : []));
}

function imageOf(url: string): Attachment {
  return { type: "file", mime: /^data:([^;,]+)/.exec(url)?.[1] ?? "image/*", url };
}

/** A picture that the vendor's model made: there is no item of it. */
export function onImage(draft: ReaderDraft, image: ResponseItemOf<"image_generation_call">): void {
  const { id, revised_prompt: prompt, result } = image;
  const native = { tool: "image_generation_call", itemID: id };
  const input = prompt == null ? {} : { prompt };
  const callID = begin(draft, id, { tool: "imageGeneration", input, title: "imageGeneration", native });
  draft.thread.items[id] = { kind: "done" };
  const attachments = result == null ? [] : [imageOf(`data:image/png;base64,${result}`)];
  completeTool(draft, callID, { output: "", attachments });
}
