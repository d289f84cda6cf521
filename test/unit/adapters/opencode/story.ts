import { expect } from "vitest";
import type { AgentExit, Command, Input, Output, SessionSeed, Step } from "../../../../adapters/contract.js";
import { opencode } from "../../../../adapters/opencode/index.js";
import type { OpencodeState } from "../../../../adapters/opencode/state.js";
import type {
  AssistantMessage,
  Block,
  Message,
  Part,
  Session,
  ToolPart,
  WireEvent,
} from "../../../../schemas/index.js";
import { checkLaws } from "../../../../src/conformance/laws/index.js";
import { executeRun, wireOf } from "../../../../src/conformance/run.js";
import { EMPTY_STATE, reduce, type WireState } from "../../../../src/store/reduce.js";
import { createSeed } from "../shared/draft.js";

type Json = Record<string, unknown>;

export const MAIN = "ses_main";
export const KID = "ses_kid";

/** A session that is fed inputs by hand. What was told so far is read as a client reads it. */
export class Story {
  readonly seed: SessionSeed;
  readonly inputs: Input<unknown>[] = [];
  readonly outputs: Output[] = [];
  state: OpencodeState;
  #wire: WireState;
  #at: number;
  #last: readonly Output[] = [];

  constructor(change: Partial<SessionSeed> = {}) {
    this.seed = createSeed({ agent: "opencode", ...change });
    this.#at = this.seed.at;
    const { state, outputs } = opencode.init(this.seed);
    this.state = state;
    this.#wire = wireOf(outputs).reduce(reduce, EMPTY_STATE);
  }

  /** Begins from another state, such as that of a fork. */
  begin({ state, outputs }: Step<OpencodeState>): void {
    this.state = state;
    this.#wire = wireOf(outputs).reduce(reduce, EMPTY_STATE);
  }

  lines(...lines: readonly Json[]): this {
    for (const line of lines) {
      const frame = opencode.parse(line);
      expect(frame, `the adapter reads ${JSON.stringify(line)}`).toBeDefined();
      this.#step({ at: ++this.#at, kind: "frame", frame });
    }
    return this;
  }

  command(command: Command): this {
    return this.#step({ at: ++this.#at, kind: "command", command });
  }

  prompt(text = "go"): this {
    return this.command({ type: "prompt", parts: [{ type: "text", text }] });
  }

  reply(reply: Partial<Extract<Command, { type: "reply" }>>, blockID = this.block().id): this {
    return this.command({ type: "reply", blockID, decidedBy: "user", ...reply });
  }

  exit(exit: Partial<AgentExit> = {}): this {
    return this.#step({ at: ++this.#at, kind: "exit", code: 0, signal: null, stderr: "", ...exit });
  }

  wake(timer = "abort"): this {
    return this.#step({ at: ++this.#at, kind: "wake", timer });
  }

  /** The answer to the newest request for this path, or for one that ends so. */
  answer(path: string, body: unknown = null, status = 200): this {
    return this.lines({ token: this.tokenOf(path), status, body });
  }

  tokenOf(path: string): string {
    return String(this.sent.findLast((frame) => String(frame.path).endsWith(path))?.token);
  }

  #step(input: Input<unknown>): this {
    this.inputs.push(input);
    const { state, outputs } = opencode.step(this.state, input as never);
    this.state = state;
    this.outputs.push(...outputs);
    this.#last = outputs;
    this.#wire = wireOf(outputs).reduce(reduce, this.#wire);
    return this;
  }

  /** What the last input had done beside the wire. */
  get done(): Output[] {
    return this.#last.filter(({ kind }) => kind !== "wire");
  }

  get events(): WireEvent[] {
    return wireOf(this.#last);
  }

  get sent(): Json[] {
    return this.outputs.flatMap((output) => (output.kind === "send" ? [output.frame as Json] : []));
  }

  /** Every request, as a method and a path. */
  get requests(): string[] {
    return this.sent.map(({ method, path }) => `${String(method)} ${String(path)}`);
  }

  get session(): Session {
    return this.#session(this.seed.sessionID).info;
  }

  get children(): Session[] {
    const sessions = Object.values(this.#wire.sessions).map(({ info }) => info);
    return sessions.filter(({ parentID }) => parentID !== undefined);
  }

  messages(sessionID = this.seed.sessionID): Message[] {
    return Object.values(this.#session(sessionID).messages).map(({ info }) => info);
  }

  get answers(): AssistantMessage[] {
    return this.messages().filter((message) => message.role === "assistant");
  }

  parts(sessionID = this.seed.sessionID): Part[] {
    return Object.values(this.#session(sessionID).messages).flatMap(({ info, parts }) =>
      info.role === "assistant" ? Object.values(parts) : [],
    );
  }

  get texts(): string[] {
    return this.parts().flatMap((part) => (part.type === "text" ? [part.text] : []));
  }

  tools(sessionID = this.seed.sessionID): ToolPart[] {
    return this.parts(sessionID).filter((part) => part.type === "tool");
  }

  block(sessionID = this.seed.sessionID): Block {
    const blocked = this.tools(sessionID).flatMap(({ state }) => (state.status === "blocked" ? [state.block] : []));
    expect(blocked).not.toEqual([]);
    return blocked[0] as Block;
  }

  expectLawful(): void {
    expect(checkLaws(executeRun(opencode, this.seed, this.inputs))).toEqual([]);
  }

  #session(sessionID: string) {
    const session = this.#wire.sessions[sessionID];
    if (!session) throw new Error(`there is no session ${sessionID}`);
    return session;
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
  idle: (sessionID = MAIN): Json => event("session.idle", { sessionID }),
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
  failed: (id: string, parentID: string, name: string, data: Json = {}): Json =>
    native.assistant(id, parentID, { error: { name, data }, time: { completed: 2 } }),
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
