import type { Block } from "../../schemas/index.js";
import { blockTool, openTool, unblockTool } from "../shared/tool-call.js";
import { currentMessage } from "./responses.js";
import { type Ask, type CodexDraft, inThread, threadKey } from "./state.js";
import type { ToolView } from "./tools.js";

/** Where an ask is shown: on the part of its tool, or on a part of its own. */
export interface AskPlace {
  readonly callID: string;
  readonly synthetic: boolean;
}

/** A part of its own for an ask whose tool has none, or whose tool waits for another ask already. */
export function placeOfItsOwn(draft: CodexDraft, name: string, view: ToolView): AskPlace {
  const { thread } = draft;
  const count = (thread.opened[name] ?? 0) + 1;
  thread.opened[name] = count;
  const callID = `${thread.turns}.${name}${count > 1 ? `#${count}` : ""}`;
  openTool(draft, currentMessage(draft), { callID, tool: view.tool, metadata: { native: view.native } });
  thread.callsTools = true;
  return { callID, synthetic: true };
}

/** Whether a tool's part can take an ask. */
export function canBlock(draft: CodexDraft, callID: string | undefined): callID is string {
  const status = draft.transcript.tools[callID ?? ""]?.state.status;
  return status === "pending" || status === "running";
}

export function openAsk(
  draft: CodexDraft,
  ask: Ask,
  shown: { input: Record<string, unknown>; title: string },
  block: Block,
): void {
  draft.state.asks[ask.blockID] = ask;
  const state = draft.transcript.tools[ask.callID]?.state;
  const input = state && state.status !== "pending" ? state.input : shown.input;
  const title = (state && state.status !== "pending" ? state.title : undefined) ?? shown.title;
  blockTool(draft, ask.callID, input, title, block);
}

export function askOfToken(draft: CodexDraft, token: string): Ask | undefined {
  return Object.values(draft.state.asks).find((ask) => ask.token === token);
}

/** The step at work in the thread that asks. */
export function inThreadOf(draft: CodexDraft, ask: Ask): CodexDraft {
  const { main, children } = draft.state;
  return inThread(draft, ask.threadID === null ? main : (children[ask.threadID] ?? main));
}

/** Asks of a thread that nobody needs to answer any more. */
export function dropAsks(draft: CodexDraft): void {
  const key = threadKey(draft);
  const { asks, withdrawn } = draft.state;
  draft.state.asks = Object.fromEntries(Object.entries(asks).filter(([, ask]) => ask.threadID !== key));
  draft.state.withdrawn = Object.fromEntries(
    Object.entries(withdrawn).filter(([name]) => !name.startsWith(`${key ?? ""}/`)),
  );
}

export function withdrawnKey(draft: CodexDraft, callID: string): string {
  return `${threadKey(draft) ?? ""}/${callID}`;
}

/** The app-server does not wait any more although we said nothing: somebody else answered. The tool goes on. */
export function withdrawAsk(step: CodexDraft, token: string): void {
  const ask = askOfToken(step, token);
  if (!ask) return;
  const draft = inThreadOf(step, ask);
  delete draft.state.asks[ask.blockID];
  const state = draft.transcript.tools[ask.callID]?.state;
  if (state?.status !== "blocked") return;
  draft.state.withdrawn[withdrawnKey(draft, ask.callID)] = state.block;
  unblockTool(draft, ask.callID, undefined);
}
