import { expect } from "vitest";
import type { AcpState } from "../../../../adapters/acp/state.js";
import type { Command, SessionSeed } from "../../../../adapters/contract.js";
import { ADAPTERS } from "../../../../adapters/index.js";
import type { AssistantMessage, PendingBlock, Todo, ToolPart } from "../../../../schemas/index.js";
import { FamilyStory, type Json } from "../shared/adapter-story.js";

export const SESSION = "native-1";

export class Story extends FamilyStory<AcpState> {
  constructor(agent = "acp", change: Partial<SessionSeed> = {}) {
    const adapter = ADAPTERS[agent];
    if (!adapter) throw new Error(`there is no adapter ${agent}`);
    super(adapter, { directory: "/work", ...change });
  }

  updates(...updates: readonly Json[]): this {
    return this.lines(...updates.map((update) => native.update(update)));
  }

  prompt(text = "go", nativeID?: string): this {
    const parts = [{ type: "text" as const, text }];
    return this.command({ type: "prompt", parts, ...(nativeID !== undefined && { nativeID }) });
  }

  reply(reply: Partial<Extract<Command, { type: "reply" }>>, blockID = this.block().id): this {
    return this.command({ type: "reply", blockID, decidedBy: "user", ...reply });
  }

  get methods(): unknown[] {
    return this.sent.map(({ method }) => method).filter((method) => method !== undefined);
  }

  /** The newest request with this method. */
  sentAs(method: string): Json {
    const frame = this.sent.findLast((candidate) => candidate.method === method);
    if (!frame) throw new Error(`${method} was never sent`);
    return frame;
  }

  /** Answers the newest request with this method. */
  answer(method: string, result: unknown = {}): this {
    return this.lines({ id: this.sentAs(method).id, result });
  }

  refuse(method: string, code: number, message = "no", data?: unknown): this {
    return this.lines({ id: this.sentAs(method).id, error: { code, message, ...(data !== undefined && { data }) } });
  }

  end(result: Json = { stopReason: "end_turn" }): this {
    return this.answer("session/prompt", result);
  }

  get todos(): readonly Todo[] {
    return this.sessionState().todos;
  }

  get native(): Json {
    return (this.session.metadata?.native ?? {}) as Json;
  }

  /** The last answer. */
  get answered(): AssistantMessage {
    return this.answers.at(-1) as AssistantMessage;
  }

  texts(sessionID?: string): string[] {
    return this.parts(sessionID).flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []));
  }

  notes(): string[] {
    return this.parts().flatMap((part) => (part.type === "text" && part.synthetic ? [part.text] : []));
  }

  thoughts(): string[] {
    return this.parts().flatMap((part) => (part.type === "reasoning" ? [part.text] : []));
  }

  /** The only tool. */
  get tool(): ToolPart {
    const tools = this.tools();
    expect(tools).toHaveLength(1);
    return tools[0] as ToolPart;
  }

  block(index = 0): PendingBlock["block"] {
    const sessions = [this.seed.sessionID, ...this.children.map(({ id }) => id)];
    const waiting = sessions.flatMap((id) => this.tools(id)).filter(({ state }) => state.status === "blocked");
    const state = waiting[index]?.state;
    if (state?.status !== "blocked") throw new Error("nothing waits");
    return state.block;
  }
}

const text = (value: string) => ({ type: "text", text: value });
const option = (optionId: string, kind: string): Json => ({ optionId, name: optionId, kind });

export const OPTIONS = [option("yes", "allow_once"), option("always", "allow_always"), option("no", "reject_once")];

/** What an agent writes, as small as the adapter lets it be. */
export const native = {
  update: (update: Json, sessionId = SESSION): Json => ({ method: "session/update", params: { sessionId, update } }),
  say: (value: string, more: Json = {}): Json => ({
    sessionUpdate: "agent_message_chunk",
    content: text(value),
    ...more,
  }),
  think: (value: string, more: Json = {}): Json => ({
    sessionUpdate: "agent_thought_chunk",
    content: text(value),
    ...more,
  }),
  user: (value: string): Json => ({ sessionUpdate: "user_message_chunk", content: text(value) }),
  call: (toolCallId: string, more: Json = {}): Json => ({ sessionUpdate: "tool_call", toolCallId, ...more }),
  change: (toolCallId: string, more: Json = {}): Json => ({ sessionUpdate: "tool_call_update", toolCallId, ...more }),
  output: (value: string): Json => ({ content: [{ type: "content", content: text(value) }] }),
  diff: (path: string, oldText: string | null, newText: string): Json => ({ type: "diff", path, oldText, newText }),
  ask: (id: number | string, toolCall: Json, options: unknown = OPTIONS, sessionId = SESSION): Json => ({
    id,
    method: "session/request_permission",
    params: { sessionId, toolCall, options },
  }),
};

const ABLE = {
  loadSession: true,
  promptCapabilities: { image: true, audio: true, embeddedContext: true },
  mcpCapabilities: { http: true },
  sessionCapabilities: { resume: {}, fork: {} },
};

/** The program is up and has its session. */
export function open(story: Story, offer: Json = {}, agentCapabilities: Json = ABLE): Story {
  story.answer("initialize", { protocolVersion: 1, agentCapabilities, agentInfo: { name: "agent", version: "1.0" } });
  const how = story.sent.at(-1)?.method as string;
  return story.answer(how, { ...(how === "session/new" && { sessionId: SESSION }), ...offer });
}

/** A session whose prompt was sent. */
export function running(agent = "acp", offer: Json = {}, agentCapabilities: Json = ABLE): Story {
  return open(new Story(agent).prompt(), offer, agentCapabilities);
}
