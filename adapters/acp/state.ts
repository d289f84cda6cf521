import type { Block, McpServer, MessageError, PromptPart, Tokens } from "../../schemas/index.js";
import type { Draft, QueuedPrompt, Transcript } from "../shared/transcript.js";
import type { ElicitationField } from "./elicitation-form.js";
import type { RpcError } from "./frame.js";
import type { Profile } from "./profile.js";

/** All that the agent has said of a tool call that is not over, each field as it was said last. */
export interface Call {
  /** The id of its part. */
  callID: string;
  /** The agent's name of the tool; null where it tells none. */
  name: string | null;
  title?: string;
  kind?: string;
  status?: string;
  content?: unknown[];
  locations?: unknown[];
  rawInput?: unknown;
  rawOutput?: unknown;
  meta?: Record<string, unknown>;
  /** Its changes of files, which a later content may leave out. */
  diffs: unknown[];
  /** What came through the terminal metadata of the vendors. */
  terminal: string;
  exitCode?: number;
  /** So far it is only known from a permission request. */
  asked?: boolean;
  /** The arguments as they stream, where they come as content. */
  raw?: string;
  /** An ask that was answered elsewhere: the call's end tells the verdict. */
  withdrawn?: Block;
}

/** The response of the model that runs. */
export interface ModelResponse {
  messageID: string;
  /** The agent's own id of it. */
  nativeID: string | null;
  /** The ids of the parts of its calls. */
  calls: string[];
}

export interface OpenChunks {
  partID: string;
  type: "text" | "reasoning";
  nativeID: string | null;
}

/** One conversation with the model: the main one, or a subagent's. */
export interface Conversation {
  transcript: Transcript;
  /** The agent's id of the session; null before it has told it. */
  nativeID: string | null;
  /** Counts the turns: agents use the ids of calls again in a later one. */
  turns: number;
  response: ModelResponse | null;
  /** The text that grows. */
  chunks: OpenChunks | null;
  /** Open tool calls, by the agent's id. */
  calls: Record<string, Call>;
  /** Calls that are over, by the agent's id, and the turn they were of. */
  closed: Record<string, number>;
  /** How often a name was used for a part of our own in this turn. */
  opened: Record<string, number>;
  /** Pieces of a user message that is told by the agent. */
  heard: PromptPart[];
  /** Whether the model said or did anything in this turn. */
  spoke: boolean;
  /** A failure that the agent only told as a text. */
  failure: MessageError | null;
  /** What the steps of this turn have used so far. */
  counted: Tokens;
  /** The last text of the assistant: what a subagent reports. */
  lastText: string;
  /** A compaction that runs, and what it has told of its summary. */
  compaction: { summary: string } | null;
}

/** A subagent: a child session, and the call in its parent that stands for it. */
export interface Child extends Conversation {
  nativeID: string;
  /** The agent's id of the session it belongs to; null for the main one. */
  parentNativeID: string | null;
  callID: string | null;
  /** It has a session with the agent, where a flattened one speaks in its parent's. */
  hasSession: boolean;
  canCancel: boolean;
  /** Messages to it that were told already: its parent tells them too. */
  messages: string[];
}

interface AskBase {
  token: string;
  blockID: string;
  /** The conversation that asks; null for the main one. */
  nativeID: string | null;
  callID: string;
  /** The tool part is only there because of the ask, and ends with it. */
  synthetic: boolean;
}

export interface OptionOfAsk {
  id: string;
  kind: string;
}

export type Ask = AskBase &
  (
    | { kind: "permission"; options: OptionOfAsk[] }
    | { kind: "questions"; options: OptionOfAsk[] }
    | { kind: "form"; fields: ElicitationField[] }
    | { kind: "url"; elicitationID: string }
  );

/** What was asked to be changed in the agent. */
export type Change =
  | { kind: "mode"; value: string }
  | { kind: "model"; value: string }
  | { kind: "option"; option: string; value: unknown };

/** A request of ours whose answer matters. */
export type Pending =
  | { kind: "initialize" }
  | { kind: "session"; how: "new" | "load" | "resume" | "fork" }
  | { kind: "change"; change: Change; opening: boolean }
  | { kind: "prompt" };

/** An option of the agent, as it offers it now. */
export interface ConfigOption {
  id: string;
  category: string;
  type: "select" | "boolean";
  value: string | boolean;
  values: string[];
}

/** What the agent said it can do. */
export interface Abilities {
  load: boolean;
  resume: boolean;
  fork: boolean;
  image: boolean;
  audio: boolean;
  embedded: boolean;
  http: boolean;
  sse: boolean;
}

export interface AcpState {
  main: Conversation;
  /** By the agent's id. One that ended stays: it may be spoken to again. */
  children: Record<string, Child>;
  process: "none" | "starting" | "running" | "ending";
  /** Whether the process has the session; `replaying` while it tells the history. */
  session: "none" | "opening" | "replaying" | "open";
  /** Whether the settings of the session are in force with this process. */
  settings: "unknown" | "asked" | "settled";
  /** The history that is told is not known here, and is taken from there. */
  learns: boolean;
  /** Whether the session holds a turn that ended. */
  hasHistory: boolean;
  /** Counts our requests. */
  requests: number;
  /** Our requests that were not answered yet, by id. */
  pending: Record<string, Pending>;
  /** Somebody wants the process to run: there is a prompt, or it was asked for. */
  wanted: boolean;
  /** The session began as a copy of another; null once the copy is made. */
  fork: boolean;
  mcpServers: Record<string, McpServer> | null;
  /** The prompt of the running turn, and whether it was sent. */
  prompt: { prompt: QueuedPrompt; sent: boolean } | null;
  /** Answers to prompts whose turn has not come, by the prompt's own id: a recording may hold such. */
  early: Record<string, { result?: unknown; error?: RpcError }>;
  aborting: boolean;
  abilities: Abilities;
  /** How a person signs in, in words. */
  login: string | null;
  model: string | null;
  /** The modes and models that are told the older way. */
  modes: string[];
  models: string[];
  mode: string | null;
  config: ConfigOption[];
  /** Options that were set, for the next process. */
  chosen: Record<string, unknown>;
  /** What the session has cost by now, and what it had at the turn's beginning. */
  cost: number;
  costBefore: number;
  /** Todo lists by the id of their plan. */
  plans: Record<string, unknown[]>;
  /** Open asks by block id. */
  asks: Record<string, Ask>;
}

/** One step of this adapter at work, in one of its conversations. */
export interface AcpDraft extends Draft {
  readonly state: AcpState;
  readonly conversation: Conversation;
  readonly profile: Profile;
}

const NO_ABILITIES: Abilities = {
  load: false,
  resume: false,
  fork: false,
  image: false,
  audio: false,
  embedded: false,
  http: false,
  sse: false,
};

export function newConversation(transcript: Transcript, nativeID: string | null): Conversation {
  return {
    transcript,
    nativeID,
    turns: 0,
    response: null,
    chunks: null,
    calls: {},
    closed: {},
    opened: {},
    heard: [],
    spoke: false,
    failure: null,
    counted: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
    lastText: "",
    compaction: null,
  };
}

export function newState(transcript: Transcript, mcpServers?: Readonly<Record<string, McpServer>>): AcpState {
  return {
    main: newConversation(transcript, null),
    children: {},
    process: "none",
    session: "none",
    settings: "unknown",
    learns: false,
    hasHistory: false,
    requests: 0,
    pending: {},
    wanted: false,
    fork: false,
    mcpServers: mcpServers ? { ...mcpServers } : null,
    prompt: null,
    early: {},
    aborting: false,
    abilities: NO_ABILITIES,
    login: null,
    model: null,
    modes: [],
    models: [],
    mode: null,
    config: [],
    chosen: {},
    cost: 0,
    costBefore: 0,
    plans: {},
    asks: {},
  };
}

/** The same step, at work in another conversation. */
export function inConversation(draft: AcpDraft, conversation: Conversation): AcpDraft {
  return { ...draft, conversation, transcript: conversation.transcript };
}

export function isMain(draft: AcpDraft): boolean {
  return draft.conversation === draft.state.main;
}

export function conversations({ state }: AcpDraft): Conversation[] {
  return [state.main, ...Object.values(state.children)];
}

/** How asks name the conversation of a draft. */
export function conversationKey(draft: AcpDraft): string | null {
  return isMain(draft) ? null : draft.conversation.nativeID;
}
