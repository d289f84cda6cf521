import type { McpServer, PromptPart } from "../../schemas/index.js";
import { dynamicTools } from "./client-tools.js";
import { MODES, threadPolicy, turnPolicy } from "./modes.js";
import { sendRequest } from "./rpc.js";
import type { CodexDraft } from "./state.js";

/** `experimentalApi`: without it there is neither plan mode nor a way to end a command that was left running. */
const INITIALIZE = {
  clientInfo: { name: "agentwire", title: "agentwire", version: "1" },
  capabilities: { experimentalApi: true, requestAttestation: false },
};

/** Does the next step on the way of the waiting prompt: a process, a thread, a turn. Each is told when it is there. */
export function deliver(draft: CodexDraft): void {
  const { state } = draft;
  if (!state.wanted) return;
  if (state.process === "none") return startProcess(draft);
  if (state.process !== "running") return;
  if (state.thread === "none") return openThread(draft);
  if (state.thread === "open") sendTurn(draft);
}

function startProcess(draft: CodexDraft): void {
  const { state } = draft;
  draft.outputs.push({ kind: "spawn", ...(state.nativeID !== null && { resume: state.nativeID }) });
  state.process = "starting";
  sendRequest(draft, "initialize", INITIALIZE, { kind: "initialize" });
}

/** `excludeTurns`: the history is in the store, and to send it is deprecated. */
export function openThread(draft: CodexDraft): void {
  const { state } = draft;
  const { directory, mode, model } = state.main.transcript.session;
  const options = {
    cwd: directory,
    ...(model !== undefined && { model }),
    ...threadPolicy(mode),
    ...(state.mcpServers && { config: { mcp_servers: configOf(state.mcpServers) } }),
  };
  state.thread = "opening";
  if (state.nativeID === null) {
    const params = { ...options, ...dynamicTools(state.tools) };
    return sendRequest(draft, "thread/start", params, { kind: "thread", resumed: false });
  }
  const params = { threadId: state.nativeID, excludeTurns: true, ...options };
  if (!state.fork) return sendRequest(draft, "thread/resume", params, { kind: "thread", resumed: true });
  const until = state.fork.at === undefined ? {} : { lastTurnId: state.fork.at };
  sendRequest(draft, "thread/fork", { ...params, ...until }, { kind: "thread", resumed: true });
}

/** The app-server has a request for what its terminal calls a command; it begins a turn like any other. */
export function asksToCompact({ state }: CodexDraft): boolean {
  const [part, ...others] = state.prompt?.prompt.parts ?? [];
  return others.length === 0 && part?.type === "text" && part.text.trim() === "/compact";
}

/** Only these words: SSE servers are older than the app-server. */
function configOf(servers: Readonly<Record<string, McpServer>>): Record<string, unknown> {
  const entries = Object.entries(servers).map(([name, server]) => {
    if (server.type !== "stdio")
      return [name, { url: server.url, ...(server.headers && { http_headers: server.headers }) }];
    const { command, args = [], env } = server;
    return [name, { command, args, ...(env && { env }) }];
  });
  return Object.fromEntries(entries);
}

function sendTurn(draft: CodexDraft): void {
  const { state } = draft;
  const { threadID, transcript } = state.main;
  if (!state.prompt || state.prompt.sent || threadID === null) return;
  const { info, parts, nativeID } = state.prompt.prompt;
  const { mode, model } = transcript.session;
  state.prompt.sent = true;
  if (asksToCompact(draft)) return sendRequest(draft, "thread/compact/start", { threadId: threadID }, { kind: "turn" });
  sendRequest(
    draft,
    "turn/start",
    {
      threadId: threadID,
      clientUserMessageId: nativeID ?? info.id,
      input: inputOf(parts),
      ...turnPolicy(mode),
      ...(model !== undefined && { model }),
      ...effort(draft),
      ...collaboration(draft),
    },
    { kind: "turn" },
  );
}

/** The only option, which sticks to the thread; it is kept among what is known of the session. */
function effort(draft: CodexDraft): Record<string, unknown> {
  const native = draft.state.main.transcript.session.metadata?.native as { effort?: unknown } | undefined;
  return native?.effort === undefined ? {} : { effort: native.effort };
}

/** Plan mode sticks to the thread, so leaving it must be said too. It needs the name of the model. */
function collaboration(draft: CodexDraft): Record<string, unknown> {
  const { state } = draft;
  const plans = MODES[state.main.transcript.session.mode].native.startsWith("plan");
  if (!plans && !state.planning) return {};
  state.planning = plans;
  const settings = { model: state.model?.id ?? "", reasoning_effort: null, developer_instructions: null };
  return { collaborationMode: { mode: plans ? "plan" : "default", settings } };
}

export function inputOf(parts: readonly PromptPart[]): unknown[] {
  return parts.flatMap((part): unknown[] => {
    if (part.type === "text") return [{ type: "text", text: part.text, text_elements: [] }];
    if (part.type !== "file") return [];
    return part.url.startsWith("file://")
      ? [{ type: "localImage", path: decodeURIComponent(part.url.slice("file://".length)) }]
      : [{ type: "image", url: part.url }];
  });
}
