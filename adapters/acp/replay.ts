import type { PromptPart } from "../../schemas/index.js";
import { acceptPrompt, beginTurn } from "../shared/prompts.js";
import { fileOf, textOf } from "./content.js";
import type { Chunk, Update } from "./frame.js";
import { currentModel } from "./model.js";
import { startTurn } from "./responses.js";
import type { AcpDraft } from "./state.js";
import { finishMain, OVER } from "./turn.js";

const REPLAY_TIMER = "replay";
/** How long the history may pause, in milliseconds, where it comes after the answer and nothing tells its end. */
const REPLAY_QUIET_MS = 1000;

/** What a replay of the history says over again. The rest tells how things stand now. */
const HISTORY = new Set<Update["kind"]>([
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "notice",
  "subagent_update",
  "session_message",
]);

/** Whether an update is history that is in the conversation already. */
export function isKnownHistory({ state }: AcpDraft, { kind }: Update): boolean {
  return state.session === "replaying" && !state.learns && HISTORY.has(kind);
}

/** The history of a recording is told. What was learned from it is over. */
export function endReplay(draft: AcpDraft): void {
  const { state } = draft;
  // What another client had set is not known.
  Object.assign(state, { session: "open", settings: "settled" });
  if (state.learns && state.prompt === null) finishMain(draft, OVER);
  state.learns = false;
}

export function isReplayTimer(timer: string): boolean {
  return timer === REPLAY_TIMER;
}

/** Nothing tells the end of a history that comes after the answer, but a pause. */
export function awaitReplayEnd(draft: AcpDraft): void {
  draft.outputs.push({ kind: "wake", timer: REPLAY_TIMER, afterMs: REPLAY_QUIET_MS });
}

/** A piece of what a user said, told by the agent: in a replay, or by another client. Pieces belong together. */
export function onUserChunk(draft: AcpDraft, chunk: Chunk): void {
  // Ours are in the conversation; some agents echo them.
  if (draft.state.prompt) return;
  const part = partOf(chunk);
  if (!part) return;
  if (draft.transcript.turn) finishMain(draft, OVER);
  draft.conversation.heard.push(part);
}

function partOf({ content }: Chunk): PromptPart | undefined {
  const text = textOf(content);
  if (text !== undefined) return text === "" ? undefined : { type: "text", text };
  const file = fileOf(content);
  return file && { type: "file", mime: file.mime, url: file.url };
}

/** What was heard of the user is whole when something else comes. */
export function endHeard(draft: AcpDraft): void {
  const { heard } = draft.conversation;
  if (heard.length === 0) return;
  draft.conversation.heard = [];
  const prompt = acceptPrompt(draft, { parts: heard }, currentModel(draft), false);
  if (!prompt) return;
  startTurn(draft);
  beginTurn(draft, prompt.info.id);
}
