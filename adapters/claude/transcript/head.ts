import { idSeed } from "../../../schemas/index.js";
import type { SessionSeed } from "../../contract.js";
import { isRecord } from "../../shared/is-record.js";
import type { SessionPast, TranscriptHead, TranscriptHeadReader, TranscriptLine } from "../../transcript-reader.js";
import { type Entry, isToolResult, readEntry, textOfContent } from "./entry.js";
import { isNotification, localOutputIn, spokenText } from "./native-text.js";
import { idSeedAfter, type ReaderState } from "./state.js";
import { idBody } from "./subagents.js";

type Head = { -readonly [K in keyof TranscriptHead]: TranscriptHead[K] };

/** What the lines of a session's own file say of it. */
export class HeadReader implements TranscriptHeadReader {
  #head: Head | undefined;
  #lastResponse: string | undefined;

  get head(): TranscriptHead | undefined {
    return this.#head && this.#head.directory !== "" ? this.#head : undefined;
  }

  add({ thread, at, raw }: TranscriptLine): void {
    if (thread !== "" || !isRecord(raw)) return;
    this.#head ??= beginHead(raw, at);
    const head = this.#head;
    if (!head) return;
    head.lastAt = Math.max(head.lastAt, at ?? 0);
    if (head.directory === "" && typeof raw.cwd === "string") head.directory = raw.cwd;
    const entry = raw.isSidechain === true ? undefined : readEntry(raw);
    if (entry === undefined || entry === "ignored") return;
    if (entry.type === "assistant") this.#noteResponse(head, entry.message.id);
    notePrompt(head, entry);
    noteTitle(head, entry);
  }

  #noteResponse(head: Head, id: string): void {
    if (id === this.#lastResponse) return;
    this.#lastResponse = id;
    head.messages += 1;
  }
}

/** Older files begin with lines of another session's summary: the first that says whose it is and when counts. */
function beginHead(raw: Record<string, unknown>, at: number | undefined): Head | undefined {
  if (typeof raw.sessionId !== "string" || at === undefined) return undefined;
  return { nativeID: raw.sessionId, directory: "", startedAt: at, lastAt: at, messages: 0 };
}

function notePrompt(head: Head, entry: Entry): void {
  if (entry.type !== "user" || entry.isMeta || entry.isCompactSummary || isToolResult(entry)) return;
  const text = textOfContent(entry.message.content);
  if (isNotification(text) || localOutputIn(text) !== undefined || text.startsWith("[Request interrupted")) return;
  head.messages += 1;
  const spoken = spokenText(text).trim();
  if (spoken !== "") head.firstPrompt ??= spoken;
}

function noteTitle(head: Head, entry: Entry): void {
  if (entry.type !== "custom-title" && entry.type !== "ai-title" && entry.type !== "summary") return;
  const title = entry.customTitle ?? entry.aiTitle ?? entry.summary;
  if (title != null && title !== "") head.title = title;
}

const TITLE_LENGTH = 80;

/** Ids follow from the agent's own id and the time the session began, so a session that is read again is the same one. */
export function seedOf(head: TranscriptHead, agent: string): SessionSeed {
  const { startedAt, nativeID, directory } = head;
  const body = idBody(idSeed(startedAt, ""), nativeID);
  const title = head.title ?? head.firstPrompt?.replace(/\s+/g, " ").slice(0, TITLE_LENGTH) ?? "";
  return {
    at: startedAt,
    sessionID: `ses_${body}`,
    idSeed: body,
    agent,
    directory,
    projectID: "global",
    title,
    mode: "default",
    metadata: { native: { sessionID: nativeID } },
  };
}

/** The mode is the default again: one that asks less is not taken up silently, who goes on with the session chooses it. */
export function pastOf(state: ReaderState): SessionPast {
  const { main } = state;
  const { session, lastCreated, lastUserMessageID } = main.transcript;
  const native = isRecord(session.metadata?.native) ? session.metadata.native : {};
  return {
    nativeID: String(native.sessionID ?? ""),
    session,
    lastCreated,
    lastUserMessageID,
    own: { todos: state.todos },
    idSeed: idSeedAfter(main),
  };
}
