import type { PromptPart, UserMessage } from "../../../schemas/index.js";
import { closeMessage, openMessage } from "../../shared/assistant-message.js";
import { closeText, openText } from "../../shared/open-text.js";
import { acceptPrompt, acceptSteered, addMarker, beginOwnTurn, beginTurn } from "../../shared/prompts.js";
import { emit } from "../../shared/transcript.js";
import type { ContentBlock } from "../frame.js";
import { currentModel, modelNamed, promptTarget } from "../model.js";
import { promptPart } from "../observe.js";
import { SYNTHETIC } from "./answers.js";
import { type AttachmentEntry, type SystemEntry, textOfContent, type UserEntry } from "./entry.js";
import { isNotification, localOutputIn, spokenText } from "./native-text.js";
import type { ReaderDraft } from "./state.js";
import { endNotified } from "./subagents.js";
import { closeTurn, endBefore, ensureTurn, settleTurn } from "./turn.js";

const INTERRUPTED = /^\[Request interrupted by user[^\]]*\]$/;

/** A user line that holds no results: a prompt, or one of the many things the CLI writes in the user's name. */
export function onUserLine(draft: ReaderDraft, entry: UserEntry): void {
  if (entry.isCompactSummary) return onSummary(draft, textOfContent(entry.message.content));
  // What the CLI tells the model beside the conversation.
  if (entry.isMeta) return;
  const text = textOfContent(entry.message.content);
  if (INTERRUPTED.test(text)) return closeTurn(draft, { finish: "aborted" });
  if (isNotification(text) || entry.origin?.kind === "task-notification") return onNotification(draft, text);
  const output = localOutputIn(text);
  if (output !== undefined) return onLocalOutput(draft, text);
  onPrompt(draft, entry, spokenText(text));
}

function onPrompt(draft: ReaderDraft, entry: UserEntry, text: string): void {
  endBefore(draft);
  const { content } = entry.message;
  const own = typeof content === "string" ? undefined : content;
  const sends = own ? [own.flatMap(promptPart)] : takeSends(draft, entry, text).map(textParts);
  let last: UserMessage | undefined;
  for (const parts of sends) last = accept(draft, entry, parts);
  // Text that is only context waits for the next prompt.
  if (last && !entry.queueTranscriptOnly) beginTurn(draft, last.id);
}

function textParts(text: string): PromptPart[] {
  return text === "" ? [] : [{ type: "text", text }];
}

function accept(
  draft: ReaderDraft,
  { uuid, origin }: UserEntry,
  parts: readonly PromptPart[],
): UserMessage | undefined {
  const prompt = acceptPrompt(draft, { parts }, promptTarget(draft), false);
  if (!prompt) return undefined;
  const metadata = {
    ...(uuid != null && { native: { uuid } }),
    ...(origin?.kind != null && { origin: origin.kind }),
    ...(draft.abandoned && { abandoned: true }),
  };
  const info = { ...prompt.info, metadata };
  emit(draft, { type: "message.updated", properties: { sessionID: info.sessionID, info } });
  return info;
}

/** Prompts that waited together go to the model as one line; what was typed is still known. */
function takeSends({ state }: ReaderDraft, entry: UserEntry, text: string): string[] {
  const count = 1 + (entry.mergedSendUuids?.length ?? 0);
  for (let start = 0; start + count <= state.queued.length; start++) {
    const typed = state.queued.slice(start, start + count);
    if (typed.join("\n") !== text) continue;
    state.queued.splice(start, count);
    return typed;
  }
  return [text];
}

/** Work in the background ended and the CLI began a turn by itself to tell the model. */
function onNotification(draft: ReaderDraft, text: string): void {
  endBefore(draft);
  forgetQueued(draft, text);
  endNotified(draft, text);
  beginOwnTurn(draft, promptTarget(draft), "task-notification");
}

function forgetQueued({ state }: ReaderDraft, text: string): void {
  const index = state.queued.indexOf(text);
  if (index >= 0) state.queued.splice(index, 1);
}

/** A prompt that the running turn took up. */
export function onQueuedCommand(draft: ReaderDraft, { attachment }: AttachmentEntry): void {
  const { prompt, commandMode } = attachment;
  if (prompt == null) return;
  const text = textOfContent(prompt);
  if (commandMode === "task-notification" || isNotification(text)) return endNotified(draft, text);
  const parts = typeof prompt === "string" ? textParts(prompt) : prompt.flatMap(asPromptPart);
  acceptSteered(draft, { parts }, promptTarget(draft));
}

function asPromptPart(block: ContentBlock): PromptPart[] {
  return promptPart(block);
}

/** What a command of the CLI itself said. Such a command is a turn of its own, and this its answer. */
export function onLocalOutput(draft: ReaderDraft, text: string): void {
  settleTurn(draft);
  ensureTurn(draft);
  const isAnswer = draft.transcript.turn?.lastMessageID === undefined;
  const output = localOutputIn(text) ?? text;
  if (output.trim() !== "") {
    const message = openMessage(draft, modelNamed(draft, SYNTHETIC));
    const metadata = { native: { synthetic: true } };
    closeText(draft, openText(draft, message, "text"), { text: output, metadata });
    closeMessage(draft, message.id, { finish: "stop" });
  }
  if (isAnswer) closeTurn(draft, {});
}

/** A user message marks the place of a compaction, and its answer is the summary that comes next. */
export function onCompactBoundary(draft: ReaderDraft, entry: SystemEntry): void {
  settleTurn(draft);
  const auto = entry.compactMetadata?.trigger !== "manual";
  draft.state.compaction = addMarker(draft, promptTarget(draft), { type: "compaction", auto }).id;
  emit(draft, { type: "session.compacted", properties: { sessionID: draft.transcript.session.id } });
}

function onSummary(draft: ReaderDraft, text: string): void {
  const { state, transcript } = draft;
  const parentID = state.compaction;
  if (parentID === null) return;
  state.compaction = null;
  // A compaction that was asked for stands before the command's own line, in no turn.
  const { turn } = transcript;
  transcript.turn ??= { userMessageID: parentID };
  const message = openMessage(draft, currentModel(draft), undefined, { parentID, summary: true });
  closeText(draft, openText(draft, message, "text"), { text, synthetic: true });
  closeMessage(draft, message.id, { finish: "stop" });
  transcript.turn = turn;
}
