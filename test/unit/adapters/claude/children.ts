import type { AssistantMessage, Session, ToolPart } from "../../../../schemas/index.js";
import { EMPTY_STATE, reduce } from "../../../../src/store/reduce.js";
import { type Json, native } from "./native.js";
import { type Story, withCall } from "./story.js";

/** A subagent's session as a client has it. */
export interface Child {
  info: Session;
  prompts: string[];
  texts: string[];
  tools: ToolPart[];
  answers: AssistantMessage[];
}

/** The sessions of subagents, in the order they were told of. */
export function childrenOf(story: Story): Child[] {
  const { sessions } = story.events.reduce(reduce, EMPTY_STATE);
  const children = Object.values(sessions).filter(({ info }) => info.parentID !== undefined);
  return children.map(({ info, messages }) => {
    const textsOf = (role: string) =>
      Object.values(messages)
        .filter((message) => message.info.role === role)
        .flatMap(({ parts }) => Object.values(parts))
        .flatMap((part) => (part.type === "text" ? [part.text] : []));
    return {
      info,
      prompts: textsOf("user"),
      texts: textsOf("assistant"),
      tools: Object.values(messages).flatMap(({ parts }) =>
        Object.values(parts).filter((part) => part.type === "tool"),
      ),
      answers: Object.values(messages).flatMap((message) => (message.info.role === "assistant" ? [message.info] : [])),
    };
  });
}

export function childOf(story: Story, index = 0): Child {
  const child = childrenOf(story)[index];
  if (!child) throw new Error(`there is no subagent ${index}`);
  return child;
}

/** Lines about a subagent, and of one. */
export const subagent = {
  started: (task_id: string, tool_use_id: string, change: Json = {}): Json => ({
    type: "system",
    subtype: "task_started",
    task_id,
    tool_use_id,
    task_type: "local_agent",
    description: "Look",
    subagent_type: "scout",
    prompt: "Look around.",
    ...change,
  }),
  ended: (task_id: string, status = "completed", change: Json = {}): Json => ({
    type: "system",
    subtype: "task_notification",
    task_id,
    status,
    ...change,
  }),
  line: (line: Json, parent_tool_use_id: string, agent_id?: string): Json => ({
    ...line,
    parent_tool_use_id,
    ...(agent_id !== undefined && { agent_id }),
  }),
};

/** A turn whose model called the agent tool, as `t1`. */
export function delegating(): Story {
  return withCall("t1", "Agent", { description: "Look" });
}

/** A turn with a subagent `a1` at work on the call `t1`. */
export function working(): Story {
  return delegating().lines(subagent.started("a1", "t1"));
}

export const text = (id: string, words: string): Json => native.whole(id, { type: "text", text: words });
