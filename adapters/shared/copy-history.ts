import type { Message, MessageWithParts, Part } from "../../schemas/index.js";
import { type Draft, emit, nextId } from "./transcript.js";

/** Puts another session's messages into this one, under ids of its own. Times and order stay. */
export function copyHistory(draft: Draft, history: readonly MessageWithParts[]): void {
  const renamed = new Map<string, string>();
  for (const { info, parts } of history) {
    const id = nextId(draft, "msg");
    renamed.set(info.id, id);
    emitMessage(draft, info, id, renamed);
    for (const part of parts) emitPart(draft, part, id);
    draft.transcript.lastCreated = Math.max(draft.transcript.lastCreated, info.time.created);
    if (info.role === "user") draft.transcript.lastUserMessageID = id;
  }
}

function emitMessage(draft: Draft, info: Message, id: string, renamed: ReadonlyMap<string, string>): void {
  const sessionID = draft.transcript.session.id;
  const parent = info.role === "assistant" ? { parentID: renamed.get(info.parentID) ?? info.parentID } : {};
  emit(draft, { type: "message.updated", properties: { sessionID, info: { ...info, ...parent, id, sessionID } } });
}

function emitPart(draft: Draft, part: Part, messageID: string): void {
  const sessionID = draft.transcript.session.id;
  const copy = { ...part, id: nextId(draft, "prt"), sessionID, messageID };
  emit(draft, { type: "message.part.updated", properties: { sessionID, part: copy } });
}
