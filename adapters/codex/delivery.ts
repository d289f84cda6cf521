import type { McpServer, PromptPart } from "../../schemas/index.js";
import { filePath, inlineFile, textOfBase64 } from "../shared/file-url.js";
import { dynamicTools } from "./client-tools.js";
import { MODES, threadPolicy, turnPolicy } from "./modes.js";
import type { ClientRequests, JsonValue, UserInput } from "./native-types.js";
import { sendRequest } from "./rpc.js";
import type { CodexDraft, CodexState, Task } from "./state.js";

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
  const archived = state.main.transcript.session.time.archived !== undefined;
  if (archived !== state.archived && canArchive(state)) return tellArchived(draft, archived, state.nativeID);
  if (archived) return;
  if (state.thread === "none") return openThread(draft);
  if (state.thread === "open") sendTurn(draft);
}

function startProcess(draft: CodexDraft): void {
  const { state } = draft;
  const { nativeID, fork } = state;
  draft.outputs.push({ kind: "spawn", ...(nativeID !== null && { resume: nativeID, ...(fork && { fork }) }) });
  state.process = "starting";
  sendRequest(draft, "initialize", INITIALIZE, { kind: "initialize" });
}

/** What a copy is yet to be made of is another session's. */
function canArchive(state: CodexState): state is CodexState & { nativeID: string } {
  return state.nativeID !== null && !state.fork && state.thread !== "opening";
}

/** A thread that is put away is unloaded, and opened again when it has been taken out. */
function tellArchived(draft: CodexDraft, archived: boolean, threadId: string): void {
  Object.assign(draft.state, { archived, thread: "opening" });
  sendRequest(draft, archived ? "thread/archive" : "thread/unarchive", { threadId }, { kind: "archive" });
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

/** What the running prompt asks for where it is no word for the model: a task, or what is typed in the CLI's terminal. */
export function currentTask({ state }: CodexDraft): Task | undefined {
  if (!state.prompt) return undefined;
  const { info, parts } = state.prompt.prompt;
  const [part, ...others] = parts;
  const compacts = others.length === 0 && part?.type === "text" && part.text.trim() === "/compact";
  return state.tasks[info.id] ?? (compacts ? { kind: "compact" } : undefined);
}

/** Only these words: SSE servers are older than the app-server. */
function configOf(servers: Readonly<Record<string, McpServer>>): { [name: string]: JsonValue } {
  const entries = Object.entries(servers).map(([name, server]): [string, JsonValue] => {
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
  const task = currentTask(draft);
  if (task) return sendTask(draft, threadID, task);
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

/** A review takes no policy, so what is in force is said before it. */
function sendTask(draft: CodexDraft, threadId: string, task: Task): void {
  if (task.kind === "compact") return sendRequest(draft, "thread/compact/start", { threadId }, { kind: "turn" });
  const { mode, model } = draft.state.main.transcript.session;
  const settings = { threadId, ...turnPolicy(mode), ...(model !== undefined && { model }), ...effort(draft) };
  sendRequest(draft, "thread/settings/update", settings);
  const target = task.target.type === "commit" ? { ...task.target, title: task.target.title ?? null } : task.target;
  sendRequest(draft, "review/start", { threadId, target, delivery: "inline" }, { kind: "turn" });
}

/** The only option, which sticks to the thread; it is kept among what is known of the session. */
function effort(draft: CodexDraft): { effort?: string } {
  const native = draft.state.main.transcript.session.metadata?.native as { effort?: unknown } | undefined;
  return typeof native?.effort === "string" ? { effort: native.effort } : {};
}

/** Plan mode sticks to the thread, so leaving it must be said too. It needs the name of the model. */
function collaboration(draft: CodexDraft): Pick<ClientRequests["turn/start"], "collaborationMode"> {
  const { state } = draft;
  const plans = MODES[state.main.transcript.session.mode].native.startsWith("plan");
  if (!plans && !state.planning) return {};
  state.planning = plans;
  const settings = { model: state.model?.id ?? "", reasoning_effort: null, developer_instructions: null };
  return { collaborationMode: { mode: plans ? "plan" : "default", settings } };
}

export function inputOf(parts: readonly PromptPart[]): UserInput[] {
  return parts.flatMap((part): UserInput[] => {
    if (part.type === "text") return [{ type: "text", text: part.text, text_elements: [] }];
    if (part.type !== "file") return [];
    return [fileInput(part)];
  });
}

/** Codex takes pictures only: the text of a file goes as text, and any other file is named for it to read. */
function fileInput(part: Extract<PromptPart, { type: "file" }>): UserInput {
  const path = filePath(part.url);
  const isImage = part.mime.startsWith("image/");
  if (isImage) return path === undefined ? { type: "image", url: part.url } : { type: "localImage", path };
  const file = inlineFile(part.url);
  const text = file ? `${part.filename ?? "file"}:\n${textOfBase64(file.data)}` : `@${path ?? part.url}`;
  return { type: "text", text, text_elements: [] };
}
