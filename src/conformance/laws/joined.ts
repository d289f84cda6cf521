import type { ToolPart } from "../../../schemas/index.js";
import { eventsOf } from "../run.js";
import { finalOf } from "./events.js";
import type { Law } from "./law.js";

/** Parts belong to messages and messages to sessions that were announced; a call id names one tool part, a block id one ask. */
export const joined: Law = {
  name: "joined",
  check: (run) => {
    const sessions = new Set<string>();
    const messages = new Set<string>();
    const calls = new Map<string, string>();
    const blocks = new Map<string, string>();
    const problems: string[] = [];
    for (const event of eventsOf(run)) {
      const { sessionID } = event.properties;
      if (event.type === "session.created") sessions.add(sessionID);
      else if (!sessions.has(sessionID)) problems.push(`${event.type} for the unknown session ${sessionID}`);
      if (event.type === "message.updated") messages.add(event.properties.info.id);
      if (event.type !== "message.part.updated") continue;
      const { part } = event.properties;
      if (!messages.has(part.messageID))
        problems.push(`part ${part.id} belongs to the unknown message ${part.messageID}`);
      if (part.type === "tool") problems.push(...checkTool(part, calls, blocks));
    }
    return [...problems, ...orphans(run)];
  },
};

function checkTool(part: ToolPart, calls: Map<string, string>, blocks: Map<string, string>): string[] {
  const call = `${part.sessionID}/${part.callID}`;
  const problems = checkOne(calls, call, part.id, "call id");
  const blockID = part.state.status === "pending" ? undefined : part.state.block?.id;
  return blockID === undefined ? problems : [...problems, ...checkOne(blocks, blockID, part.id, "block id")];
}

function checkOne(known: Map<string, string>, id: string, owner: string, what: string): string[] {
  const before = known.get(id) ?? owner;
  known.set(id, before);
  return before === owner ? [] : [`the ${what} ${id} is on ${before} and on ${owner}`];
}

/** Every answer hangs on a prompt of its own session. */
function orphans(run: Parameters<Law["check"]>[0]): string[] {
  return finalOf(eventsOf(run)).sessions.flatMap(({ messages }) => {
    const users = new Set(messages.filter(({ info }) => info.role === "user").map(({ info }) => info.id));
    return messages.flatMap(({ info }) =>
      info.role === "assistant" && !users.has(info.parentID)
        ? [`message ${info.id} answers the unknown ${info.parentID}`]
        : [],
    );
  });
}
