import type { Message, Part } from "../../../schemas/index.js";
import { eventsOf } from "../run.js";
import type { Law } from "./law.js";

/** What a message or part is known by never changes: its place, its kind, the time it was created, its order. */
export const stable: Law = {
  name: "stable",
  check: (run) => {
    const messages = new Map<string, string>();
    const parts = new Map<string, string>();
    const newest = new Map<string, number>();
    return eventsOf(run).flatMap((event) => {
      if (event.type === "message.updated") return checkMessage(event.properties.info, messages, newest);
      if (event.type === "message.part.updated")
        return checkSame(parts, event.properties.part.id, identityOf(event.properties.part));
      return [];
    });
  },
};

function checkMessage(info: Message, known: Map<string, string>, newest: Map<string, number>): string[] {
  const isNew = !known.has(info.id);
  const { created } = info.time;
  const problems = checkSame(known, info.id, JSON.stringify([info.sessionID, info.role, created]));
  const latest = newest.get(info.sessionID) ?? Number.NEGATIVE_INFINITY;
  if (isNew && created <= latest) problems.push(`message ${info.id} is not created after the message before it`);
  newest.set(info.sessionID, Math.max(latest, created));
  return problems;
}

function checkSame(known: Map<string, string>, id: string, identity: string): string[] {
  const before = known.get(id);
  known.set(id, before ?? identity);
  return before === undefined || before === identity ? [] : [`${id} changes from ${before} to ${identity}`];
}

function identityOf(part: Part): string {
  return JSON.stringify([
    part.sessionID,
    part.messageID,
    part.type,
    part.type === "tool" ? [part.callID, part.tool] : null,
  ]);
}
