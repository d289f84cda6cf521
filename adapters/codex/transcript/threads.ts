import type { ThreadItem } from "../frame.js";
import type { Child, Thread } from "../state.js";
import { openChild } from "../subagents.js";
import { idBody } from "./head.js";
import { inSide, newSide, type ReaderDraft, type Side } from "./state.js";

/** The step in the thread with this name; one that is not known is a subagent, which its first line announces. */
export function enter(draft: ReaderDraft, name: string, parent?: string | null): ReaderDraft {
  const { codex, sides } = draft.reader;
  const main = sides[""] as Side;
  if (name === "" || name === codex.nativeID) return inSide(draft, codex.main, main);
  const thread = codex.children[name] ?? openSubagent(draft, name, parent);
  return inSide(draft, thread, sides[name] as Side);
}

/** Its session has an id that follows from its thread's, wherever it is named first. */
function openSubagent(draft: ReaderDraft, threadID: string, parent: string | null | undefined): Child {
  const { sides } = draft.reader;
  const idSeed = idBody(draft.reader.codex.main.transcript.session.id.slice("ses_".length), threadID);
  sides[threadID] = newSide(idSeed);
  return openChild(enter(draft, parent ?? ""), { threadID, sessionID: `ses_${idSeed}` });
}

/** Threads that an item of this one names: each is its subagent. */
export function openNamed(draft: ReaderDraft, { agentThreadId, receiverThreadIds }: ThreadItem): void {
  const named = [agentThreadId, ...(Array.isArray(receiverThreadIds) ? receiverThreadIds : [])];
  for (const threadID of named) if (typeof threadID === "string") enter(draft, threadID, draft.thread.threadID);
}

/** Subagents first: their reports end in their parents' conversations. */
export function allThreads({ reader }: ReaderDraft): { thread: Thread; side: Side }[] {
  const { codex, sides } = reader;
  const children = Object.values(codex.children).map((thread) => ({ thread, side: sides[thread.threadID] as Side }));
  return [...children, { thread: codex.main, side: sides[""] as Side }];
}
