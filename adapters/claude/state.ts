import type { Block, ClientTool, Mode, Tokens } from "../../schemas/index.js";
import type { SessionSeed } from "../contract.js";
import type { Draft, QueuedPrompt, Transcript, WrittenOut } from "../shared/transcript.js";
import type { ContentBlock, PermissionUpdate, ResultMeta, Usage } from "./frame.js";
import type { TodoEntry } from "./todos.js";

/** One content block of a model response, by its index. */
export interface OpenBlock {
  kind: "text" | "reasoning" | "tool" | "other";
  /** The part's id, or the call's id of a tool. */
  ref: string;
}

/** A model response that is open: it streams, or its blocks come as whole lines. */
export interface ApiMessage {
  messageID: string;
  blocks: Record<string, OpenBlock>;
  /** How many `assistant` lines came; the next one is the block with this index. */
  lines: number;
  streamed: boolean;
  usage: Usage;
  stopReason?: string;
  /** The CLI says that it was cut short on purpose. */
  aborted?: boolean;
}

/** A `can_use_tool` request that waits for its answer. */
export interface Ask {
  requestID: string;
  blockID: string;
  /** The subagent that asks; null in the main thread. */
  taskID: string | null;
  callID: string;
  toolName: string;
  input: Record<string, unknown>;
  suggestions: PermissionUpdate[];
  blockedPath?: string;
  reason?: string;
  /** The form that an MCP server wants filled in. */
  form?: FormField[];
  /** The id of the call of a tool that the session's client serves: what was asked is to carry it out. */
  rpcID?: string | number;
}

export interface FormField {
  name: string;
  /** The JSON type of the value, or of each value where there may be several. */
  type: string;
  label: string;
  /** The only values allowed, with what the user is shown of each; any where empty. */
  options: { label: string; value: unknown }[];
  multiple: boolean;
}

/** The CLI was asked what waits: by which request, and what was answered since. */
export interface Recheck {
  requestID: string;
  answered: string[];
}

/** A change of the session that the CLI has not confirmed. */
export type PendingChange = SettingChange | OptionChange;
export type SettingChange = { kind: "mode"; value: Mode } | { kind: "model"; value: string };
/** `initial`: it is shown already, because the process was started with it. */
export type OptionChange = { kind: "option"; option: string; value: unknown; initial: boolean };

export interface SentPrompt {
  prompt: QueuedPrompt;
  uuid: string;
  /** It was sent into a turn that is another prompt's, or the agent's own. */
  steered: boolean;
  /** The agent had nothing to resume; the prompt is sent again to a new process. */
  again: boolean;
}

/** A call that a hook deferred, and what its turn has spent in processes that are gone. */
export interface Deferral {
  callID: string;
  /** Whether the process that took the call up has asked for it. */
  asked: boolean;
  cost: number;
  tokens: Tokens;
}

/** One conversation of the agent with its model: the main one, or a subagent's. */
export interface Thread {
  transcript: Transcript;
  api: Record<string, ApiMessage>;
  /** The id of the message that streams now: only its start names it on every version. */
  streaming: string | null;
  /** Responses that are closed; a late line of one opens nothing. */
  closedApi: string[];
  /** The last text that was closed since the last tool call: a report that repeats it adds nothing. */
  lastText: string | null;
}

/** Work that goes on beside the conversation, as a client sees it. */
export interface BackgroundTask {
  taskID: string;
  /** The agent's word for what it is: a command is `local_bash`, a subagent `local_agent`. */
  type: string;
  description: string;
  status: "running" | "completed" | "failed" | "stopped";
  /** The call that started it. */
  callID?: string;
  /** The session of a subagent. */
  sessionId?: string;
  /** The end of what a command has written, and how much there is in all. */
  output?: string;
  totalBytes?: number;
  truncated?: boolean;
}

/** A result that waits for the file which holds the whole output. */
export interface HeldResult {
  callID: string;
  path: string;
  result: ContentBlock;
  structured: unknown;
  meta: ResultMeta | undefined;
}

/** A subagent: a child session, known by the agent's id of the task, which a later run of it keeps. */
export interface Subagent extends Thread {
  taskID: string;
  /** The call in the parent's thread that this run answers, and whose thread that is (null: the main one). */
  callID: string | null;
  parentTaskID: string | null;
  /** Whether the agent has told of its beginning; one that is not is known by a line or an ask of its own. */
  started: boolean;
}

/** Two halves, so that a delta, which only the first has to do with, costs the copy of two references. */
export interface ClaudeState {
  main: Thread;
  side: Side;
}

/** All that is known beside the main conversation. */
export interface Side {
  /** By task id. A subagent that ended stays: it may be resumed, and its late lines must be known. */
  subagents: Record<string, Subagent>;
  /** `restarting`: it is being ended so that another one goes on with the turn. */
  process: "none" | "running" | "ending" | "restarting";
  /** Whether that process was started without the tools that a read-only one has not. */
  lacksTools: boolean;
  /** Whether the model has set a timer there, which would end with it. */
  hasTimers: boolean;
  /** It was asked for while it was being ended. */
  wanted: boolean;
  /** The agent's id of the conversation, for `--resume`. */
  nativeID: string | null;
  /** The conversation is still another session's: the first process makes a copy of it, up to the agent's id `at`. */
  fork: { at?: string } | null;
  mcpServers: SessionSeed["mcpServers"] | null;
  /** What the session's client serves. */
  tools: ClientTool[];
  /** Counts the gateway's own control requests. */
  requests: number;
  /** Requests whose refusal somebody must hear of, by their id. */
  changes: Record<string, PendingChange>;
  /** Prompts the agent has and has not answered: that of the running turn, if it has one, then those sent into it. */
  sent: SentPrompt[];
  /** The uuids of prompts answered last: one that a recording shows again was swallowed. */
  answered: string[];
  /** Whether the agent's conversation holds a turn that ended: only then is it on disk to resume. */
  hasHistory: boolean;
  aborting: boolean;
  /** While the running turn goes on in another process because of a hook. */
  deferral: Deferral | null;
  /** The call that the conversation on disk ends with, deferred; `stopped` once a new process was told to leave it. */
  leftDeferred: { callID: string; stopped: boolean } | null;
  /** The todo list, which the subagents share. */
  todos: TodoEntry[];
  /** The user message that marks a compaction whose summary has not come yet. */
  compaction: string | null;
  recheck: Recheck | null;
  /** Open asks by block id. */
  asks: Record<string, Ask>;
  /** Asks that wait for the old text of a file, by the token of the read. */
  reads: Record<string, Ask>;
  /** By task id. */
  tasks: Record<string, BackgroundTask>;
  /** Requests for the output of a task, by their id. */
  taskReads: Record<string, string>;
  /** By the token of the read. */
  held: Record<string, HeldResult>;
  /** Blocks of asks that the agent took back while the tool goes on, by call id: the result tells the verdict. */
  withdrawn: Record<string, { block: Block; taskID: string | null }>;
}

/** One step of this adapter at work, in one of its threads. */
export interface ClaudeDraft extends Draft {
  readonly state: Side;
  readonly main: Thread;
  readonly thread: Thread;
}

export function newThread(transcript: Transcript): Thread {
  return { transcript, api: {}, streaming: null, closedApi: [], lastText: null };
}

/** A thread with another transcript. Written out for the same reason as `withOpen`. */
export function withTranscript(thread: Thread, transcript: Transcript): WrittenOut<Thread> {
  const { api, streaming, closedApi, lastText } = thread;
  return { transcript, api, streaming, closedApi, lastText };
}

/** The same step, at work in another thread. */
export function inThread(draft: ClaudeDraft, thread: Thread): ClaudeDraft {
  return { ...draft, thread, transcript: thread.transcript };
}

/** The same step, at work in the thread where a call is open. */
export function inThreadOfCall(draft: ClaudeDraft, callID: string): ClaudeDraft | undefined {
  const threads = [draft.main, ...Object.values(draft.state.subagents)];
  const owner = threads.find(({ transcript }) => transcript.tools[callID]);
  return owner && inThread(draft, owner);
}

/** Which subagent's thread it is; null for the main one. */
export function taskIDOf(thread: Thread): string | null {
  return "taskID" in thread ? (thread as Subagent).taskID : null;
}

/** The thread of a subagent, or the main one. */
export function threadOf({ state, main }: ClaudeDraft, taskID: string | null): Thread {
  return (taskID === null ? undefined : state.subagents[taskID]) ?? main;
}
