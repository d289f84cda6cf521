import type { QuestionBlock, QuestionInfo } from "../../schemas/index.js";
import { nextId } from "../shared/transcript.js";
import { type AskPlace, askOfToken, canBlock, openAsk, placeOfItsOwn } from "./asks.js";
import { readQuestions } from "./elicitation-form.js";
import type { RequestParams } from "./frame.js";
import { ensureTurn } from "./responses.js";
import { sendAnswer } from "./rpc.js";
import { type AcpDraft, conversationKey } from "./state.js";
import { viewOf } from "./tools.js";

type Elicitation = RequestParams<"elicitation/create">;

/** A form to fill in, or a page to visit: questions, on the call that asks or on a part of their own. */
export function onElicitation(draft: AcpDraft, token: string, params: Elicitation): void {
  if (askOfToken(draft, token)) return;
  if (draft.state.aborting) return sendAnswer(draft, token, { action: "cancel" });
  ensureTurn(draft);
  const place = placeOf(draft, params.toolCallId);
  const shown = shownAt(draft, place, params);
  if (params.mode === "url") return askForUrl(draft, token, params, place, shown);
  const { fields, questions } = readQuestions(params.requestedSchema, params.message ?? "");
  const block = questionBlock(draft, questions.length > 0 ? questions : [confirmation(params)], params);
  const base = { token, blockID: block.id, nativeID: conversationKey(draft), ...place };
  openAsk(draft, { kind: "form", fields, ...base }, shown, block);
}

function placeOf(draft: AcpDraft, toolCallID: string | null | undefined): AskPlace {
  const callID = draft.conversation.calls[toolCallID ?? ""]?.callID;
  return canBlock(draft, callID) ? { callID, synthetic: false } : placeOfItsOwn(draft, "elicitation", "question");
}

function shownAt(draft: AcpDraft, { callID }: AskPlace, params: Elicitation) {
  const { session, tools } = draft.transcript;
  const call = Object.values(draft.conversation.calls).find((known) => known.callID === callID);
  if (!call) return { input: { message: params.message ?? "" }, title: "question" };
  return viewOf(call, tools[callID]?.tool ?? "question", session.directory, draft.profile);
}

function askForUrl(
  draft: AcpDraft,
  token: string,
  params: Elicitation,
  place: AskPlace,
  shown: { input: Record<string, unknown>; title: string },
): void {
  const block = questionBlock(draft, [confirmation(params)], params);
  const base = { token, blockID: block.id, nativeID: conversationKey(draft), ...place };
  openAsk(draft, { kind: "url", elicitationID: params.elicitationId ?? "", ...base }, shown, block);
}

function confirmation(params: Elicitation): QuestionInfo {
  return {
    question: params.message ?? "",
    header: "",
    options: [{ label: "Done", description: params.url ?? "" }],
    custom: false,
  };
}

function questionBlock(draft: AcpDraft, questions: QuestionInfo[], params: Elicitation): QuestionBlock {
  const metadata = { message: params.message ?? "", ...(params.url && { url: params.url }) };
  return { type: "question", id: nextId(draft, "que"), questions, metadata };
}
