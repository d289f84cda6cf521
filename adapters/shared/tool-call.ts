import {
  type Block,
  canTransition,
  type FilePart,
  isFinal,
  type ResolvedBlock,
  type ToolPart,
  type ToolState,
} from "../../schemas/index.js";
import { emitPart, partOf } from "./assistant-message.js";
import { emitDelta } from "./open-text.js";
import type { Draft } from "./transcript.js";

type Input = Record<string, unknown>;

export interface ToolOpening {
  readonly callID: string;
  readonly tool: string;
  readonly metadata?: Record<string, unknown>;
}

/** Opens a tool call whose input the model is still writing. Returns the part of an already known call as it is. */
export function openTool(draft: Draft, message: { id: string; sessionID: string }, opening: ToolOpening): ToolPart {
  const known = draft.transcript.tools[opening.callID];
  if (known) return known;
  const part: ToolPart = {
    ...partOf(draft, message),
    type: "tool",
    callID: opening.callID,
    tool: opening.tool,
    state: { status: "pending", input: {}, raw: "" },
    ...(opening.metadata && { metadata: opening.metadata }),
  };
  draft.transcript.tools[opening.callID] = part;
  emitPart(draft, part);
  return part;
}

/** Appends to the input of a pending call as the model writes it. */
export function appendToolInput(draft: Draft, callID: string, delta: string): void {
  const part = draft.transcript.tools[callID];
  if (part?.state.status !== "pending" || delta === "") return;
  emitDelta(draft, part, "state.raw", part.state.raw.length, delta);
  part.state.raw += delta;
}

/** Appends to what a tool that runs has put out so far. */
export function appendToolOutput(draft: Draft, callID: string, delta: string): void {
  const part = draft.transcript.tools[callID];
  if ((part?.state.status !== "running" && part?.state.status !== "blocked") || delta === "") return;
  const before = String(part.state.metadata?.output ?? "");
  emitDelta(draft, part, "state.metadata.output", before.length, delta);
  part.state.metadata = { ...part.state.metadata, output: before + delta };
}

/** The call's input is whole and the tool starts. Nothing happens when it is already further. */
export function runTool(draft: Draft, callID: string, input: Input, title: string): void {
  const part = draft.transcript.tools[callID];
  if (part?.state.status !== "pending") return;
  setState(draft, part, { status: "running", input, title, time: { start: draft.at } });
}

/** The tool waits for a decision or an answer. A decision it had before stays readable. */
export function blockTool(draft: Draft, callID: string, input: Input, title: string, block: Block): void {
  const part = draft.transcript.tools[callID];
  if (!part || part.state.status === "blocked") return;
  const decided = resolvedBlock(part.state);
  const earlier = [...(priorBlocks(part.state) ?? []), ...(decided ? [decided] : [])];
  setState(draft, part, {
    status: "blocked",
    input,
    title,
    ...metadataOf(part.state),
    time: { start: startOf(draft, part.state) },
    block,
    ...(earlier.length > 0 && { priorBlocks: earlier }),
  });
}

/** The decision is made and the tool may go on; `input` when the decision changed it. */
export function unblockTool(draft: Draft, callID: string, block: ResolvedBlock | undefined, input?: Input): void {
  const part = draft.transcript.tools[callID];
  if (part?.state.status !== "blocked") return;
  const { title, time } = part.state;
  setState(draft, part, {
    status: "running",
    input: input ?? part.state.input,
    ...(title !== undefined && { title }),
    ...metadataOf(part.state),
    time,
    ...blocksOf(part.state, block),
  });
}

/** Adds to the metadata of a tool that runs. */
export function annotateTool(draft: Draft, callID: string, metadata: Record<string, unknown>): void {
  const part = draft.transcript.tools[callID];
  if (part?.state.status !== "running") return;
  setState(draft, part, { ...part.state, metadata: { ...part.state.metadata, ...metadata } });
}

export interface ToolResult {
  readonly output: string;
  readonly title?: string;
  readonly metadata?: Record<string, unknown>;
  readonly attachments?: readonly Omit<FilePart, "id" | "sessionID" | "messageID">[];
  /** The decision, where it is only known from the result. */
  readonly block?: ResolvedBlock;
}

export function completeTool(draft: Draft, callID: string, result: ToolResult): void {
  const part = draft.transcript.tools[callID];
  if (!part) return;
  const attachments = result.attachments?.map((file) => ({
    ...partOf(draft, { id: part.messageID, sessionID: part.sessionID }),
    ...file,
  }));
  setState(draft, part, {
    status: "completed",
    input: inputOf(part.state),
    output: result.output,
    title: result.title ?? titleOf(part.state) ?? part.tool,
    metadata: { ...metadataOf(part.state).metadata, ...result.metadata },
    time: { start: startOf(draft, part.state), end: draft.at },
    ...(attachments && attachments.length > 0 && { attachments }),
    ...blocksOf(part.state, result.block),
  });
}

export interface ToolFailure {
  readonly error: string;
  readonly metadata?: Record<string, unknown>;
  readonly block?: ResolvedBlock;
}

export function failTool(draft: Draft, callID: string, failure: ToolFailure): void {
  const part = draft.transcript.tools[callID];
  if (!part) return;
  const title = titleOf(part.state);
  const metadata = { ...metadataOf(part.state).metadata, ...failure.metadata };
  setState(draft, part, {
    status: "error",
    input: inputOf(part.state),
    error: failure.error,
    ...(title !== undefined && { title }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    time: { start: startOf(draft, part.state), end: draft.at },
    ...blocksOf(part.state, failure.block),
  });
}

export function setState(draft: Draft, part: ToolPart, state: ToolState): void {
  if (!canTransition(part.state.status, state.status)) return;
  part.state = state;
  if (isFinal(state.status)) delete draft.transcript.tools[part.callID];
  emitPart(draft, part);
}

function inputOf(state: ToolState): Input {
  if (state.status !== "pending" || state.raw === "") return state.input;
  return { raw: state.raw };
}

function titleOf(state: ToolState): string | undefined {
  return state.status === "pending" ? undefined : state.title;
}

function metadataOf(state: ToolState): { metadata?: Record<string, unknown> } {
  return state.status === "pending" || state.metadata === undefined ? {} : { metadata: state.metadata };
}

function startOf(draft: Draft, state: ToolState): number {
  return state.status === "pending" ? draft.at : state.time.start;
}

function resolvedBlock(state: ToolState): ResolvedBlock | undefined {
  return state.status === "running" ? state.block : undefined;
}

function priorBlocks(state: ToolState): ResolvedBlock[] | undefined {
  return state.status === "running" || state.status === "blocked" ? state.priorBlocks : undefined;
}

function blocksOf(state: ToolState, decided?: ResolvedBlock): { block?: ResolvedBlock; priorBlocks?: ResolvedBlock[] } {
  const block = decided ?? resolvedBlock(state);
  const prior = priorBlocks(state);
  return { ...(block && { block }), ...(prior && { priorBlocks: prior }) };
}
