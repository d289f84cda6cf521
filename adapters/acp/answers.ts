import type { MessageError } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import { updateNative } from "../shared/session-record.js";
import { at } from "./content.js";
import { forgetSession, invalid } from "./delivery.js";
import { loginAdvice, requestError } from "./errors.js";
import type { ResponseFrame, RpcError } from "./frame.js";
import { awaitReplayEnd, endReplay } from "./replay.js";
import { onChanged, takeOffer } from "./settings.js";
import type { AcpDraft, Pending } from "./state.js";
import { fail, finishMain, goOn, OVER, onForeignPromptAnswer, onPromptAnswered } from "./turn.js";

const PROTOCOL_VERSION = 1;

/** Answers to our requests. In a recording that was made elsewhere they answer another's. */
export function onResponse(draft: AcpDraft, frame: ResponseFrame): void {
  const { pending } = draft.state;
  const known = typeof frame.id === "string" && Object.hasOwn(pending, frame.id) ? pending[frame.id] : undefined;
  if (!known) return onForeignResponse(draft, frame);
  delete pending[frame.id];
  onAnswer(draft, known, frame);
}

function onAnswer(draft: AcpDraft, pending: Pending, frame: ResponseFrame): void {
  switch (pending.kind) {
    case "initialize":
      return frame.error ? giveUp(draft, errorOf(draft, frame.error)) : onInitialized(draft, frame.result);
    case "session":
      return frame.error
        ? onSessionRefused(draft, pending.how, frame.error)
        : onSessionOpen(draft, pending.how, frame.result);
    case "change": {
      const why = onChanged(draft, pending.change, frame);
      if (why === undefined || !pending.opening) return goOn(draft);
      // A prompt does not go to an agent in a weaker mode, or to another model: the next one asks again.
      draft.state.settings = "unknown";
      return fail(draft, invalid(why));
    }
    case "prompt":
      return onPromptAnswered(draft, frame);
  }
}

function errorOf({ state }: AcpDraft, error: RpcError): MessageError {
  return requestError(error, state.login);
}

/** With this process there is nothing to be had. */
function giveUp(draft: AcpDraft, error: MessageError): void {
  draft.outputs.push({ kind: "stop", how: "end" });
  Object.assign(draft.state, { process: "ending", wanted: false });
  fail(draft, error);
}

/** Agents that know a newer version answer with it when they are asked for none of theirs. */
function onInitialized(draft: AcpDraft, result: unknown): void {
  takeAbilities(draft, result);
  const version = at(result, "protocolVersion");
  if (version !== PROTOCOL_VERSION) {
    return giveUp(draft, {
      name: "protocol",
      message: `${draft.profile.name} speaks version ${JSON.stringify(version)} of the protocol, not ${PROTOCOL_VERSION}`,
      retryable: false,
    });
  }
  draft.state.process = "running";
  goOn(draft);
}

function takeAbilities(draft: AcpDraft, result: unknown): void {
  const { state, profile } = draft;
  const has = (...path: string[]) => isRecord(at(result, ["agentCapabilities", ...path]));
  const says = (...path: string[]) => at(result, ["agentCapabilities", ...path]) === true;
  state.abilities = {
    load: says("loadSession"),
    resume: has("sessionCapabilities", "resume"),
    fork: has("sessionCapabilities", "fork"),
    image: says("promptCapabilities", "image"),
    audio: says("promptCapabilities", "audio"),
    embedded: says("promptCapabilities", "embeddedContext"),
    http: says("mcpCapabilities", "http"),
    sse: says("mcpCapabilities", "sse"),
  };
  state.login = loginAdvice(at(result, "authMethods"), profile.program.command);
  const info = at(result, "agentInfo");
  if (!isRecord(info)) return;
  const { name, version } = info;
  updateNative(draft, {
    ...(typeof name === "string" && { agent: name }),
    ...(typeof version === "string" && { version }),
  });
}

/**
 * A process that died in its first turn may have left nothing to go on with, and the prompt goes to a new session. A
 * history that is gone is told first; the prompt after that begins anew.
 */
function onSessionRefused(draft: AcpDraft, how: string, error: RpcError): void {
  const { hasHistory } = draft.state;
  forgetSession(draft);
  return hasHistory || how === "new" ? fail(draft, errorOf(draft, error)) : goOn(draft);
}

function onSessionOpen(draft: AcpDraft, how: string, result: unknown): void {
  const { state, profile } = draft;
  const sessionID = at(result, "sessionId");
  if (typeof sessionID === "string") state.main.nativeID = sessionID;
  if (state.main.nativeID === null) {
    return fail(draft, {
      name: "protocol",
      message: `${profile.name} opened a session without an id`,
      retryable: false,
    });
  }
  updateNative(draft, { sessionID: state.main.nativeID });
  takeOffer(draft, result);
  state.fork = false;
  if (how === "load" && profile.replay === "after-answer") return awaitReplayEnd(draft);
  beginSession(draft);
}

/** The history, if it was told, is told. */
export function beginSession(draft: AcpDraft): void {
  draft.state.session = "open";
  goOn(draft);
}

function onForeignResponse(draft: AcpDraft, frame: ResponseFrame): void {
  if (onForeignPromptAnswer(draft, frame) || !isRecord(frame.result)) return;
  const { result } = frame;
  const { state } = draft;
  if ("protocolVersion" in result) return onForeignStart(draft, result);
  if ("stopReason" in result) {
    if (!state.prompt && draft.transcript.turn) finishMain(draft, OVER);
    return;
  }
  const { main } = state;
  const isOurs = result.sessionId === undefined || main.nativeID === null || result.sessionId === main.nativeID;
  if (!isOurs) return;
  if (typeof result.sessionId === "string") main.nativeID = result.sessionId;
  const tells = ["sessionId", "modes", "models", "configOptions"].some((field) => field in result);
  if (!tells) return;
  if (main.nativeID !== null) updateNative(draft, { sessionID: main.nativeID });
  takeOffer(draft, result);
  if (draft.profile.replay !== "after-answer") endReplay(draft);
}

/** A process that begins, and may be about to tell the history. */
function onForeignStart(draft: AcpDraft, result: Record<string, unknown>): void {
  takeAbilities(draft, result);
  const learns = draft.transcript.lastUserMessageID === null;
  Object.assign(draft.state, { process: "running", session: "replaying", learns });
}
