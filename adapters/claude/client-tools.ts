import {
  type CallBlock,
  CLIENT_SERVER,
  type ClientTool,
  PROTOCOL_VERSION,
  type ToolState,
} from "../../schemas/index.js";
import type { Command } from "../contract.js";
import { inlineFile } from "../shared/file-url.js";
import { isRecord } from "../shared/is-record.js";
import { INVALID_PARAMS, METHOD_NOT_FOUND } from "../shared/json-rpc.js";
import { resolveBlock } from "../shared/resolve-block.js";
import { blockTool, completeTool, failTool, unblockTool } from "../shared/tool-call.js";
import { nextId } from "../shared/transcript.js";
import { openUnseenTool } from "./api-message.js";
import { sendAnswer, sendRefusal } from "./control.js";
import { type ControlRequestFrame, McpMessage, type RpcMessage } from "./frame.js";
import { ensureTurn } from "./model.js";
import { type Ask, type ClaudeDraft, inThread, inThreadOfCall, type Thread, taskIDOf, threadOf } from "./state.js";

/** What a request is answered with; a notification too, for the CLI waits for an answer to each of its messages. */
type RpcAnswer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };
const NOTHING: RpcAnswer = { result: {} };

type ReplyCommand = Extract<Command, { type: "reply" }>;

/** What `initialize` tells the CLI of this server. */
export function clientServers({ state }: ClaudeDraft): { sdkMcpServers?: string[] } {
  return state.tools.length > 0 ? { sdkMcpServers: [CLIENT_SERVER] } : {};
}

/**
 * The session's client is a server of tools. The CLI speaks MCP to it over its control requests; a call becomes a block on
 * the tool's part, everything else is answered here.
 */
export function onMcpMessage(draft: ClaudeDraft, { request_id: requestID, request }: ControlRequestFrame): void {
  const parsed = McpMessage.safeParse(request);
  if (!parsed.success) return sendRefusal(draft, requestID, "malformed mcp_message request");
  const { server_name: server, message } = parsed.data;
  if (message.method === "tools/call") return onCall(draft, requestID, server, message);
  if (message.method === "notifications/cancelled") onCancelled(draft, message.params?.requestId);
  answer(draft, requestID, message.id, message.id == null ? NOTHING : answerTo(draft, message));
}

function answerTo({ state }: ClaudeDraft, { method, params }: RpcMessage): RpcAnswer {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: CLIENT_SERVER, version: PROTOCOL_VERSION },
        },
      };
    case "ping":
      return NOTHING;
    case "tools/list":
      return { result: { tools: state.tools.map(describeTool) } };
    default:
      return { error: { code: METHOD_NOT_FOUND, message: `there is no method ${method}` } };
  }
}

/** Always loaded: else the model would have to search for a tool before it could know its input. */
function describeTool({ name, description, inputSchema, readOnly }: ClientTool) {
  return {
    name,
    description,
    inputSchema,
    ...(readOnly !== undefined && { annotations: { readOnlyHint: readOnly } }),
    _meta: { "anthropic/alwaysLoad": true },
  };
}

function answer(draft: ClaudeDraft, requestID: string, rpcID: RpcMessage["id"], outcome: RpcAnswer): void {
  sendAnswer(draft, requestID, { mcp_response: { jsonrpc: "2.0", id: rpcID ?? 0, ...outcome } });
}

/** The tool's part waits until the client has carried out the call. */
function onCall(step: ClaudeDraft, requestID: string, server: string, message: RpcMessage): void {
  const { name, arguments: given } = message.params ?? {};
  if (typeof name !== "string" || message.id == null) {
    return answer(step, requestID, message.id, { error: { code: INVALID_PARAMS, message: "the call names no tool" } });
  }
  const input = isRecord(given) ? given : {};
  const { draft, callID } = placeOf(step, requestID, server, message, name, input);
  const block: CallBlock = { type: "call", id: nextId(draft, "cal"), name, input };
  draft.state.asks[block.id] = {
    requestID,
    blockID: block.id,
    taskID: taskIDOf(draft.thread),
    callID,
    toolName: name,
    input,
    suggestions: [],
    rpcID: message.id,
  };
  settleEarlier(draft, callID);
  blockTool(draft, callID, input, name, block);
}

interface Place {
  readonly draft: ClaudeDraft;
  readonly callID: string;
}

/** The call the CLI names; where it names none, one that runs and fits; else one of its own, known by the request. */
function placeOf(
  step: ClaudeDraft,
  requestID: string,
  server: string,
  message: RpcMessage,
  name: string,
  input: Record<string, unknown>,
): Place {
  const meta = isRecord(message.params?._meta) ? message.params._meta : {};
  const named = meta["claudecode/toolUseId"];
  const callID = typeof named === "string" ? named : callThatFits(step, server, name, input);
  const known = callID === undefined ? undefined : inThreadOfCall(step, callID);
  if (callID !== undefined && known) return { draft: known, callID };
  ensureTurn(step);
  openUnseenTool(step, requestID, `mcp__${server}__${name}`);
  return { draft: step, callID: requestID };
}

function callThatFits(
  step: ClaudeDraft,
  server: string,
  name: string,
  input: Record<string, unknown>,
): string | undefined {
  const threads: Thread[] = [step.main, ...Object.values(step.state.subagents)];
  const open = threads.flatMap(({ transcript }) => Object.values(transcript.tools));
  const waiting = open.filter(({ state, metadata }) => {
    const native = isRecord(metadata?.native) ? metadata.native : {};
    return native.server === server && native.name === name && isUncalled(state);
  });
  const asWritten = JSON.stringify(input);
  return (waiting.find(({ state }) => JSON.stringify(state.input) === asWritten) ?? waiting[0])?.callID;
}

function isUncalled(state: ToolState): boolean {
  return state.status === "running" && state.block?.type !== "call";
}

/** The CLI calls what it asked about: somebody else has allowed it. */
function settleEarlier(draft: ClaudeDraft, callID: string): void {
  const state = draft.transcript.tools[callID]?.state;
  if (state?.status !== "blocked") return;
  delete draft.state.asks[state.block.id];
  unblockTool(draft, callID, resolveBlock(draft, state.block, { decision: "once", decidedBy: "agent" }));
}

/** The CLI waits for a call no more: its turn is interrupted, or it took too long. */
function onCancelled(step: ClaudeDraft, rpcID: unknown): void {
  const ask = Object.values(step.state.asks).find((open) => open.rpcID !== undefined && open.rpcID === rpcID);
  if (!ask) return;
  delete step.state.asks[ask.blockID];
  const draft = inThread(step, threadOf(step, ask.taskID));
  const state = draft.transcript.tools[ask.callID]?.state;
  if (state?.status !== "blocked") return;
  unblockTool(draft, ask.callID, resolveBlock(draft, state.block, { decision: "reject", decidedBy: "agent" }));
}

/** The client has carried out a call; the part is completed by what the CLI makes of it. */
export function answerCall(draft: ClaudeDraft, ask: Ask, block: CallBlock, command: ReplyCommand): void {
  const resolved = resolveBlock(draft, block, { ...command, decision: "once" });
  const { output = "", error, attachments = [] } = command;
  // A call that came without one of the CLI's own has nothing to wait for.
  if (ask.callID !== ask.requestID) unblockTool(draft, ask.callID, resolved);
  else if (error !== undefined) failTool(draft, ask.callID, { error, block: resolved });
  else completeTool(draft, ask.callID, { output, attachments, block: resolved });
  answer(draft, ask.requestID, ask.rpcID, { result: resultOf(command) });
}

function resultOf({ output = "", error, attachments = [] }: ReplyCommand): Record<string, unknown> {
  if (error !== undefined) return { content: [{ type: "text", text: error }], isError: true };
  const text = output === "" && attachments.length > 0 ? [] : [{ type: "text", text: output }];
  return { content: [...text, ...attachments.map(({ url }) => imageOf(url))] };
}

function imageOf(url: string): Record<string, unknown> {
  const { mime: mimeType, data } = inlineFile(url) ?? {};
  return { type: "image", mimeType, data };
}
