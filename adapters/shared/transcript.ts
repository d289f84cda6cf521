import {
  type AssistantMessage,
  type IdPrefix,
  makeId,
  type PromptPart,
  type ReasoningPart,
  type Session,
  type TextPart,
  type ToolPart,
  type UserMessage,
  type WireEvent,
} from "../../schemas/index.js";
import type { Output, SessionSeed } from "../contract.js";

/** A turn: from a prompt, or from what the agent began by itself, to the agent's end. */
export interface Turn {
  userMessageID: string;
  /** Why a turn that nobody prompted began. */
  origin?: string;
  /** The assistant message that was opened last; it carries the turn's totals. */
  lastMessageID?: string;
  lastStepFinishID?: string;
}

/** A prompt that waits for the running turn to end. Its user message is already in the conversation. */
export interface QueuedPrompt {
  info: UserMessage;
  parts: PromptPart[];
  /** The agent's own id of the prompt, where a recording shows one. */
  nativeID?: string;
}

/** A text that grows: its part as it was opened, and what it says by now. */
export interface OpenText {
  readonly part: TextPart | ReasoningPart;
  text: string;
}

/**
 * What one session has open, as plain JSON. Messages and parts that are closed are not kept: the store has them. Every
 * adapter's state holds one of these for each of its sessions.
 */
export interface Transcript {
  idSeed: string;
  nextId: number;
  /** The newest creation time given out: the next message is created later, so that times give the order. */
  lastCreated: number;
  session: Session;
  turn: Turn | null;
  lastUserMessageID: string | null;
  /** Open messages, and the last of the turn. */
  messages: Record<string, AssistantMessage>;
  texts: Record<string, OpenText>;
  /** Tool calls that have not reached a final state, by call id. */
  tools: Record<string, ToolPart>;
  queue: QueuedPrompt[];
}

/** One step at work: a private copy of the transcript, the time of the input, and what the step will have done. */
export interface Draft {
  readonly at: number;
  readonly transcript: Transcript;
  readonly outputs: Output[];
}

export function emit(draft: Draft, event: WireEvent): void {
  draft.outputs.push({ kind: "wire", event });
}

export function nextId({ transcript }: Pick<Draft, "transcript">, prefix: IdPrefix): string {
  return makeId(prefix, transcript.idSeed, transcript.nextId++);
}

/** A creation time for a message: now, or a millisecond after the newest one. */
export function nextCreated(draft: Draft): number {
  draft.transcript.lastCreated = Math.max(draft.at, draft.transcript.lastCreated + 1);
  return draft.transcript.lastCreated;
}

export function createTranscript(seed: SessionSeed): { transcript: Transcript; created: Output } {
  const session: Session = {
    id: seed.sessionID,
    projectID: seed.projectID,
    directory: seed.directory,
    ...(seed.parentID !== undefined && { parentID: seed.parentID }),
    title: seed.title,
    time: { created: seed.at, updated: seed.at, ...(seed.archived !== undefined && { archived: seed.archived }) },
    agent: seed.agent,
    ...(seed.model !== undefined && { model: seed.model }),
    mode: seed.mode,
    status: { type: "idle" },
    queue: [],
    ...(seed.permission && { permission: [...seed.permission] }),
    ...(seed.metadata && { metadata: { ...seed.metadata } }),
  };
  const transcript: Transcript = {
    idSeed: seed.idSeed,
    nextId: 1,
    lastCreated: seed.at,
    session,
    turn: null,
    lastUserMessageID: null,
    messages: {},
    texts: {},
    tools: {},
    queue: [],
  };
  const event: WireEvent = { type: "session.created", properties: { sessionID: session.id, info: session } };
  return { transcript, created: { kind: "wire", event } };
}

/** Every field, also those that may be missing: what copies an object field by field must forget none. */
export type WrittenOut<T> = { [K in keyof T]-?: T[K] };

/**
 * The transcript with other open texts or tools. Written out, and not spread: a spread of an object that a spread has made
 * costs twenty times as much, and this happens once per delta.
 */
export function withOpen(
  transcript: Transcript,
  open: Partial<Pick<Transcript, "texts" | "tools">>,
): WrittenOut<Transcript> {
  const { idSeed, nextId, lastCreated, session, turn, lastUserMessageID, messages, queue } = transcript;
  const { texts = transcript.texts, tools = transcript.tools } = open;
  return { idSeed, nextId, lastCreated, session, turn, lastUserMessageID, messages, texts, tools, queue };
}
