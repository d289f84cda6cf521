import { openChildSession } from "../../shared/child-session.js";
import { updateSession } from "../../shared/session-record.js";
import { stableUuid } from "../../shared/stable-uuid.js";
import { annotateTool } from "../../shared/tool-call.js";
import { type AboutEntry, type Entry, textOfContent } from "./entry.js";
import { taskIn } from "./native-text.js";
import { inThread, newThread, type ReaderDraft, type ThreadState } from "./state.js";
import { closeTurn } from "./turn.js";

const TIME_WIDTH = 9;

/** The body that a conversation's ids begin with: the time its session began, and what tells it apart from others. */
export function idBody(sessionBody: string, name: string): string {
  return sessionBody.slice(0, TIME_WIDTH) + stableUuid(name).replaceAll("-", "").slice(0, 12);
}

/** The conversation of a subagent; its first line begins the child session. */
export function subagentOf(draft: ReaderDraft, agentID: string, entry?: Entry): ThreadState {
  return draft.state.subagents[agentID] ?? openSubagent(draft, agentID, entry);
}

function openSubagent(draft: ReaderDraft, agentID: string, entry: Entry | undefined): ThreadState {
  const about = draft.state.abouts[agentID];
  const caller = callerOf(draft, about, entry);
  const idSeed = idBody(draft.state.main.idSeed, `${draft.state.main.idSeed}/${agentID}`);
  const transcript = openChildSession(draft, caller.thread.transcript.session, {
    sessionID: `ses_${idSeed}`,
    title: titleOf(about),
    native: nativeOf(agentID, about),
  });
  const thread = newThread(agentID, idSeed, transcript);
  draft.state.subagents[agentID] = thread;
  if (caller.callID !== undefined)
    annotateTool(inThread(draft, caller.thread), caller.callID, { sessionId: transcript.session.id });
  return thread;
}

/** The call that began a subagent, and in whose conversation it stands. Without the file that says it, the prompt tells. */
function callerOf(draft: ReaderDraft, about: AboutEntry | undefined, entry: Entry | undefined) {
  const { main, subagents } = draft.state;
  const named = about?.parentAgentId != null ? subagentOf(draft, about.parentAgentId) : main;
  if (about?.toolUseId != null) return { thread: named, callID: about.toolUseId };
  const prompt = entry?.type === "user" ? textOfContent(entry.message.content) : undefined;
  for (const thread of [main, ...Object.values(subagents)]) {
    const calls = Object.values(thread.transcript.tools).filter(({ tool }) => tool === "task");
    const call = calls.find(({ state }) => prompt !== undefined && state.input.prompt === prompt);
    if (call) return { thread, callID: call.callID };
  }
  return { thread: named, callID: undefined };
}

function titleOf(about: AboutEntry | undefined): string {
  return about ? `${about.description ?? "subagent"} (@${about.agentType ?? "agent"} subagent)` : "subagent";
}

function nativeOf(agentID: string, about: AboutEntry | undefined): Record<string, unknown> {
  return { taskID: agentID, ...(about?.agentType != null && { subagentType: about.agentType }) };
}

/** What is said of a subagent may come after its first lines. */
export function noteAbout(draft: ReaderDraft, agentID: string, about: AboutEntry): void {
  draft.state.abouts[agentID] = about;
  const thread = draft.state.subagents[agentID];
  if (!thread) return;
  const child = inThread({ ...draft, at: thread.at }, thread);
  const { metadata } = thread.transcript.session;
  updateSession(child, { title: titleOf(about), metadata: { ...metadata, native: nativeOf(agentID, about) } });
  if (about.toolUseId == null) return;
  const caller = callerOf(draft, about, undefined);
  annotateTool(inThread(draft, caller.thread), about.toolUseId, { sessionId: thread.transcript.session.id });
}

/** The subagent that a call began, as its result or the file beside the subagent's transcript says. */
export function subagentOfCall(draft: ReaderDraft, callID: string, agentID: unknown): ThreadState | undefined {
  if (typeof agentID === "string") return subagentOf(draft, agentID);
  const known = Object.entries(draft.state.abouts).find(([, about]) => about.toolUseId === callID);
  return known && subagentOf(draft, known[0]);
}

/** A subagent in the background ended. */
export function endNotified(draft: ReaderDraft, notification: string): void {
  const { taskID, status } = taskIn(notification);
  const thread = draft.state.subagents[taskID ?? ""];
  if (!thread) return;
  const stopped = status === "stopped" || status === "killed";
  closeTurn(inThread({ ...draft, at: thread.at }, thread), stopped ? { finish: "aborted" } : {});
}
