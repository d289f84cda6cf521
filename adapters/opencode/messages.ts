import { addTokens, NO_TOKENS } from "../../schemas/index.js";
import { noteNative, openMessage } from "../shared/assistant-message.js";
import { beginOwnTurn } from "../shared/prompts.js";
import { setStatus } from "../shared/session-record.js";
import { closeMessages } from "./closing.js";
import { errorOf } from "./errors.js";
import type { AssistantInfo, NativeInfo, NativePartOf } from "./frame.js";
import { promptTarget } from "./model.js";
import type { OpencodeDraft, OpenMessage } from "./state.js";
import { tokensOf } from "./usage.js";
import { answeredBy, bindAnnounced } from "./user-messages.js";

/**
 * An assistant message, each of which is one model response. Its events are written late: the first may hold its end
 * already, with its parts still to come. So it is closed when the next one opens, or the turn ends.
 */
export function onAssistantMessage(draft: OpencodeDraft, info: AssistantInfo): void {
  const known = draft.thread.open[info.id];
  if (!known && info.id <= draft.thread.newest) return;
  const message = known ?? openNative(draft, info);
  if (info.time.completed === undefined) return;
  message.end = {
    finish: info.finish ?? null,
    tokens: info.tokens ? tokensOf(info.tokens) : NO_TOKENS,
    cost: info.cost,
    error: info.error ? errorOf(info.error) : null,
  };
}

function openNative(draft: OpencodeDraft, info: AssistantInfo): OpenMessage {
  const { state, thread } = draft;
  closeMessages(draft);
  bindAnnounced(draft, info.parentID);
  const parentID = answeredBy(draft, info.parentID);
  if (!draft.transcript.turn) beginOwnTurn(draft, promptTarget(state), "agent");
  state.model = { provider: info.providerID, id: info.modelID };
  const { providerID, modelID } = info;
  const agent = info.agent ?? info.mode ?? promptTarget(state).agent;
  const native = { messageID: info.id, ...(info.variant != null && { variant: info.variant }) };
  const summary = info.summary === true;
  const { id } = openMessage(draft, { providerID, modelID, agent }, native, {
    ...(parentID !== undefined && { parentID }),
    summary,
  });
  // A summary that was asked for is the answer to that.
  if (draft.transcript.turn && thread.compacting) draft.transcript.turn.lastMessageID = id;
  const message = { id, parts: {}, steps: 0, tokens: NO_TOKENS, cost: 0, end: null };
  Object.assign(thread, { newest: info.id, started: true, responses: thread.responses + 1 });
  thread.open[info.id] = message;
  setStatus(draft, { type: "busy" });
  return message;
}

export function onStepFinish(message: OpenMessage, part: NativePartOf<"step-finish">, draft: OpencodeDraft): void {
  message.steps += 1;
  message.tokens = addTokens(message.tokens, tokensOf(part.tokens));
  message.cost += part.cost;
  if (part.snapshot != null) noteNative(draft, message.id, { snapshotAfter: part.snapshot });
}

/** A message of a copied history: the session has it already. */
export function skipMessage({ thread }: OpencodeDraft, { role, id }: NativeInfo): void {
  if (role === "assistant" && id > thread.newest) thread.newest = id;
}
