import type { Block, ClientTool, McpServer, ReviewTarget } from "../../schemas/index.js";
import type { SessionSeed } from "../contract.js";
import type { ElicitationField } from "../shared/elicitation-form.js";
import type { Draft, QueuedPrompt, Transcript } from "../shared/transcript.js";

/** What the app-server has counted in a thread, over all its turns. */
export interface Totals {
  input: number;
  cached: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
}

/** An item of the running turn. A reasoning item has a part for each of its sections. */
export type OpenItem =
  | { kind: "text"; parts: Record<string, string> }
  | { kind: "tool"; callID: string }
  /** It has its end; what comes again changes nothing. */
  | { kind: "done" };

/** One conversation with the model: the main one, or a subagent's. */
export interface Thread {
  transcript: Transcript;
  /** The app-server's id of the thread; null before it has told it. */
  threadID: string | null;
  /** The app-server's id of the running turn. */
  turnID: string | null;
  /**
   * What `turn/started` called it, which an interrupt must name; null before, when an interrupt is refused. A review has
   * another name there than on its items.
   */
  startedID: string | null;
  /** Counts the turns: the app-server uses item ids again in a later one. */
  turns: number;
  /** Turns that are over; a late item of one opens nothing. */
  closedTurns: string[];
  /** Prompts of ours that the running turn has not yet echoed as items. */
  unechoed: number;
  /** A prompt joined the running turn: its totals are not those of one prompt's messages. */
  steered: boolean;
  /** The assistant message of the response that runs, and whether it calls tools. */
  messageID: string | null;
  callsTools: boolean;
  /** Items of the running turn, by id. */
  items: Record<string, OpenItem>;
  /** How often an id was opened in this turn. */
  opened: Record<string, number>;
  usage: Totals;
  /** The totals at the turn's beginning. */
  usageBefore: Totals;
  /** The last text of the assistant: what a subagent reports. */
  lastText: string;
  /** The call that stands for a review that runs. */
  reviewCall: string | null;
}

/** A subagent: a child session, and the call in its parent that began it. */
export interface Child extends Thread {
  threadID: string;
  /** The parent's thread; null for the main one. */
  parentThreadID: string | null;
  callID: string | null;
}

interface AskBase {
  token: string;
  blockID: string;
  /** The thread that asks; null for the main one. */
  threadID: string | null;
  callID: string;
  /** The tool part is only there because of the ask, and ends with it. */
  synthetic: boolean;
}

export type Ask = AskBase &
  (
    | { kind: "fileChange" }
    /** The app-server's own answers of the options that were offered, by their ids. */
    | { kind: "command"; options: Record<string, unknown> }
    | { kind: "permissions"; permissions: Record<string, unknown> }
    | { kind: "mcpTool"; persist: string | null }
    | { kind: "questions"; ids: string[]; secret: boolean[] }
    | { kind: "form"; fields: ElicitationField[] }
    | { kind: "url" }
    /** A tool that the session's client serves is to be carried out. */
    | { kind: "call" }
  );

/** What has a request of its own at the app-server; it begins a turn like a prompt. */
export type Task = { kind: "compact" } | { kind: "review"; target: ReviewTarget };

/** A request of ours whose answer matters. */
export type Pending =
  | { kind: "initialize" }
  | { kind: "models" }
  | { kind: "archive" }
  | { kind: "thread"; resumed: boolean }
  | { kind: "turn" }
  | { kind: "steer"; prompt: QueuedPrompt };

export interface CodexState {
  main: Thread;
  /** By thread id. One that ended stays: it may be spoken to again. */
  children: Record<string, Child>;
  process: "none" | "starting" | "running" | "ending";
  /** Whether the process has loaded the main thread. */
  thread: "none" | "opening" | "open";
  /** The app-server's id of the conversation, for `thread/resume`. */
  nativeID: string | null;
  /** Whether the conversation holds a turn that ended. */
  hasHistory: boolean;
  /** Counts our requests. */
  requests: number;
  /** Our requests that were not answered yet, by id. */
  pending: Record<string, Pending>;
  /** Somebody wants the process to run: there is a prompt, or it was asked for. */
  wanted: boolean;
  /** The session began as a copy of the thread `nativeID`, up to this turn; null once the copy is made. */
  fork: { at?: string } | null;
  mcpServers: Record<string, McpServer> | null;
  /** Whether the app-server has put the thread away, where it can only be taken out again. */
  archived: boolean;
  /** What prompts ask for that are no words for the model, by their messages. */
  tasks: Record<string, Task>;
  /** What the session's client serves. */
  tools: readonly ClientTool[];
  /** The prompt of the running turn, and whether it was sent. */
  prompt: { prompt: QueuedPrompt; sent: boolean } | null;
  /** Prompts that were sent into the running turn and that it has not echoed. */
  steered: QueuedPrompt[];
  aborting: boolean;
  /** Whether the last turn was sent in plan mode, which sticks to the thread. */
  planning: boolean;
  model: { provider: string; id: string } | null;
  /** Open asks by block id. */
  asks: Record<string, Ask>;
  /** Commands that run on behind their turn, by turn and item; absent where there was none. */
  outliving?: string[];
  /** Blocks that were answered elsewhere, by thread and call: the item's end tells the verdict. */
  withdrawn: Record<string, Block>;
}

/** One step of this adapter at work, in one of its threads. */
export interface CodexDraft extends Draft {
  readonly state: CodexState;
  readonly thread: Thread;
}

export const NO_TOTALS: Totals = { input: 0, cached: 0, cacheWrite: 0, output: 0, reasoning: 0 };

export function newThread(transcript: Transcript, threadID: string | null): Thread {
  return {
    transcript,
    threadID,
    turnID: null,
    startedID: null,
    turns: 0,
    closedTurns: [],
    unechoed: 0,
    steered: false,
    messageID: null,
    callsTools: false,
    items: {},
    opened: {},
    usage: NO_TOTALS,
    usageBefore: NO_TOTALS,
    lastText: "",
    reviewCall: null,
  };
}

export function newState(
  transcript: Transcript,
  { mcpServers, tools }: Pick<SessionSeed, "mcpServers" | "tools">,
): CodexState {
  return {
    main: newThread(transcript, null),
    children: {},
    process: "none",
    thread: "none",
    nativeID: null,
    hasHistory: false,
    requests: 0,
    pending: {},
    wanted: false,
    fork: null,
    archived: false,
    tasks: {},
    mcpServers: mcpServers ? { ...mcpServers } : null,
    tools: [...(tools ?? [])],
    prompt: null,
    steered: [],
    aborting: false,
    planning: false,
    model: null,
    asks: {},
    withdrawn: {},
  };
}

/** The same step, at work in another thread. */
export function inThread(draft: CodexDraft, thread: Thread): CodexDraft {
  return { ...draft, thread, transcript: thread.transcript };
}

export function isMain(draft: CodexDraft): boolean {
  return draft.thread === draft.state.main;
}

/** How asks and withdrawn blocks name the thread of a draft. */
export function threadKey(draft: CodexDraft): string | null {
  return isMain(draft) ? null : draft.thread.threadID;
}
