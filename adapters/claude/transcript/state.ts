import type { Draft, Transcript } from "../../shared/transcript.js";
import type { Usage } from "../frame.js";
import type { TodoEntry } from "../todos.js";
import type { AboutEntry, PermissionVerdict } from "./entry.js";

/** The model response whose lines come: one for each content block, all with the same id. */
export interface OpenAnswer {
  apiID: string;
  messageID: string;
  /** The line it began with, and the number of its next id. */
  line: number;
  nextId: number;
  usage: Usage;
  stopReason: string | null;
  hasTools: boolean;
  aborted: boolean;
}

/** A conversation: the session's own, or a subagent's. */
export interface ThreadState {
  name: string;
  /** What all ids of this conversation begin with. */
  idSeed: string;
  transcript: Transcript;
  answer: OpenAnswer | null;
  /** How many frames were taken. */
  taken: number;
  /** When the last of them was written. */
  at: number;
}

/** A tool's result as its line tells it. */
export interface NativeResult {
  callID: string;
  content: unknown;
  isError: boolean;
  structured: unknown;
  /** The whole output stands in a file that was not to be had. */
  isPreview?: boolean;
  denial: string | null;
  verdict: PermissionVerdict | null;
}

export interface ReaderState {
  main: ThreadState;
  /** By the agent's id of the subagent. */
  subagents: Record<string, ThreadState>;
  abouts: Record<string, AboutEntry>;
  /** Texts that were typed while a turn ran and have not gone to the model. */
  queued: string[];
  /** Results whose output stands in a file of its own, by the token of the read. */
  held: Record<string, { thread: string; line: number; at: number; result: NativeResult }>;
  /** The user message that marks a compaction whose summary comes next. */
  compaction: string | null;
  /** Shared with the subagents. */
  todos: TodoEntry[];
}

/** One step at work, in one of the conversations. */
export interface ReaderDraft extends Draft {
  readonly state: ReaderState;
  readonly thread: ThreadState;
  /** Whether the line is no longer part of the conversation. */
  readonly abandoned: boolean;
}

export function newThread(name: string, idSeed: string, transcript: Transcript): ThreadState {
  return { name, idSeed, transcript, answer: null, taken: 0, at: transcript.session.time.created };
}

export function inThread(draft: ReaderDraft, thread: ThreadState): ReaderDraft {
  return { ...draft, thread, transcript: thread.transcript };
}

/** The same step at the time of the last line before it: what a pause shows to be over was over then. */
export function beforePause(draft: ReaderDraft): ReaderDraft {
  return { ...draft, at: draft.thread.at };
}

const LINE_WIDTH = 5;
/** The last number an id can end with: what closes a message comes after all its parts. */
const LAST_ID = 36 ** 6 - 1;

/**
 * Ids follow from the line that something began with, not from how much was read before: a transcript that was read to
 * its end and grew gives the same ids for what was there.
 */
export function useLine(thread: ThreadState, line: number, nextId = 1): void {
  thread.transcript.idSeed = thread.idSeed + line.toString(36).padStart(LINE_WIDTH, "0");
  thread.transcript.nextId = nextId;
}

/** Parts of an answer are numbered on, whatever lines come between. */
export function inAnswer(thread: ThreadState, answer: OpenAnswer, run: () => void): void {
  const { idSeed, nextId } = thread.transcript;
  useLine(thread, answer.line, answer.nextId);
  run();
  answer.nextId = thread.transcript.nextId;
  Object.assign(thread.transcript, { idSeed, nextId });
}

export function atEndOfAnswer(thread: ThreadState, answer: OpenAnswer, run: () => void): void {
  inAnswer(thread, { ...answer, nextId: LAST_ID }, run);
}

/** Ids of the adapter that goes on with the session sort after all of these. */
export function idSeedAfter(thread: ThreadState): string {
  return thread.idSeed + "z".repeat(LINE_WIDTH);
}
