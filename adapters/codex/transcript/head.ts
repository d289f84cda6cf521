import { idSeed } from "../../../schemas/index.js";
import type { SessionSeed } from "../../contract.js";
import { isRecord } from "../../shared/is-record.js";
import { stableUuid } from "../../shared/stable-uuid.js";
import type { SessionPast, TranscriptHead, TranscriptHeadReader, TranscriptLine } from "../../transcript-reader.js";
import { itemOf } from "./item.js";
import { type EventOf, type RolloutLine, readLine } from "./line.js";
import { idSeedAfter, type ReaderState } from "./state.js";

type Head = { -readonly [K in keyof TranscriptHead]: TranscriptHead[K] };

/** What the lines of a thread's own file say of it. Behind its first line, a copied history names other threads. */
export class HeadReader implements TranscriptHeadReader {
  head: Head | undefined;

  add({ thread, at, raw }: TranscriptLine): void {
    const entry = thread === "" ? readLine(raw) : undefined;
    if (entry === undefined || entry === "ignored") return;
    if (entry.kind === "session_meta") this.head ??= beginHead(entry.payload.id, entry.payload.cwd, at);
    if (!this.head) return;
    this.head.lastAt = Math.max(this.head.lastAt, at ?? 0);
    note(this.head, entry);
  }
}

function beginHead(nativeID: string, cwd: string | null | undefined, at: number | undefined): Head | undefined {
  if (cwd == null || at === undefined) return undefined;
  return { nativeID, directory: cwd, startedAt: at, lastAt: at, messages: 0 };
}

function note(head: Head, entry: RolloutLine): void {
  switch (entry.kind) {
    case "item_completed":
      return noteItem(head, entry.payload);
    case "user_message":
      return notePrompt(head, entry.payload.message);
    case "agent_message":
      head.messages += 1;
      return;
    default:
      return;
  }
}

function noteItem(head: Head, { item }: EventOf<"item_completed">): void {
  if (item.type === "AgentMessage") head.messages += 1;
  if (item.type === "UserMessage") notePrompt(head, promptText(itemOf(item)?.content));
}

function promptText(content: unknown): string {
  const inputs = Array.isArray(content) ? content.filter(isRecord) : [];
  return inputs.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("\n");
}

function notePrompt(head: Head, text: string): void {
  head.messages += 1;
  if (text.trim() !== "") head.firstPrompt ??= text.trim();
}

const TITLE_LENGTH = 80;
const TIME_WIDTH = 9;

/** The body that a thread's ids begin with: the time its session began, and what tells it apart from others. */
export function idBody(sessionBody: string, name: string): string {
  return sessionBody.slice(0, TIME_WIDTH) + stableUuid(name).replaceAll("-", "").slice(0, 12);
}

/** Ids follow from the thread's own id and the time it began, so one that is read again is the same session. */
export function seedOf(head: TranscriptHead, agent: string): SessionSeed {
  const { startedAt, nativeID, directory } = head;
  const body = idBody(idSeed(startedAt, ""), nativeID);
  return {
    at: startedAt,
    sessionID: `ses_${body}`,
    idSeed: body,
    agent,
    directory,
    projectID: "global",
    title: head.firstPrompt?.replace(/\s+/g, " ").slice(0, TITLE_LENGTH) ?? "",
    mode: "default",
    metadata: { native: { sessionID: nativeID } },
  };
}

/** What the reading came to is the state that the adapter goes on from. */
export function pastOf({ codex, sides }: ReaderState): SessionPast {
  const { session, lastCreated, lastUserMessageID } = codex.main.transcript;
  const seeds = Object.fromEntries(Object.entries(sides).map(([name, side]) => [name, idSeedAfter(side)]));
  return {
    nativeID: String(codex.nativeID ?? ""),
    session,
    lastCreated,
    lastUserMessageID,
    own: { codex, seeds },
    idSeed: seeds[""] ?? "",
  };
}
