import { z } from "zod";
import { PermissionRule } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import { setSessionError, updateNative } from "../shared/session-record.js";
import { copySession, deliver, openSession, setRules } from "./delivery.js";
import { lostRequest, refusalOf } from "./errors.js";
import type { AnswerFrame } from "./frame.js";
import { agentName } from "./model.js";
import { keptRules } from "./modes.js";
import { onMessages, onPermissions, onQuestions, onStatuses } from "./resync.js";
import { adoptMain, onSessionInfo } from "./sessions.js";
import type { OpencodeDraft, Pending } from "./state.js";
import { failPrompt, onAccepted } from "./turn.js";

const Agents = z.array(z.looseObject({ name: z.string(), permission: z.array(PermissionRule) }));
const History = z.array(z.looseObject({ info: z.looseObject({ id: z.string() }) }));
const SessionAnswer = z.looseObject({ id: z.string() });

/** Answers to our own requests. */
export function onAnswer(draft: OpencodeDraft, frame: AnswerFrame): void {
  const pending = draft.state.pending[frame.token];
  if (!pending) return;
  delete draft.state.pending[frame.token];
  if (frame.kind === "failure") return onRefused(draft, pending, 0, lostRequest(frame.failure));
  const { status, body } = frame;
  if (status < 200 || status > 299) return onRefused(draft, pending, status, refusalOf(status, body));
  onDone(draft, pending, body);
}

function onDone(draft: OpencodeDraft, pending: Pending, body: unknown): void {
  switch (pending.kind) {
    case "agents":
      return onAgents(draft, body);
    case "mcp":
      readServers(draft, body);
      return deliver(draft);
    case "session":
      return onSession(draft, pending.how, body);
    case "history":
      return onHistory(draft, pending.at, body);
    case "rules":
      return deliver(draft);
    case "prompt":
      return onAccepted(draft);
    case "messages":
      return onMessages(draft, pending.threadID, body);
    case "permissions":
      return onPermissions(draft, body);
    case "questions":
      return onQuestions(draft, body);
    case "statuses":
      return onStatuses(draft, body);
    // What they set going is told by events.
    case "compact":
    case "abort":
    case "reply":
      return;
  }
}

function onRefused(draft: OpencodeDraft, pending: Pending, status: number, error: ReturnType<typeof refusalOf>): void {
  switch (pending.kind) {
    // What the user's configuration denies is not known, or did not get through: nothing may be asked for then.
    case "agents":
    case "rules":
      draft.state.session = "none";
      return failPrompt(draft, error);
    case "mcp":
      updateNative(draft, { mcpError: error.message });
      return deliver(draft);
    case "history":
    case "session":
      // The server knows no such session: its history is lost, and the next prompt begins anew.
      if (status === 404) Object.assign(draft.state, { nativeID: null, fork: null });
      draft.state.session = "none";
      return failPrompt(draft, error);
    case "prompt":
    case "compact":
      return failPrompt(draft, error);
    // Somebody else was first, or the ask was taken back: the events tell.
    case "reply":
      if (status !== 404) setSessionError(draft, error);
      return;
    case "abort":
    case "messages":
    case "permissions":
    case "questions":
    case "statuses":
      return setSessionError(draft, error);
  }
}

function onAgents(draft: OpencodeDraft, body: unknown): void {
  const agents = Agents.safeParse(body).data;
  if (!agents) return onRefused(draft, { kind: "agents" }, 0, lostRequest("its agents cannot be read"));
  const own = agents.find(({ name }) => name === agentName(draft.state));
  draft.state.userRules = keptRules(own?.permission ?? []);
  openSession(draft);
}

/** Every answer lists all servers with their states, also those of the user. */
function readServers(draft: OpencodeDraft, body: unknown): void {
  if (!isRecord(body)) return;
  const { state } = draft;
  state.mcpNames = [...new Set([...state.mcpNames, ...Object.keys(body)])].sort();
  const failed = Object.entries(body).flatMap(([name, server]) => {
    if (!isRecord(server) || server.status === "connected" || server.status === "disabled") return [];
    return [[name, server.error ?? server.status]];
  });
  if (failed.length > 0) updateNative(draft, { mcp: Object.fromEntries(failed) });
}

/** A copy is cut at the message behind the last one that is taken along. */
function onHistory(draft: OpencodeDraft, at: string, body: unknown): void {
  const messages = History.safeParse(body).data ?? [];
  const last = messages.findIndex(({ info }) => info.id === at);
  if (last >= 0) return copySession(draft, messages[last + 1]?.info.id);
  onRefused(draft, { kind: "history", at }, 404, lostRequest("the message to go on from is gone"));
}

function onSession(draft: OpencodeDraft, how: "new" | "resumed" | "forked", body: unknown): void {
  const { data } = SessionAnswer.safeParse(body);
  const { state } = draft;
  if (!data) {
    state.session = "none";
    return failPrompt(draft, lostRequest("its answer names no session"));
  }
  adoptMain(draft, data.id);
  state.fork = null;
  onSessionInfo(draft, data);
  if (how === "forked") setRules(draft);
  else deliver(draft);
}
