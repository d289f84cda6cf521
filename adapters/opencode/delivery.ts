import type { McpServer, Mode, PromptPart } from "../../schemas/index.js";
import { agentName, chosenModel, optionOf } from "./model.js";
import { renewedRules, sessionRules } from "./modes.js";
import { isPending, sendRequest, sessionPath } from "./requests.js";
import type { OpencodeDraft } from "./state.js";

/** Does the next step on the way of the waiting prompt: a process, a session, the prompt. Each is told when it is there. */
export function deliver(draft: OpencodeDraft): void {
  const { state } = draft;
  if (!state.wanted) return;
  if (state.process === "none") return startProcess(draft);
  if (state.process !== "running") return;
  if (state.session === "none") return prepare(draft);
  if (state.session === "open" && !isPending(draft, "mcp", "rules")) sendPrompt(draft);
}

function startProcess(draft: OpencodeDraft): void {
  const { state } = draft;
  const { nativeID, fork } = state;
  draft.outputs.push({ kind: "spawn", ...(nativeID !== null && { resume: nativeID, ...(fork && { fork }) }) });
  state.process = "starting";
  state.launchedMode = state.main.transcript.session.mode;
}

/** The agents tell what the user's configuration allows, which the session's rules must not take back. */
function prepare(draft: OpencodeDraft): void {
  const { state } = draft;
  state.session = "opening";
  sendRequest(draft, "GET", "/agent", undefined, { kind: "agents" });
  for (const [name, server] of Object.entries(state.mcpServers ?? {}))
    sendRequest(draft, "POST", "/mcp", { name, config: configOf(server) }, { kind: "mcp" });
  if (Object.keys(state.mcpServers ?? {}).length === 0) sendRequest(draft, "GET", "/mcp", undefined, { kind: "mcp" });
}

function configOf(server: McpServer): Record<string, unknown> {
  if (server.type === "stdio") {
    const { command, args = [], env } = server;
    return { type: "local", command: [command, ...args], ...(env && { environment: env }) };
  }
  return { type: "remote", url: server.url, ...(server.headers && { headers: server.headers }) };
}

export function openSession(draft: OpencodeDraft): void {
  const { state } = draft;
  const { title } = state.main.transcript.session;
  const mode = modeInForce(draft);
  if (state.nativeID === null) {
    // A title of the user's own is kept; without one the server finds one by itself.
    const body = { ...(title !== "" && { title }), permission: sessionRules(mode, state.userRules) };
    return sendRequest(draft, "POST", "/session", body, { kind: "session", how: "new" });
  }
  const permission = renewedRules(mode, state.userRules);
  if (!state.fork) {
    return sendRequest(
      draft,
      "PATCH",
      sessionPath(state.nativeID),
      { permission },
      { kind: "session", how: "resumed" },
    );
  }
  const path = sessionPath(state.nativeID, "/message");
  sendRequest(draft, "GET", path, undefined, { kind: "history", at: state.fork.at });
}

/** A copy holds what comes before a message: the whole where there is none. */
export function copySession(draft: OpencodeDraft, before: string | undefined): void {
  const { state } = draft;
  state.copying = true;
  const body = before === undefined ? {} : { messageID: before };
  sendRequest(draft, "POST", sessionPath(state.nativeID, "/fork"), body, { kind: "session", how: "forked" });
}

/** The mode may have been changed since the server was started: then it is started anew for the next prompt. */
function modeInForce({ state }: OpencodeDraft): Mode {
  return state.launchedMode ?? state.main.transcript.session.mode;
}

/** A session that was made by a copy has the rules of nobody. */
export function setRules(draft: OpencodeDraft): void {
  const { state } = draft;
  const permission = renewedRules(modeInForce(draft), state.userRules);
  sendRequest(draft, "PATCH", sessionPath(state.nativeID), { permission }, { kind: "rules" });
}

/** The server has a request for what its terminal calls a command. */
export function asksToCompact({ state }: OpencodeDraft): boolean {
  const [part, ...others] = state.prompt?.prompt.parts ?? [];
  return others.length === 0 && part?.type === "text" && part.text.trim() === "/compact";
}

function sendPrompt(draft: OpencodeDraft): void {
  const { state } = draft;
  if (state.prompt?.sent !== "no") return;
  state.prompt.sent = "yes";
  state.copying = false;
  const model = chosenModel(state);
  if (asksToCompact(draft)) {
    const known = model ?? { providerID: state.model?.provider ?? "", modelID: state.model?.id ?? "" };
    // It is answered when all is over.
    state.prompt.sent = "accepted";
    return sendRequest(draft, "POST", sessionPath(state.nativeID, "/summarize"), known, { kind: "compact" });
  }
  const variant = optionOf(state, "variant");
  const body = {
    agent: agentName(state),
    ...(model && { model }),
    ...(variant !== undefined && { variant }),
    parts: inputOf(state.prompt.prompt.parts),
  };
  sendRequest(draft, "POST", sessionPath(state.nativeID, "/prompt_async"), body, { kind: "prompt" });
}

/** Our ids stay here: the server orders messages by its own. */
function inputOf(parts: readonly PromptPart[]): unknown[] {
  return parts.map(({ id: _, ...part }) => part);
}
