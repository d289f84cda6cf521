import type { Part, PromptPart, UserMessage } from "../../schemas/index.js";
import { emitPart, partOf } from "../shared/assistant-message.js";
import { acceptPrompt, addMarker, beginTurn, takeQueued } from "../shared/prompts.js";
import { emit } from "../shared/transcript.js";
import { diffsOf } from "./files.js";
import type { NativePart, UserInfo } from "./frame.js";
import { promptTarget } from "./model.js";
import { isMain, type OpencodeDraft } from "./state.js";
import { finishTurn } from "./turn-end.js";

/** An answer may come behind its successor's question, but not many later. */
const REMEMBERED = 8;

/** What a user message is, its first part tells: a prompt of ours, the task of a subagent, a word of the server's own. */
export function onUserMessage(draft: OpencodeDraft, info: UserInfo): void {
  const { thread } = draft;
  if (Object.hasOwn(thread.users, info.id)) return onSummary(draft, info);
  if (info.id > newestUser(draft)) thread.announced = info;
}

/** Ids ascend: what is not newer than the newest is over. */
function newestUser({ thread }: OpencodeDraft): string {
  return Object.keys(thread.users).at(-1) ?? "";
}

/** What the prompt has changed is told when its turn is over. */
function onSummary(draft: OpencodeDraft, { id, summary }: UserInfo): void {
  const { lastUser } = draft.thread;
  if (lastUser?.nativeID !== id || !summary || summary.diffs.length === 0) return;
  const diffs = diffsOf(summary.diffs, draft.transcript.session.directory);
  const { title, body } = summary;
  const told = { ...(title !== undefined && { title }), ...(body !== undefined && { body }), diffs };
  if (JSON.stringify(told) === JSON.stringify(lastUser.info.summary)) return;
  lastUser.info = { ...lastUser.info, summary: told };
  emit(draft, { type: "message.updated", properties: { sessionID: lastUser.info.sessionID, info: lastUser.info } });
}

export function onUserPart(draft: OpencodeDraft, part: NativePart): void {
  const { thread } = draft;
  if (thread.announced?.id === part.messageID) return bind(draft, part.messageID, part);
  const { lastUser } = thread;
  // Our own prompt has its parts already, also the files that the server reads into it.
  if (lastUser?.nativeID !== part.messageID || lastUser.info.metadata?.origin !== "agent") return;
  const own = promptPartOf(part);
  if (own) emitPart(draft, { ...partOf(draft, lastUser.info), ...own } as Part);
}

/** Its answer begins although no part of it was told. */
export function bindAnnounced(draft: OpencodeDraft, nativeID: string): void {
  if (draft.thread.announced?.id === nativeID) bind(draft, nativeID, undefined);
}

function bind(draft: OpencodeDraft, nativeID: string, part: NativePart | undefined): void {
  const { thread, transcript, state } = draft;
  thread.announced = null;
  if (part?.type === "compaction") return bindCompaction(draft, nativeID, part.auto);
  const awaited = isMain(draft) && state.prompt && !thread.started ? state.prompt.prompt : undefined;
  if (awaited) return remember(draft, nativeID, awaited.info);
  const running = transcript.turn;
  // Such as "go on", after a compaction: a word of the server's that nobody said.
  if (running && thread.started && part?.type === "text" && part.synthetic) {
    thread.users = recent({ ...thread.users, [nativeID]: running.userMessageID });
    return;
  }
  const queued = isMain(draft) && running ? transcript.queue[0] : undefined;
  if (queued) return remember(draft, nativeID, queued.info, false);
  beginForeign(draft, nativeID, part);
}

/** The task of a subagent, or what somebody else asked of the server. */
function beginForeign(draft: OpencodeDraft, nativeID: string, part: NativePart | undefined): void {
  const own = part && promptPartOf(part);
  const target = promptTarget(draft.state);
  const prompt = acceptPrompt(draft, { parts: own ? [own] : [] }, target, false);
  if (!prompt) return;
  if (!draft.transcript.turn) beginTurn(draft, prompt.info.id);
  remember(draft, nativeID, { ...prompt.info, metadata: { ...prompt.info.metadata, origin: "agent" } });
}

function bindCompaction(draft: OpencodeDraft, nativeID: string, auto: boolean): void {
  const { thread, transcript, state } = draft;
  const asked = isMain(draft) && !thread.started ? state.prompt?.prompt.info : undefined;
  if (asked && !auto) {
    emitPart(draft, { ...partOf(draft, asked), type: "compaction", auto });
    thread.compacting = true;
    return remember(draft, nativeID, asked);
  }
  const marker = addMarker(draft, promptTarget(state), { type: "compaction", auto });
  if (!transcript.turn) beginTurn(draft, marker.id);
  remember(draft, nativeID, marker);
}

function remember(draft: OpencodeDraft, nativeID: string, info: UserMessage, begins = true): void {
  const { thread } = draft;
  thread.users = recent({ ...thread.users, [nativeID]: info.id });
  thread.lastUser = { nativeID, info };
  if (!begins) return;
  thread.started = true;
  // A stream that was made elsewhere holds no answer to a request of ours: there this is the first sign of the prompt.
  if (isMain(draft) && draft.state.prompt) draft.state.prompt.sent = "accepted";
}

function recent(users: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(users).slice(-REMEMBERED));
}

/** The user message that an answer belongs to. One that waits here is taken up by a server that was asked past us. */
export function answeredBy(draft: OpencodeDraft, nativeID: string): string | undefined {
  const { thread, transcript, state } = draft;
  const ours = thread.users[nativeID];
  const [next] = transcript.queue;
  if (ours === undefined || ours !== next?.info.id) return ours;
  finishTurn(draft, { toolError: "The next prompt was taken up", decidedBy: "agent" });
  const prompt = takeQueued(draft);
  if (!prompt) return ours;
  beginTurn(draft, prompt.info.id);
  state.prompt = { prompt, sent: "accepted" };
  return ours;
}

function promptPartOf(part: NativePart): PromptPart | undefined {
  switch (part.type) {
    case "text":
      return part.text === ""
        ? undefined
        : { type: "text", text: part.text, ...(part.synthetic && { synthetic: true }) };
    case "file": {
      const { mime, url, filename } = part;
      return { type: "file", mime, url, ...(filename != null && { filename }) };
    }
    case "agent":
      return { type: "agent", name: part.name };
    default:
      return undefined;
  }
}
