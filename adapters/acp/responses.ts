import type { AssistantMessage, Finish, Tokens } from "../../schemas/index.js";
import { addTokens, NO_TOKENS } from "../../schemas/index.js";
import { closeMessage, openMessage } from "../shared/assistant-message.js";
import { closeText, closeTexts } from "../shared/open-text.js";
import { beginOwnTurn } from "../shared/prompts.js";
import { setStatus } from "../shared/session-record.js";
import { currentModel } from "./model.js";
import { type AcpDraft, isMain } from "./state.js";

const QUIET_TIMER = "quiet";

/** What speaks: a text with the agent's id of its message, where it tells one, or a call of a tool. */
export type Speaker = { readonly nativeID: string | null } | "call";

/**
 * The message of the model's response that something belongs to. The protocol does not tell responses apart: one is over
 * when the model goes on after the results of its calls, or under another id.
 */
export function messageFor(draft: AcpDraft, speaker: Speaker): AssistantMessage {
  ensureTurn(draft);
  const { conversation, transcript } = draft;
  if (conversation.response && isAnother(draft, speaker)) closeResponse(draft);
  const open = conversation.response && transcript.messages[conversation.response.messageID];
  const nativeID = speaker === "call" ? null : speaker.nativeID;
  if (open && open.time.completed === undefined) {
    if (conversation.response) conversation.response.nativeID = nativeID ?? conversation.response.nativeID;
    return open;
  }
  const message = openMessage(draft, currentModel(draft), nativeID === null ? undefined : { messageID: nativeID });
  conversation.response = { messageID: message.id, nativeID, calls: [] };
  return message;
}

function isAnother({ conversation, transcript, profile }: AcpDraft, speaker: Speaker): boolean {
  const { response } = conversation;
  if (!response) return false;
  const answered = response.calls.length > 0 && response.calls.every((callID) => !transcript.tools[callID]);
  if (speaker === "call" || speaker.nativeID === null) return answered;
  if (speaker.nativeID === response.nativeID) return false;
  if (profile.messageIDs === "item" || response.nativeID === null) return answered;
  return true;
}

/** The response is over; its calls may run on. */
export function closeResponse(draft: AcpDraft, end: { finish?: Finish; tokens?: Tokens } = {}): void {
  const { conversation } = draft;
  const { response } = conversation;
  closeChunks(draft);
  if (!response) return;
  conversation.response = null;
  const { tokens = NO_TOKENS, finish = response.calls.length > 0 ? "tool-calls" : "stop" } = end;
  conversation.counted = addTokens(conversation.counted, tokens);
  closeTexts(draft, response.messageID);
  closeMessage(draft, response.messageID, { finish, tokens });
}

/** The text that grows is whole. */
export function closeChunks(draft: AcpDraft): void {
  const { chunks } = draft.conversation;
  if (!chunks) return;
  draft.conversation.chunks = null;
  closeText(draft, chunks.partID);
}

/** Something came while no turn runs: the agent began one by itself. Nothing tells its end but silence. */
export function ensureTurn(draft: AcpDraft): void {
  const { transcript } = draft;
  if (!transcript.turn) {
    startTurn(draft);
    beginOwnTurn(draft, currentModel(draft), "agent");
  }
  if (transcript.turn && transcript.session.status.type !== "busy") setStatus(draft, { type: "busy" });
  awaitQuiet(draft);
}

/** What was of an earlier turn is not of this one. */
export function startTurn({ conversation }: AcpDraft): void {
  Object.assign(conversation, {
    turns: conversation.turns + 1,
    response: null,
    chunks: null,
    calls: {},
    opened: {},
    spoke: false,
    failure: null,
    counted: NO_TOKENS,
    lastText: "",
  });
}

/** Whether the agent began the running turn by itself. */
export function isOwnTurn({ state }: AcpDraft): boolean {
  return state.main.transcript.turn !== null && state.prompt === null;
}

export function isQuietTimer(timer: string): boolean {
  return timer === QUIET_TIMER;
}

export function awaitQuiet(draft: AcpDraft): void {
  if (isMain(draft) && isOwnTurn(draft)) {
    draft.outputs.push({ kind: "wake", timer: QUIET_TIMER, afterMs: draft.profile.quietMs });
  }
}
