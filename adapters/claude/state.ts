import type { Block } from "../../schemas/index.js";
import type { Draft, QueuedPrompt, Transcript } from "../shared/transcript.js";
import type { PermissionUpdate, Usage } from "./frame.js";

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
}

/** A `can_use_tool` request that waits for its answer. */
export interface Ask {
  requestID: string;
  blockID: string;
  callID: string;
  toolName: string;
  input: Record<string, unknown>;
  suggestions: PermissionUpdate[];
  blockedPath?: string;
  reason?: string;
}

export interface SentPrompt {
  prompt: QueuedPrompt;
  uuid: string;
  /** The agent had nothing to resume; the prompt is sent again to a new process. */
  again: boolean;
}

export interface ClaudeState {
  transcript: Transcript;
  process: "none" | "running" | "ending";
  /** The agent's id of the conversation, for `--resume`. */
  nativeID: string | null;
  /** Counts the gateway's own control requests. */
  requests: number;
  /** The prompt of the running turn and the uuid it was sent with. */
  prompt: SentPrompt | null;
  /** Whether the agent's conversation holds a turn that ended: only then is it on disk to resume. */
  hasHistory: boolean;
  aborting: boolean;
  api: Record<string, ApiMessage>;
  /** The id of the message that streams now: only its start names it on every version. */
  streaming: string | null;
  /** Responses that are closed; a late line of one opens nothing. */
  closedApi: string[];
  /** Open asks by block id. */
  asks: Record<string, Ask>;
  /** Asks that wait for the old text of a file, by the token of the read. */
  reads: Record<string, Ask>;
  /** Blocks of asks that the agent took back while the tool goes on, by call id: the result tells the verdict. */
  withdrawn: Record<string, Block>;
}

/** One step of this adapter at work. */
export interface ClaudeDraft extends Draft {
  readonly state: ClaudeState;
}
