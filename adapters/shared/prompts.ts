import type { Part, PromptPart, UserMessage } from "../../schemas/index.js";
import { setStatus, updateSession } from "./session-record.js";
import { type Draft, emit, nextCreated, nextId, type QueuedPrompt } from "./transcript.js";

/** Whom a prompt is for: the agent and model named on its user message. */
export interface PromptTarget {
  readonly agent: string;
  readonly providerID: string;
  readonly modelID: string;
}

type Delivery = "queued" | "sent" | "steered" | "cancelled";

/**
 * Takes a prompt into the conversation: its user message and parts are there at once, also while it waits. Returns the
 * prompt when it is its turn now; a prompt that must wait is in the session's `queue`.
 */
export function acceptPrompt(
  draft: Draft,
  command: { readonly messageID?: string; readonly parts: readonly PromptPart[]; readonly nativeID?: string },
  target: PromptTarget,
  waits: boolean,
): QueuedPrompt | undefined {
  const metadata = waits ? { delivery: "queued" satisfies Delivery } : undefined;
  const info = addUserMessage(draft, command.messageID ?? nextId(draft, "msg"), command.parts, target, metadata);
  const { parts, nativeID } = command;
  const prompt = { info, parts: [...parts], ...(nativeID !== undefined && { nativeID }) };
  if (!waits) return prompt;
  draft.transcript.queue.push(prompt);
  updateQueue(draft);
  return undefined;
}

/** Takes a prompt that goes to the agent while a turn runs: it joins that turn, or the agent takes it up after it. */
export function acceptSteered(
  draft: Draft,
  command: { readonly messageID?: string; readonly parts: readonly PromptPart[]; readonly nativeID?: string },
  target: PromptTarget,
): QueuedPrompt {
  const { messageID, parts, nativeID } = command;
  const metadata = { delivery: "steered" satisfies Delivery };
  const info = addUserMessage(draft, messageID ?? nextId(draft, "msg"), parts, target, metadata);
  return { info, parts: [...parts], ...(nativeID !== undefined && { nativeID }) };
}

/** A prompt that the agent had, and gave up without an answer. */
export function cancelSteered(draft: Draft, prompt: QueuedPrompt): void {
  setDelivery(draft, prompt, "cancelled");
}

/** Takes the next waiting prompt, if there is one. */
export function takeQueued(draft: Draft): QueuedPrompt | undefined {
  const prompt = draft.transcript.queue.shift();
  if (!prompt) return undefined;
  setDelivery(draft, prompt, "sent");
  updateQueue(draft);
  return prompt;
}

/** Drops every waiting prompt; their messages stay and say that they were not sent. */
export function cancelQueued(draft: Draft): void {
  const cancelled = draft.transcript.queue.splice(0);
  for (const prompt of cancelled) setDelivery(draft, prompt, "cancelled");
  if (cancelled.length > 0) updateQueue(draft);
}

/** Begins the turn of a prompt: the session is busy and an earlier failure is forgotten. */
export function beginTurn(draft: Draft, userMessageID: string, origin?: string): void {
  draft.transcript.turn = { userMessageID, ...(origin !== undefined && { origin }) };
  draft.transcript.lastUserMessageID = userMessageID;
  updateSession(draft, { error: undefined });
  setStatus(draft, { type: "busy" });
}

/** Begins a turn that the agent started by itself. It hangs on the last prompt, or on an empty one where none is known. */
export function beginOwnTurn(draft: Draft, target: PromptTarget, origin: string): void {
  const known = draft.transcript.lastUserMessageID;
  beginTurn(draft, known ?? addUserMessage(draft, nextId(draft, "msg"), [], target, { origin }).id, origin);
}

/** A user message that nobody wrote, with one part that marks a place in the conversation. */
export function addMarker(
  draft: Draft,
  target: PromptTarget,
  part: { type: "compaction"; auto: boolean },
): UserMessage {
  const info = addUserMessage(draft, nextId(draft, "msg"), [], target, { origin: part.type });
  const marker = { ...part, id: nextId(draft, "prt"), sessionID: info.sessionID, messageID: info.id };
  emit(draft, { type: "message.part.updated", properties: { sessionID: info.sessionID, part: marker } });
  return info;
}

function addUserMessage(
  draft: Draft,
  messageID: string,
  parts: readonly PromptPart[],
  target: PromptTarget,
  metadata?: Record<string, unknown>,
): UserMessage {
  const sessionID = draft.transcript.session.id;
  const info: UserMessage = {
    id: messageID,
    sessionID,
    role: "user",
    time: { created: nextCreated(draft) },
    agent: target.agent,
    model: { providerID: target.providerID, modelID: target.modelID },
    ...(metadata && { metadata }),
  };
  emit(draft, { type: "message.updated", properties: { sessionID, info } });
  for (const part of parts) {
    const full = { ...part, id: part.id ?? nextId(draft, "prt"), sessionID, messageID } as Part;
    emit(draft, { type: "message.part.updated", properties: { sessionID, part: full } });
  }
  return info;
}

function setDelivery(draft: Draft, prompt: QueuedPrompt, delivery: Delivery): void {
  prompt.info = { ...prompt.info, metadata: { ...prompt.info.metadata, delivery } };
  emit(draft, { type: "message.updated", properties: { sessionID: prompt.info.sessionID, info: prompt.info } });
}

function updateQueue(draft: Draft): void {
  updateSession(draft, { queue: draft.transcript.queue.map((prompt) => prompt.info.id) });
}
