import { z } from "zod";
import type { ToolPart } from "../../schemas/index.js";
import { openChildSession } from "../shared/child-session.js";
import { oneLine } from "../shared/one-line.js";
import { updateSession } from "../shared/session-record.js";
import { annotateTool, completeTool, runTool } from "../shared/tool-call.js";
import { nextId } from "../shared/transcript.js";
import type { ThreadItem } from "./frame.js";
import { type Child, type CodexDraft, inThread, newThread, type Thread, threadKey } from "./state.js";
import { openItem } from "./tool-parts.js";

const text = z.string();
const CollabItem = z.looseObject({ tool: text, prompt: text.nullish(), receiverThreadIds: z.array(text).nullish() });
const ActivityItem = z.looseObject({ kind: text, agentThreadId: text, agentPath: text.nullish() });

/**
 * The thread something belongs to. Subagents speak over the same connection and are not announced: a thread that is not
 * known is one, and may hold the ask that everything waits for.
 */
export function threadNamed(draft: CodexDraft, threadID: string): Thread {
  const { main, children } = draft.state;
  if (main.threadID === null) adoptMain(draft, threadID);
  if (main.threadID === threadID) return main;
  return children[threadID] ?? openSpeaker(draft, threadID);
}

/** A subagent that speaks before the call that began it tells its id: it belongs to the call that waits for one. */
function openSpeaker(draft: CodexDraft, threadID: string): Child {
  const { main, children } = draft.state;
  for (const thread of [main, ...Object.values(children)]) {
    const call = Object.values(thread.transcript.tools).find(isUnlinkedSpawn);
    if (call) return linkChild(inThread(draft, thread), call.callID, { threadID, ...titleOf(call) });
  }
  return openChild(inThread(draft, main), { threadID });
}

function isUnlinkedSpawn({ state, metadata }: ToolPart): boolean {
  const native = metadata?.native as { tool?: unknown } | undefined;
  return native?.tool === "spawnAgent" && state.status === "running" && state.metadata?.sessionId === undefined;
}

function titleOf({ state }: ToolPart): { title?: string } {
  return typeof state.input.prompt === "string" ? { title: oneLine(state.input.prompt) } : {};
}

export function knownThread(draft: CodexDraft, threadID: string): Thread | undefined {
  const { main, children } = draft.state;
  return main.threadID === threadID ? main : children[threadID];
}

export function adoptMain(draft: CodexDraft, threadID: string): void {
  draft.state.main.threadID = threadID;
  draft.state.nativeID = threadID;
}

interface Opening {
  readonly threadID: string;
  /** The child session's id, where it does not come from the session's counter. */
  readonly sessionID?: string;
  readonly callID?: string;
  readonly title?: string;
}

/** Announces the child session; `draft` is at work in its parent's thread. */
export function openChild(draft: CodexDraft, { threadID, callID, title, sessionID }: Opening): Child {
  const transcript = openChildSession(draft, draft.transcript.session, {
    sessionID: sessionID ?? nextId(draft.state.main, "ses"),
    title: title ?? "subagent",
    native: { sessionID: threadID },
  });
  const child: Child = {
    ...newThread(transcript, threadID),
    threadID,
    parentThreadID: threadKey(draft),
    callID: callID ?? null,
  };
  draft.state.children[threadID] = child;
  return child;
}

/** The child's session is named by the tool part that began it. */
function linkChild(draft: CodexDraft, callID: string, opening: Opening): Child {
  const child = draft.state.children[opening.threadID] ?? openChild(draft, { ...opening, callID });
  child.callID = callID;
  // Its first words may have come before its name.
  if (opening.title !== undefined) updateSession(inThread(draft, child), { title: opening.title });
  annotateTool(draft, callID, { sessionId: child.transcript.session.id });
  return child;
}

/** The older way: `spawnAgent` tells the thread it made when it is done, which may be after the child's first words. */
export function onSpawned(draft: CodexDraft, item: ThreadItem, callID: string | undefined): void {
  const { data } = CollabItem.safeParse(item);
  if (data?.tool !== "spawnAgent" || callID === undefined) return;
  for (const threadID of data.receiverThreadIds ?? []) {
    if (threadID === draft.state.main.threadID) continue;
    linkChild(draft, callID, { threadID, ...(data.prompt && { title: oneLine(data.prompt) }) });
  }
}

/** The newer way: notes of what a subagent does; the spawn itself is no item. The call runs until the subagent is done. */
export function onActivity(draft: CodexDraft, item: ThreadItem): void {
  const { data } = ActivityItem.safeParse(item);
  if (!data || draft.thread.items[item.id]) return;
  draft.thread.items[item.id] = { kind: "done" };
  if (data.kind === "started") return beginTask(draft, item, data.agentThreadId, data.agentPath ?? "subagent");
  const child = draft.state.children[data.agentThreadId];
  if (data.kind === "completed" && child?.callID) {
    completeTool(draft, child.callID, { output: child.lastText });
    child.callID = null;
  }
}

function beginTask(draft: CodexDraft, item: ThreadItem, threadID: string, path: string): void {
  const name = path.split("/").at(-1) ?? path;
  const input = { agent: path };
  const native = { tool: "spawn_agent", itemID: item.id };
  const callID = openItem(draft, item.id, { tool: "task", input, title: `task ${name}`, native });
  draft.thread.items[item.id] = { kind: "done" };
  runTool(draft, callID, input, `task ${name}`);
  linkChild(draft, callID, { threadID, title: name });
}
