import type { Block, DecidedBy, Finish, MessageError } from "../../schemas/index.js";
import { amendLastMessage, closeMessage, type ModelOfMessage, openMessage } from "./assistant-message.js";
import { closeTexts } from "./open-text.js";
import { resolveBlock } from "./resolve-block.js";
import { setSessionError, setStatus } from "./session-record.js";
import { failTool } from "./tool-call.js";
import type { Draft } from "./transcript.js";

/** How a turn ended; without a finish that of its last message stands. */
export interface Outcome {
  readonly finish?: Finish;
  readonly error?: MessageError;
}

export interface Ending extends Outcome {
  /** What becomes of tools that never got a result. */
  readonly toolError: string;
  /** Who is said to have decided what was still blocked. */
  readonly decidedBy: DecidedBy;
}

export interface TurnEnd extends Ending {
  readonly cost?: number;
  readonly totals?: Record<string, unknown>;
  readonly model: ModelOfMessage;
}

/** What is said of tools that never got a result, where nothing tells more. */
export const NO_RESULT = "The turn ended before this tool had a result";

/** How a turn ends that a person has aborted. */
export const ABORTED: Ending = { finish: "aborted", toolError: "The turn was aborted", decidedBy: "user" };

export function toolErrorOf({ finish }: Outcome): string {
  return finish === "aborted" ? ABORTED.toolError : NO_RESULT;
}

/**
 * Ends the running turn: nothing stays open, every turn has at least one assistant message that says how it ended, and
 * the session is idle. Does nothing when no turn runs.
 */
export function endTurn(draft: Draft, end: TurnEnd): void {
  const { turn } = draft.transcript;
  if (!turn) return;
  failOpenTools(draft, end.toolError, end.decidedBy);
  closeTexts(draft);
  if (turn.lastMessageID === undefined) openMessage(draft, end.model);
  const finish = end.finish;
  for (const id of Object.keys(draft.transcript.messages)) closeMessage(draft, id, { finish: finish ?? "stop" });
  const change = {
    ...(finish && { finish }),
    ...(end.error && { error: end.error }),
    ...(end.cost !== undefined && { cost: end.cost }),
    ...(end.totals && { turn: end.totals }),
  };
  if (Object.keys(change).length > 0) amendLastMessage(draft, change);
  draft.transcript.turn = null;
  draft.transcript.messages = {};
  if (end.error) setSessionError(draft, end.error);
  setStatus(draft, { type: "idle" });
}

/** Fails every tool that has no result; what was blocked counts as rejected. */
export function failOpenTools(draft: Draft, error: string, decidedBy: DecidedBy): void {
  for (const part of Object.values(draft.transcript.tools)) {
    if (part.state.status === "blocked") failBlockedTool(draft, part.callID, part.state.block, error, decidedBy);
    else failTool(draft, part.callID, { error });
  }
}

/** Fails the tools that wait for a decision, as rejected; the others go on. */
export function failBlockedTools(draft: Draft, error: string, decidedBy: DecidedBy): void {
  for (const { callID, state } of Object.values(draft.transcript.tools)) {
    if (state.status === "blocked") failBlockedTool(draft, callID, state.block, error, decidedBy);
  }
}

function failBlockedTool(draft: Draft, callID: string, block: Block, error: string, decidedBy: DecidedBy): void {
  failTool(draft, callID, { error, block: resolveBlock(draft, block, { decision: "reject", decidedBy }) });
}
