import { expect } from "vitest";
import { codex } from "../../../../adapters/codex/index.js";
import type { CodexState } from "../../../../adapters/codex/state.js";
import type { AgentExit, Command, Input, Output, SessionSeed } from "../../../../adapters/contract.js";
import type { AssistantMessage, Message, Part, PendingBlock, Session, ToolPart } from "../../../../schemas/index.js";
import { checkLaws } from "../../../../src/conformance/laws/index.js";
import { executeRun, wireOf } from "../../../../src/conformance/run.js";
import { EMPTY_STATE, reduce, type WireState } from "../../../../src/store/reduce.js";
import { createSeed } from "../shared/draft.js";

type Json = Record<string, unknown>;

export const THREAD = "00000000-0000-7000-8000-000000000001";

/** A session that is fed inputs by hand. What was told so far is read as a client reads it. */
export class Story {
  readonly seed: SessionSeed;
  readonly inputs: Input<unknown>[] = [];
  readonly outputs: Output[] = [];
  state: CodexState;
  #wire: WireState;
  #at: number;
  #last: readonly Output[] = [];

  constructor(change: Partial<SessionSeed> = {}) {
    this.seed = createSeed({ agent: "codex", ...change });
    this.#at = this.seed.at;
    const { state, outputs } = codex.init(this.seed);
    this.state = state;
    this.#wire = wireOf(outputs).reduce(reduce, EMPTY_STATE);
  }

  lines(...lines: readonly Json[]): this {
    for (const line of lines) {
      const frame = codex.parse(line);
      expect(frame, `the adapter reads ${JSON.stringify(line)}`).toBeDefined();
      this.#step({ at: ++this.#at, kind: "frame", frame });
    }
    return this;
  }

  command(command: Command): this {
    return this.#step({ at: ++this.#at, kind: "command", command });
  }

  prompt(text = "go", steer = false): this {
    return this.command({ type: "prompt", parts: [{ type: "text", text }], ...(steer && { steer }) });
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

  #step(input: Input<unknown>): this {
    this.inputs.push(input);
    const { state, outputs } = codex.step(this.state, input as never);
    this.state = state;
    this.outputs.push(...outputs);
    this.#last = outputs;
    this.#wire = wireOf(outputs).reduce(reduce, this.#wire);
    return this;
  }

  /** What the last input made the adapter send. */
  get said(): Json[] {
    return this.#last.flatMap((output) => (output.kind === "send" ? [output.frame as Json] : []));
  }

  get sent(): Json[] {
    return this.outputs.flatMap((output) => (output.kind === "send" ? [output.frame as Json] : []));
  }

  get methods(): unknown[] {
    return this.sent.map(({ method }) => method).filter((method) => method !== undefined);
  }

  /** The id of the newest request with this method. */
  idOf(method: string): string {
    return String(this.sent.findLast((frame) => frame.method === method)?.id);
  }

  get session(): Session {
    return this.#session(this.seed.sessionID).info;
  }

  get children(): Session[] {
    return Object.values(this.#wire.sessions)
      .map(({ info }) => info)
      .filter(({ parentID }) => parentID !== undefined);
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

  texts(sessionID?: string): string[] {
    return this.parts(sessionID).flatMap((part) => (part.type === "text" && !part.ignored ? [part.text] : []));
  }

  tools(sessionID?: string): ToolPart[] {
    return this.parts(sessionID).filter((part) => part.type === "tool");
  }

  /** The state of the only tool. */
  get tool(): ToolPart["state"] {
    const tools = this.tools();
    expect(tools).toHaveLength(1);
    return (tools[0] as ToolPart).state;
  }

  block(index = 0): PendingBlock["block"] {
    const sessions = [this.seed.sessionID, ...this.children.map(({ id }) => id)];
    const waiting = sessions.flatMap((id) => this.tools(id)).filter(({ state }) => state.status === "blocked");
    const state = waiting[index]?.state;
    if (state?.status !== "blocked") throw new Error("nothing waits");
    return state.block;
  }

  /** Whatever the story was, it must keep the laws. */
  expectLawful(): void {
    expect(checkLaws(executeRun(codex, this.seed, this.inputs))).toEqual([]);
  }

  #session(sessionID: string) {
    const session = this.#wire.sessions[sessionID];
    if (!session) throw new Error("the session is gone");
    return session;
  }
}

const of = (turnId: string, threadId = THREAD) => ({ threadId, turnId });

/** What the app-server writes, as small as the adapter lets it be. */
export const native = {
  answer: (id: string, result: unknown = {}): Json => ({ id, result }),
  refuse: (id: string, message = "no"): Json => ({ id, error: { code: -32600, message } }),
  opened: (id: string): Json =>
    native.answer(id, {
      thread: { id: THREAD, cliVersion: "0.171.0" },
      model: "gpt-x",
      modelProvider: "lab",
      approvalPolicy: "untrusted",
      sandbox: { type: "workspaceWrite" },
    }),
  turnStarted: (turn = "t1", threadId = THREAD): Json => ({
    method: "turn/started",
    params: { threadId, turn: { id: turn } },
  }),
  turnEnd: (turn = "t1", status = "completed", error: unknown = null, threadId = THREAD): Json => ({
    method: "turn/completed",
    params: { threadId, turn: { id: turn, status, error } },
  }),
  start: (item: Json, turn = "t1", threadId = THREAD): Json => ({
    method: "item/started",
    params: { ...of(turn, threadId), item },
  }),
  end: (item: Json, turn = "t1", threadId = THREAD): Json => ({
    method: "item/completed",
    params: { ...of(turn, threadId), item },
  }),
  text: (id: string, text = ""): Json => ({ type: "agentMessage", id, text }),
  delta: (itemId: string, delta: string, turn = "t1", threadId = THREAD): Json => ({
    method: "item/agentMessage/delta",
    params: { ...of(turn, threadId), itemId, delta },
  }),
  user: (id: string, text = "go", clientId: string | null = null): Json => ({
    type: "userMessage",
    id,
    clientId,
    content: [{ type: "text", text, text_elements: [] }],
  }),
  exec: (id: string, change: Json = {}): Json => ({
    type: "commandExecution",
    id,
    command: "/bin/bash -lc 'touch a'",
    cwd: "/work",
    status: "inProgress",
    ...change,
  }),
  ask: (id: number, itemId: string, change: Json = {}, turn = "t1", threadId = THREAD): Json => ({
    id,
    method: "item/commandExecution/requestApproval",
    params: {
      ...of(turn, threadId),
      itemId,
      command: "/bin/bash -lc 'touch a'",
      cwd: "/work",
      availableDecisions: ["accept", "cancel"],
      ...change,
    },
  }),
  resolved: (requestId: number): Json => ({
    method: "serverRequest/resolved",
    params: { threadId: THREAD, requestId },
  }),
  usage: (input: number, output: number, turn = "t1", change: Json = {}): Json => {
    const total = {
      totalTokens: input + output,
      inputTokens: input,
      cachedInputTokens: 0,
      outputTokens: output,
      reasoningOutputTokens: 0,
    };
    return {
      method: "thread/tokenUsage/updated",
      params: { ...of(turn), tokenUsage: { total, last: total, modelContextWindow: 1000, ...change } },
    };
  },
  error: (message: string, willRetry: boolean, turn = "t1"): Json => ({
    method: "error",
    params: {
      ...of(turn),
      willRetry,
      error: { message, codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: null } } },
    },
  }),
};

/** A session whose prompt was sent and whose turn runs. */
export function running(story = new Story({ directory: "/work" })): Story {
  story.prompt();
  open(story);
  story.lines(native.answer(story.idOf("turn/start"), { turn: { id: "t1" } }), native.turnStarted());
  return story.lines(native.start(native.user("u1")), native.end(native.user("u1")));
}

/** The program is up and has its thread. */
export function open(story: Story): Story {
  story.lines(native.answer(story.idOf("initialize"), { userAgent: "agentwire/0.171.0 (Linux)" }));
  return story.lines(
    native.opened(story.idOf(story.methods.includes("thread/resume") ? "thread/resume" : "thread/start")),
  );
}
