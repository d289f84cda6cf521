import { canTransition, isOpen, type Part, type ToolPart, type WireEvent } from "../../../schemas/index.js";
import { EMPTY_STATE, reduce, type WireState } from "../../store/reduce.js";
import { eventsOf } from "../run.js";
import type { Law } from "./law.js";

/** Tools move as the table says, closed texts stay closed, and nothing is open in a session that is idle. */
export const lifecycle: Law = {
  name: "lifecycle",
  check: (run) => {
    const problems: string[] = [];
    let state: WireState = EMPTY_STATE;
    for (const event of eventsOf(run)) {
      if (event.type === "message.part.updated") problems.push(...checkMove(state, event.properties.part));
      state = reduce(state, event);
      if (becomesIdle(event)) problems.push(...openThings(state, event.properties.sessionID));
    }
    return [...problems, ...atEnd(state)];
  },
};

/** Everything that is still open in a session: what a turn's end must not leave behind. */
export function openThings(state: WireState, sessionID: string): string[] {
  const messages = Object.values(state.sessions[sessionID]?.messages ?? {});
  return messages.flatMap(({ info, parts }) => {
    const openParts = Object.values(parts).filter((part) => info.role === "assistant" && isOpen(part));
    const open = info.role === "assistant" && info.time.completed === undefined ? [`message ${info.id} is open`] : [];
    return [...open, ...openParts.map((part) => `${part.type} part ${part.id} is open`)];
  });
}

function becomesIdle(event: WireEvent): event is Extract<WireEvent, { type: "session.status" }> {
  return event.type === "session.status" && event.properties.status.type === "idle";
}

function atEnd(state: WireState): string[] {
  const idle = Object.entries(state.sessions).filter(([, session]) => session.info.status.type === "idle");
  return idle.flatMap(([sessionID]) => openThings(state, sessionID).map((problem) => `at the end ${problem}`));
}

function checkMove(state: WireState, part: Part): string[] {
  const before = state.sessions[part.sessionID]?.messages[part.messageID]?.parts[part.id];
  if (!before) return [];
  if (before.type !== part.type) return [`part ${part.id} changes from ${before.type} to ${part.type}`];
  if (before.type === "tool") return checkTool(before, part as ToolPart);
  return !isOpen(before) && isOpen(part) ? [`${part.type} part ${part.id} opens again`] : [];
}

function checkTool(before: ToolPart, after: ToolPart): string[] {
  const from = before.state.status;
  const to = after.state.status;
  return canTransition(from, to) ? [] : [`tool part ${after.id} goes from ${from} to ${to}`];
}
