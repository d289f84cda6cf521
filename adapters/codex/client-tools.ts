import type { Block, CallBlock, ClientTool } from "../../schemas/index.js";
import type { Command } from "../contract.js";
import { isRecord } from "../shared/is-record.js";
import { resolveBlock } from "../shared/resolve-block.js";
import { completeTool, failTool, unblockTool } from "../shared/tool-call.js";
import { nextId } from "../shared/transcript.js";
import { openAsk } from "./asks.js";
import type { RequestParams } from "./frame.js";
import type { ClientRequests, JsonValue } from "./native-types.js";
import { sendAnswer } from "./rpc.js";
import { type Ask, type CodexDraft, threadKey } from "./state.js";
import { placeOf } from "./tool-parts.js";
import { imagesIn, outputIn } from "./tool-results.js";
import { clientToolView } from "./tools.js";

/** Tools that the session's client serves. The app-server takes them with `thread/start` and keeps them with the thread. */
export function dynamicTools(tools: readonly ClientTool[]): Pick<ClientRequests["thread/start"], "dynamicTools"> {
  const specs = tools.map(({ name, description, inputSchema }) => ({
    type: "function" as const,
    name,
    description,
    inputSchema: inputSchema as JsonValue,
  }));
  return specs.length > 0 ? { dynamicTools: specs } : {};
}

/** What the app-server is told where nobody can carry out a call any more. */
export const NOT_CALLED = {
  contentItems: [{ type: "inputText", text: "The turn of this call is over" }],
  success: false,
};

/** The tool's part waits until the client has carried out the call. Nobody is asked for permission before. */
export function onToolCall(draft: CodexDraft, token: string, params: RequestParams<"item/tool/call">): void {
  const view = clientToolView(params.callId, params);
  const place = placeOf(draft, params.callId, view);
  const block: CallBlock = { type: "call", id: nextId(draft, "cal"), name: params.tool, input: view.input };
  openAsk(draft, { kind: "call", token, blockID: block.id, threadID: threadKey(draft), ...place }, view, block);
}

/** The client has carried out a call; the item's end says what the app-server made of it. */
export function answerCall(
  draft: CodexDraft,
  ask: Ask,
  block: Block,
  command: Extract<Command, { type: "reply" }>,
): void {
  const resolved = resolveBlock(draft, block, { ...command, decision: "once" });
  const { output = "", error, attachments = [] } = command;
  if (!ask.synthetic) unblockTool(draft, ask.callID, resolved);
  else if (error !== undefined) failTool(draft, ask.callID, { error, block: resolved });
  else completeTool(draft, ask.callID, { output, attachments, block: resolved });
  const images = attachments.map(({ url }) => ({ type: "inputImage", imageUrl: url }));
  const text = error ?? output;
  const contentItems = [...(text === "" && images.length > 0 ? [] : [{ type: "inputText", text }]), ...images];
  sendAnswer(draft, ask.token, { contentItems, success: error === undefined });
}

/** The answer to a call that a recording shows. */
export function observeCall({ contentItems, success }: Record<string, unknown>) {
  const items = Array.isArray(contentItems) ? contentItems.filter(isRecord) : [];
  if (success !== true) return { error: outputIn(items) };
  const attachments = imagesIn(items);
  return { output: outputIn(items), ...(attachments.length > 0 && { attachments }) };
}
