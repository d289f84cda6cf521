import { expect } from "vitest";
import type { Command, SessionSeed, Step } from "../../../../adapters/contract.js";
import { opencode } from "../../../../adapters/opencode/index.js";
import type { OpencodeState } from "../../../../adapters/opencode/state.js";
import type { Block, WireEvent } from "../../../../schemas/index.js";
import { wireOf } from "../../../../src/conformance/run.js";
import { EMPTY_STATE, reduce } from "../../../../src/store/reduce.js";
import { FamilyStory, type Json } from "../shared/adapter-story.js";

export const MAIN = "ses_main";
export const KID = "ses_kid";

export class Story extends FamilyStory<OpencodeState> {
  constructor(change: Partial<SessionSeed> = {}) {
    super(opencode, change);
  }

  /** Begins from another state, such as that of a fork. */
  begin({ state, outputs }: Step<OpencodeState>): void {
    this.state = state;
    this.wire = wireOf(outputs).reduce(reduce, EMPTY_STATE);
  }

  prompt(text = "go"): this {
    return this.command({ type: "prompt", parts: [{ type: "text", text }] });
  }

  reply(reply: Partial<Extract<Command, { type: "reply" }>>, blockID = this.block().id): this {
    return this.command({ type: "reply", blockID, decidedBy: "user", ...reply });
  }

  /** The answer to the newest request for this path, or for one that ends so. */
  answer(path: string, body: unknown = null, status = 200): this {
    return this.lines({ token: this.tokenOf(path), status, body });
  }

  tokenOf(path: string): string {
    return String(this.sent.findLast((frame) => String(frame.path).endsWith(path))?.token);
  }

  get events(): WireEvent[] {
    return wireOf(this.last);
  }

  /** Every request, as a method and a path. */
  get requests(): string[] {
    return this.sent.map(({ method, path }) => `${String(method)} ${String(path)}`);
  }

  get texts(): string[] {
    return this.parts().flatMap((part) => (part.type === "text" ? [part.text] : []));
  }

  block(sessionID = this.seed.sessionID): Block {
    const blocked = this.tools(sessionID).flatMap(({ state }) => (state.status === "blocked" ? [state.block] : []));
    expect(blocked).not.toEqual([]);
    return blocked[0] as Block;
  }
}

const TOKENS = { input: 10, output: 5, reasoning: 0, cache: { read: 2, write: 1 } };
const NONE = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

const event = (type: string, properties: Json): Json => ({ id: "evt", type, properties });
const part = (messageID: string, rest: Json, sessionID = MAIN): Json =>
  event("message.part.updated", { sessionID, part: { sessionID, messageID, ...rest } });

/** What the server tells. */
export const native = {
  open: (): Json => ({ stream: "open" }),
  reopened: (): Json => ({ stream: "reopened" }),
  created: (id: string, parentID?: string): Json =>
    event("session.created", { sessionID: id, info: { id, title: "child task", ...(parentID && { parentID }) } }),
  updated: (info: Json, id = MAIN): Json => event("session.updated", { sessionID: id, info: { id, ...info } }),
  status: (type: string, rest: Json = {}, sessionID = MAIN): Json =>
    event("session.status", { sessionID, status: { type, ...rest } }),
  idle: (sessionID = MAIN): Json => native.status("idle", {}, sessionID),
  /** As the server tells it: by two events, one behind the other. */
  bothIdle: (sessionID = MAIN): Json[] => [native.idle(sessionID), event("session.idle", { sessionID })],
  error: (name: string, data: Json = {}, sessionID = MAIN): Json =>
    event("session.error", { sessionID, error: { name, data } }),
  user: (id: string, rest: Json = {}, sessionID = MAIN): Json =>
    event("message.updated", { info: { id, sessionID, role: "user", ...rest } }),
  userText: (messageID: string, text: string, rest: Json = {}, sessionID = MAIN): Json =>
    part(messageID, { id: `prt_${messageID}`, type: "text", text, ...rest }, sessionID),
  assistant: (id: string, parentID: string, rest: Json = {}, sessionID = MAIN): Json =>
    event("message.updated", {
      info: {
        id,
        sessionID,
        role: "assistant",
        parentID,
        providerID: "p",
        modelID: "m",
        agent: "build",
        cost: 0,
        tokens: NONE,
        time: {},
        ...rest,
      },
    }),
  ended: (id: string, parentID: string, finish = "stop", sessionID = MAIN): Json =>
    native.assistant(id, parentID, { finish, cost: 0.5, tokens: TOKENS, time: { completed: 2 } }, sessionID),
  failed: (id: string, parentID: string, name: string, data: Json = {}, sessionID = MAIN): Json =>
    native.assistant(id, parentID, { error: { name, data }, time: { completed: 2 } }, sessionID),
  text: (messageID: string, id: string, text: string, end?: number): Json =>
    part(messageID, { id, type: "text", text, time: { start: 1, ...(end !== undefined && { end }) } }),
  delta: (messageID: string, partID: string, delta: string): Json =>
    event("message.part.delta", { sessionID: MAIN, messageID, partID, field: "text", delta }),
  step: (messageID: string, id: string, sessionID = MAIN): Json =>
    part(messageID, { id, type: "step-finish", reason: "stop", cost: 0.5, tokens: TOKENS }, sessionID),
  tool: (messageID: string, id: string, state: Json, tool = "bash", sessionID = MAIN): Json =>
    part(messageID, { id, type: "tool", tool, callID: `call_${id}`, state: { input: {}, ...state } }, sessionID),
  part,
  asked: (id: string, messageID: string, partID: string, rest: Json = {}, sessionID = MAIN): Json =>
    event("permission.asked", {
      id,
      sessionID,
      permission: "bash",
      patterns: ["ls -l"],
      always: ["ls *"],
      metadata: { command: "ls -l" },
      tool: { messageID, callID: `call_${partID}` },
      ...rest,
    }),
  replied: (requestID: string, reply: string, sessionID = MAIN): Json =>
    event("permission.replied", { sessionID, requestID, reply }),
  event,
};

/** The server is up and has the session. */
export function ready(story: Story, agents: unknown = []): Story {
  story.lines(native.open());
  story.answer("/agent", agents).answer("/mcp", {});
  return story.answer("/session", { id: MAIN });
}

/** A turn whose first answer has begun. */
export function running(story = new Story(), user = "msg_01", answer = "msg_02"): Story {
  ready(story.prompt()).answer("/prompt_async", null, 204);
  return story.lines(
    native.user(user),
    native.userText(user, "go"),
    native.status("busy"),
    native.assistant(answer, user),
  );
}
