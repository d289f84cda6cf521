import { z } from "zod";
import type { MessageError } from "../../schemas/index.js";
import { setSessionError, updateNative } from "../shared/session-record.js";
import { deliver, openThread } from "./delivery.js";
import { requestError } from "./errors.js";
import { type ResponseFrame, Thread } from "./frame.js";
import type { ClientAnswers } from "./native-types.js";
import { reads } from "./reads.js";
import { sendNotification, sendRequest } from "./rpc.js";
import { policyOf } from "./settings.js";
import { type CodexDraft, NO_TOTALS, type Pending } from "./state.js";
import { adoptMain } from "./subagents.js";
import { finishMain, steerFailed } from "./turn.js";
import { bindTurn } from "./turn-state.js";

const text = z.string();
const Opened = z.looseObject({
  thread: Thread,
  model: text.nullish(),
  modelProvider: text.nullish(),
  approvalPolicy: z.unknown().optional(),
  sandbox: z.looseObject({ type: text }).nullish(),
});
const Started = z.looseObject({ turn: z.looseObject({ id: text }) });
const Models = z.looseObject({
  data: z.array(
    z.looseObject({ model: text, supportedReasoningEfforts: z.array(z.looseObject({ reasoningEffort: text })) }),
  ),
});

const ANSWERS = reads<ClientAnswers>()({
  initialize: z.looseObject({ userAgent: text.nullish() }),
  "model/list": Models,
  "review/start": Started,
  "thread/fork": Opened,
  "thread/resume": Opened,
  "thread/start": Opened,
  "turn/start": Started,
});

/** Answers to our requests. In a recording that was made elsewhere they answer another's, and only name the thread. */
export function onResponse(draft: CodexDraft, frame: ResponseFrame): void {
  const { pending } = draft.state;
  const known = typeof frame.id === "string" && Object.hasOwn(pending, frame.id) ? pending[frame.id] : undefined;
  if (!known) return onForeignResponse(draft, frame);
  delete pending[frame.id];
  onAnswer(draft, known, frame);
}

function onAnswer(draft: CodexDraft, pending: Pending, frame: ResponseFrame): void {
  switch (pending.kind) {
    case "initialize":
      return frame.error ? fail(draft, requestError(frame.error)) : onInitialized(draft, frame.result);
    case "models":
      return onModels(draft, frame.result);
    case "archive":
      // It may have been put away or taken out elsewhere: either way it is not loaded.
      draft.state.thread = "none";
      return deliver(draft);
    case "thread":
      return frame.error ? onThreadRefused(draft, pending.resumed, frame.error) : onThreadOpen(draft, frame.result);
    case "turn":
      return frame.error ? fail(draft, requestError(frame.error)) : onTurnAccepted(draft, frame.result);
    case "steer":
      return frame.error ? steerFailed(draft, pending.prompt) : undefined;
  }
}

function onInitialized(draft: CodexDraft, result: unknown): void {
  const { userAgent } = ANSWERS.initialize.safeParse(result).data ?? {};
  const version = /\/(\S+)/.exec(userAgent ?? "")?.[1];
  if (version !== undefined) updateNative(draft, { version });
  draft.state.process = "running";
  sendNotification(draft, "initialized");
  sendRequest(draft, "model/list", { limit: 100 }, { kind: "models" });
  deliver(draft);
}

/** What `setModel` and the option `effort` can be; a provider of the user's own may know others. */
function onModels(draft: CodexDraft, result: unknown): void {
  const { data } = ANSWERS["model/list"].safeParse(result);
  if (!data) return;
  const efforts = data.data.map(({ model, supportedReasoningEfforts: levels }) => [
    model,
    levels.map(({ reasoningEffort }) => reasoningEffort),
  ]);
  updateNative(draft, { models: data.data.map(({ model }) => model), efforts: Object.fromEntries(efforts) });
}

/**
 * A process that died in its first turn may have left nothing to resume, and the prompt goes to a new thread. A history that
 * is gone is told first; the prompt after that begins anew.
 */
function onThreadRefused(draft: CodexDraft, resumed: boolean, error: NonNullable<ResponseFrame["error"]>): void {
  const { state } = draft;
  const { hasHistory } = state;
  state.thread = "none";
  if (!resumed) return fail(draft, requestError(error));
  Object.assign(state, { nativeID: null, fork: null, hasHistory: false });
  state.main.threadID = null;
  state.main.usage = NO_TOTALS;
  return hasHistory ? fail(draft, requestError(error)) : openThread(draft);
}

function onThreadOpen(draft: CodexDraft, result: unknown): void {
  const { data } = ANSWERS["thread/start"].safeParse(result);
  if (!data)
    return fail(draft, { name: "protocol", message: "Codex opened a thread without telling its id", retryable: false });
  takeThread(draft, data);
  draft.state.thread = "open";
  draft.state.fork = null;
  deliver(draft);
}

function takeThread(draft: CodexDraft, opened: z.infer<typeof Opened>): void {
  adoptMain(draft, opened.thread.id);
  const { model, modelProvider, approvalPolicy, sandbox } = opened;
  if (model && modelProvider) draft.state.model = { provider: modelProvider, id: model };
  updateNative(draft, {
    sessionID: opened.thread.id,
    ...(opened.thread.cliVersion && { version: opened.thread.cliVersion }),
    ...(model && { model }),
    ...(modelProvider && { provider: modelProvider }),
    ...policyOf(approvalPolicy, sandbox),
  });
}

function onTurnAccepted(draft: CodexDraft, result: unknown): void {
  const { data } = ANSWERS["turn/start"].safeParse(result);
  if (data && draft.transcript.turn && draft.thread.turnID === null && !draft.thread.closedTurns.includes(data.turn.id))
    bindTurn(draft, data.turn.id);
}

function fail(draft: CodexDraft, error: MessageError): void {
  if (!draft.transcript.turn) setSessionError(draft, error);
  finishMain(draft, { finish: "error", error, toolError: error.message, decidedBy: "agent" });
}

function onForeignResponse(draft: CodexDraft, frame: ResponseFrame): void {
  const { data } = ANSWERS["thread/start"].safeParse(frame.result);
  const { threadID } = draft.state.main;
  if (data && (threadID === null || threadID === data.thread.id)) takeThread(draft, data);
}
