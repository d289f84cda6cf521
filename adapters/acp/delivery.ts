import type { InitializeRequest } from "@agentclientprotocol/sdk/unstable";
import type { McpServer, MessageError, PromptPart } from "../../schemas/index.js";
import { inlineFile, isTextMime, textOfBase64 } from "../shared/file-url.js";
import { sendRequest } from "./rpc.js";
import { askForSettings } from "./settings.js";
import type { AcpDraft } from "./state.js";

/**
 * What this client can do, and no more: files and commands are the agent's own business, so that its own rules hold for
 * them, and subagents have sessions of their own where the agent can tell them apart.
 */
const INITIALIZE = {
  protocolVersion: 1,
  clientInfo: { name: "agentwire", title: "agentwire", version: "1" },
  clientCapabilities: {
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    subagents: {},
    elicitation: { form: {}, url: {} },
  },
} as const satisfies InitializeRequest;

/** Does the next step on the way of the waiting prompt: a process, a session, its settings, the prompt. */
export function deliver(draft: AcpDraft): MessageError | undefined {
  const { state } = draft;
  if (!state.wanted) return undefined;
  if (state.process === "none") startProcess(draft);
  else if (state.process === "running" && state.session === "none") return openSession(draft);
  else if (state.process === "running" && state.session === "open") return sendPrompt(draft);
  return undefined;
}

function startProcess(draft: AcpDraft): void {
  const { state } = draft;
  const { nativeID } = state.main;
  draft.outputs.push({
    kind: "spawn",
    ...(nativeID !== null && { resume: nativeID, ...(state.fork && { fork: {} }) }),
  });
  Object.assign(state, { process: "starting", session: "none", settings: "unknown" });
  sendRequest(draft, "initialize", INITIALIZE, { kind: "initialize" });
}

/** To resume is to go on without hearing the history again, so it comes before to load. */
export function openSession(draft: AcpDraft): MessageError | undefined {
  const { state } = draft;
  const { abilities, mcpServers, main } = state;
  const unfit = Object.entries(mcpServers ?? {}).find(([, { type }]) => type !== "stdio" && !abilities[type]);
  if (unfit) return invalid(`${draft.profile.name} takes no MCP servers over ${unfit[1].type}: ${unfit[0]}`);
  const options = { cwd: main.transcript.session.directory, mcpServers: serversOf(mcpServers ?? {}) };
  if (main.nativeID === null) {
    state.session = "opening";
    sendRequest(draft, "session/new", options, { kind: "session", how: "new" });
    return undefined;
  }
  const how = state.fork ? "fork" : abilities.resume ? "resume" : "load";
  if (!abilities[how]) return startAnew(draft, `${draft.profile.name} offers no way to go on with a session`);
  state.session = how === "load" ? "replaying" : "opening";
  sendRequest(draft, `session/${how}`, { sessionId: main.nativeID, ...options }, { kind: "session", how });
  return undefined;
}

/** A history that the agent cannot take up is told as lost, once. Without one nothing is. */
function startAnew(draft: AcpDraft, why: string): MessageError | undefined {
  const { hasHistory } = draft.state;
  forgetSession(draft);
  return hasHistory ? invalid(why) : openSession(draft);
}

/** The next session begins anew. */
export function forgetSession({ state }: AcpDraft): void {
  Object.assign(state, { session: "none", fork: false, hasHistory: false });
  state.main.nativeID = null;
}

export function invalid(message: string): MessageError {
  return { name: "invalid_request", message, retryable: false };
}

function serversOf(servers: Readonly<Record<string, McpServer>>): unknown[] {
  const pairs = (record: Readonly<Record<string, string>> = {}) =>
    Object.entries(record).map(([name, value]) => ({ name, value }));
  return Object.entries(servers).map(([name, server]) => {
    if (server.type !== "stdio") return { type: server.type, name, url: server.url, headers: pairs(server.headers) };
    return { name, command: server.command, args: server.args ?? [], env: pairs(server.env) };
  });
}

/** The settings are in force before the prompt is sent: agents take requests in any order. */
function sendPrompt(draft: AcpDraft): MessageError | undefined {
  const { state } = draft;
  const unfitting = settle(draft);
  if (unfitting) return unfitting;
  if (Object.values(state.pending).some(({ kind }) => kind === "change")) return undefined;
  if (!state.prompt || state.prompt.sent || state.main.nativeID === null) return undefined;
  const { prompt } = state.prompt;
  const blocks = prompt.parts.map((part) => contentOf(part, draft));
  const unfit = blocks.find((block) => typeof block === "string");
  if (typeof unfit === "string") return invalid(unfit);
  state.prompt.sent = true;
  sendRequest(draft, "session/prompt", { sessionId: state.main.nativeID, prompt: blocks }, { kind: "prompt" });
  return undefined;
}

/** Asks for what the session should be set to, once with each process; again after a refusal, for the next prompt. */
function settle(draft: AcpDraft): MessageError | undefined {
  const { state } = draft;
  if (state.settings !== "unknown") return undefined;
  const missing = askForSettings(draft);
  if (missing === undefined) state.settings = "asked";
  return missing === undefined ? undefined : invalid(missing);
}

/** A part of a prompt as the protocol has it; a text says why it cannot be sent. */
function contentOf(part: PromptPart, { state, profile }: AcpDraft): unknown {
  if (part.type === "text") return { type: "text", text: part.text };
  if (part.type !== "file") return `${profile.name} takes no ${part.type} parts`;
  const { url, mime, filename } = part;
  const file = inlineFile(url);
  if (!file) return { type: "resource_link", uri: url, name: filename ?? url.split("/").at(-1) ?? url, mimeType: mime };
  for (const type of ["image", "audio"] as const) {
    if (!mime.startsWith(`${type}/`)) continue;
    return state.abilities[type] ? { type, data: file.data, mimeType: mime } : `${profile.name} takes no ${type} here`;
  }
  if (!state.abilities.embedded) return `${profile.name} takes no files within a prompt, only links to them`;
  const content = isTextMime(mime) ? { text: textOfBase64(file.data) } : { blob: file.data };
  return { type: "resource", resource: { uri: `attachment:${filename ?? "file"}`, mimeType: mime, ...content } };
}
