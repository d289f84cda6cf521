import type { CodexDraft, CodexState, Thread } from "../state.js";

/** A call of the model that no item has told of yet. */
export interface NativeCall {
  name: string;
  namespace: string | null;
  /** What the model wrote: JSON, or for some tools plain text. */
  input: string;
  /** How many items its turn had: those that come later may be the call's own. */
  itemsBefore: number;
}

/** What a reading knows of a thread beside what the adapter does. */
export interface Side {
  /** What all ids of this thread begin with. */
  idSeed: string;
  /** How many frames were taken. */
  taken: number;
  /** When the last of them was written. */
  at: number;
  /** The open message: the line it began with, and the number of its next id. */
  message: { id: string; line: number; nextId: number } | null;
  model: { provider: string; id: string } | null;
  /** Calls of the running turn, by their ids. */
  calls: Record<string, NativeCall>;
}

/** The adapter's own state, which a rollout is read into by the adapter's own steps. */
export interface ReaderState {
  codex: CodexState;
  /** By thread; the session's own has an empty name. */
  sides: Record<string, Side>;
}

/** One step at work, in one of the threads. */
export interface ReaderDraft extends CodexDraft {
  readonly reader: ReaderState;
  readonly side: Side;
}

export function newSide(idSeed: string): Side {
  return { idSeed, taken: 0, at: 0, message: null, model: null, calls: {} };
}

export function inSide(draft: ReaderDraft, thread: Thread, side: Side): ReaderDraft {
  return { ...draft, thread, transcript: thread.transcript, side };
}

const LINE_WIDTH = 5;
/** The last number an id can end with: what closes a message comes after all its parts. */
const LAST_ID = 36 ** 6 - 1;

/**
 * Ids follow from the line that something began with, not from how much was read before: a rollout that was read to its end
 * and grew gives the same ids for what was there.
 */
function useLine({ transcript, side }: ReaderDraft, line: number, nextId = 1): void {
  transcript.idSeed = side.idSeed + line.toString(36).padStart(LINE_WIDTH, "0");
  transcript.nextId = nextId;
}

/** What a line brings: parts of the open message are numbered on from its first line. */
export function atLine(draft: ReaderDraft, line: number, run: () => void): void {
  const { side, thread, transcript } = draft;
  useMessage(draft, line);
  run();
  const { messageID } = thread;
  const began = side.message?.id === messageID ? side.message?.line : undefined;
  side.message = messageID === null ? null : { id: messageID, line: began ?? line, nextId: transcript.nextId };
}

/** What ends the open message, if anything does; then what else the line brings is numbered by itself. */
export function closing(draft: ReaderDraft, line: number, run: () => void): void {
  const { message } = draft.side;
  if (message) useLine(draft, message.line, LAST_ID);
  run();
  useMessage(draft, line);
}

function useMessage(draft: ReaderDraft, line: number): void {
  const { message } = draft.side;
  if (message && message.id === draft.thread.messageID) useLine(draft, message.line, message.nextId);
  else useLine(draft, line);
}

/** Ids of the adapter that goes on with a thread sort after all of these. */
export function idSeedAfter({ idSeed }: Side): string {
  return idSeed + "z".repeat(LINE_WIDTH);
}
