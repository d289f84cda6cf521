import type { ToolPart } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import { resolveBlock } from "../shared/resolve-block.js";
import {
  annotateTool,
  appendToolOutput,
  completeTool,
  failTool,
  openTool,
  runTool,
  setState,
} from "../shared/tool-call.js";
import { forgetAskOf, showHeldAsk } from "./asks.js";
import { fileOf } from "./files.js";
import type { NativePartOf, NativeToolState } from "./frame.js";
import { sessionIDOf } from "./sessions.js";
import type { OpencodeDraft, OpenMessage } from "./state.js";
import { endOfTool, viewTool } from "./tools.js";

/** A tool call. Its part is sent whole with each piece of output, and asks are told apart from it. */
export function onToolPart(draft: OpencodeDraft, message: OpenMessage, part: NativePartOf<"tool">): void {
  const { state } = part;
  const known = message.parts[part.id];
  if (known?.kind === "done") return;
  const callID = known?.kind === "tool" ? known.callID : openCall(draft, message, part);
  if (state.status === "pending") return;
  const { title } = viewTool(part, draft.transcript.session.directory, draft.state.mcpNames);
  runTool(draft, callID, state.input, title);
  showHeldAsk(draft, callID);
  if (state.status === "running") return onRunning(draft, callID, state, title);
  endCall(draft, callID, part, title);
  message.parts[part.id] = { kind: "done" };
}

/** A call's own id may come again in a later message. */
function openCall(draft: OpencodeDraft, message: OpenMessage, part: NativePartOf<"tool">): string {
  const { session } = draft.transcript;
  const view = viewTool(part, session.directory, draft.state.mcpNames);
  const base = `${draft.thread.responses}.${part.callID}`;
  const taken = Object.values(message.parts).some((other) => other.kind === "tool" && other.callID === base);
  const callID = taken ? `${base}#${part.id}` : base;
  openTool(
    draft,
    { id: message.id, sessionID: session.id },
    { callID, tool: view.tool, metadata: { native: view.native } },
  );
  message.parts[part.id] = { kind: "tool", callID, native: part.callID };
  return callID;
}

function onRunning(draft: OpencodeDraft, callID: string, state: NativeToolState, title: string): void {
  const part = draft.transcript.tools[callID];
  if (!part || part.state.status === "pending") return;
  learnInput(draft, part, state, title);
  const { output, ...rest } = metadataOf(draft, state);
  if (typeof output === "string") growOutput(draft, callID, output);
  learnMetadata(draft, callID, rest);
}

/** An ask that was answered at once was shown before its call had an input. */
function learnInput(draft: OpencodeDraft, part: ToolPart, { input }: NativeToolState, title: string): void {
  if (part.state.status !== "running" || JSON.stringify(part.state.input) === JSON.stringify(input)) return;
  setState(draft, part, { ...part.state, input, title });
}

/** The output so far comes whole; where it is not the beginning's continuation, its middle was cut. */
function growOutput(draft: OpencodeDraft, callID: string, output: string): void {
  const state = draft.transcript.tools[callID]?.state;
  if (!state || state.status === "pending") return;
  const before = String(state.metadata?.output ?? "");
  if (output.startsWith(before)) appendToolOutput(draft, callID, output.slice(before.length));
  else annotateTool(draft, callID, { output });
}

function learnMetadata(draft: OpencodeDraft, callID: string, metadata: Record<string, unknown>): void {
  const state = draft.transcript.tools[callID]?.state;
  const known = state && state.status !== "pending" ? (state.metadata ?? {}) : {};
  const changed = Object.entries(metadata).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(known[key]),
  );
  if (changed.length > 0) annotateTool(draft, callID, Object.fromEntries(changed));
}

function endCall(draft: OpencodeDraft, callID: string, part: NativePartOf<"tool">, title: string): void {
  const end = endOfTool(part);
  const metadata = metadataOf(draft, part.state);
  const block = agentsVerdict(draft, callID, end.error !== undefined);
  const attachments = (part.state.attachments ?? []).map(fileOf);
  forgetAskOf(draft, callID);
  if (end.error !== undefined) failTool(draft, callID, { error: end.error, metadata, ...block });
  else completeTool(draft, callID, { output: end.output, title, metadata, attachments, ...block });
}

/** It has its end although nobody here decided. */
function agentsVerdict(draft: OpencodeDraft, callID: string, failed: boolean) {
  const state = draft.transcript.tools[callID]?.state;
  if (state?.status !== "blocked") return {};
  const decision = failed ? "reject" : "once";
  return { block: resolveBlock(draft, state.block, { decision, decidedBy: "agent" }) };
}

/** Sessions are named by our ids. */
function metadataOf(draft: OpencodeDraft, { metadata }: NativeToolState): Record<string, unknown> {
  if (!isRecord(metadata)) return {};
  const named = (["sessionId", "parentSessionId"] as const).flatMap((key) => {
    const id = sessionIDOf(draft, metadata[key]);
    return id === undefined ? [] : [[key, id] as const];
  });
  return { ...metadata, ...Object.fromEntries(named) };
}
