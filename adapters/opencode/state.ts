import {
  type Block,
  type McpServer,
  type MessageError,
  type Mode,
  NO_TOKENS,
  type PermissionRule,
  type Tokens,
  type UserMessage,
} from "../../schemas/index.js";
import type { Draft, QueuedPrompt, Transcript } from "../shared/transcript.js";
import type { UserInfo } from "./frame.js";

/** A part of a message that is open. */
export type OpenPart =
  | { kind: "text"; partID: string }
  /** `native` is the model's own id of the call, by which asks name it. */
  | { kind: "tool"; callID: string; native: string }
  | { kind: "other"; partID: string }
  /** It has its end; what comes again changes nothing. */
  | { kind: "done" };

/** An assistant message that the server still works on. */
export interface OpenMessage {
  /** Our id. */
  id: string;
  parts: Record<string, OpenPart>;
  /** What its steps used. */
  steps: number;
  tokens: Tokens;
  cost: number;
  /** Its end as the server told it. Parts may still come behind it: its events are written late. */
  end: { finish: string | null; tokens: Tokens; cost: number; error: MessageError | null } | null;
}

/** One session of the server: the main one, or a subagent's. */
export interface Thread {
  transcript: Transcript;
  /** The server's id of the session; null before it has told it. */
  nativeID: string | null;
  /** Counts the assistant messages: a model may use the ids of its calls again in a later one. */
  responses: number;
  /** The newest assistant message that was opened: ids ascend, and what is older is over. */
  newest: string;
  /** Messages the server works on, by its ids. */
  open: Record<string, OpenMessage>;
  /** Our ids of the newest user messages, by the server's. */
  users: Record<string, string>;
  /** A user message whose first part, which tells what it is, has not come. */
  announced: UserInfo | null;
  /** The newest user message, whose summary the server tells later. */
  lastUser: { nativeID: string; info: UserMessage } | null;
  /** Something of the turn was heard: an `idle` is its end, and not the second one of the turn before. */
  started: boolean;
  /** The server is idle, though a message has not got its end: that comes behind it. */
  settling: boolean;
  /** The last failure of the turn. */
  error: MessageError | null;
  /** What the server says that the messages of the turn used. */
  told: Tokens;
  /** A call was rejected in this turn, which takes the others with it. */
  rejected: boolean;
  /** The turn is a compaction that was asked for. */
  compacting: boolean;
}

export interface Child extends Thread {
  nativeID: string;
}

/** An ask of the server that waits for an answer. */
export interface Ask {
  kind: "permission" | "question";
  /** The server's id of it. */
  nativeID: string;
  blockID: string;
  /** The session that asks; null for the main one. */
  threadID: string | null;
  callID: string;
  /** The tool part is only there because of the ask, and ends with it. */
  synthetic: boolean;
  /** What will be shown once the input of its call is known: an ask may come a moment before. */
  held: Block | null;
}

/** A request of ours whose answer matters. */
export type Pending =
  | { kind: "agents" }
  | { kind: "mcp" }
  | { kind: "session"; how: "new" | "resumed" | "forked" }
  | { kind: "history"; at: string }
  | { kind: "rules" }
  | { kind: "prompt" }
  | { kind: "compact" }
  | { kind: "abort" }
  | { kind: "reply" }
  | { kind: "messages"; threadID: string }
  | { kind: "permissions" }
  | { kind: "questions" }
  | { kind: "statuses" };

export interface OpencodeState {
  main: Thread;
  /** By the server's session id. */
  children: Record<string, Child>;
  process: "none" | "starting" | "running" | "ending";
  /** How far the server has been prepared for the prompt. */
  session: "none" | "opening" | "open";
  /** The server's id of the conversation. */
  nativeID: string | null;
  requests: number;
  /** Our requests that were not answered yet, by token. */
  pending: Record<string, Pending>;
  /** Somebody wants the process to run: there is a prompt, or it was asked for. */
  wanted: boolean;
  /** The session began as a copy of the session `nativeID`, up to this message; null once the copy is made. */
  fork: { at: string } | null;
  /** The messages of a copy are told anew: until the first prompt they are no news. */
  copying: boolean;
  mcpServers: Record<string, McpServer> | null;
  /** The names of all tool servers, with which the names of their tools begin. */
  mcpNames: string[];
  /** What the user's own configuration says of the tools that a mode asks for. */
  userRules: PermissionRule[];
  /** The mode that the process was started in. */
  launchedMode: Mode | null;
  /** The prompt of the running turn, and how far it has come. */
  prompt: { prompt: QueuedPrompt; sent: "no" | "yes" | "accepted" } | null;
  aborting: boolean;
  model: { provider: string; id: string } | null;
  /** The last title that the server told. */
  title: string | null;
  /** Open asks by block id. */
  asks: Record<string, Ask>;
}

/** One step of this adapter at work, in one of its threads. */
export interface OpencodeDraft extends Draft {
  readonly state: OpencodeState;
  readonly thread: Thread;
}

export function newThread(transcript: Transcript, nativeID: string | null): Thread {
  return {
    transcript,
    nativeID,
    responses: 0,
    newest: "",
    open: {},
    users: {},
    announced: null,
    lastUser: null,
    started: false,
    settling: false,
    error: null,
    told: NO_TOKENS,
    rejected: false,
    compacting: false,
  };
}

export function newState(transcript: Transcript, mcpServers?: Readonly<Record<string, McpServer>>): OpencodeState {
  return {
    main: newThread(transcript, null),
    children: {},
    process: "none",
    session: "none",
    nativeID: null,
    requests: 0,
    pending: {},
    wanted: false,
    fork: null,
    copying: false,
    mcpServers: mcpServers ? { ...mcpServers } : null,
    mcpNames: Object.keys(mcpServers ?? {}),
    userRules: [],
    launchedMode: null,
    prompt: null,
    aborting: false,
    model: null,
    title: null,
    asks: {},
  };
}

/** The same step, at work in another thread. */
export function inThread(draft: OpencodeDraft, thread: Thread): OpencodeDraft {
  return { ...draft, thread, transcript: thread.transcript };
}

export function isMain(draft: OpencodeDraft): boolean {
  return draft.thread === draft.state.main;
}

/** How asks name the thread of a draft. */
export function threadKey(draft: OpencodeDraft): string | null {
  return isMain(draft) ? null : draft.thread.nativeID;
}

export function knownThread(draft: OpencodeDraft, nativeID: string): Thread | undefined {
  const { main, children } = draft.state;
  return main.nativeID === nativeID ? main : children[nativeID];
}

export function threadsOf({ state }: OpencodeDraft): Thread[] {
  return [state.main, ...Object.values(state.children)];
}
