import { expect } from "vitest";
import { codex } from "../../../../adapters/codex/index.js";
import type { CodexState } from "../../../../adapters/codex/state.js";
import type { Command, SessionSeed } from "../../../../adapters/contract.js";
import type { PendingBlock, ToolPart } from "../../../../schemas/index.js";
import { FamilyStory, type Json } from "../shared/adapter-story.js";

export const THREAD = "00000000-0000-7000-8000-000000000001";

export class Story extends FamilyStory<CodexState> {
  constructor(change: Partial<SessionSeed> = {}) {
    super(codex, change);
  }

  prompt(text = "go", steer = false): this {
    return this.command({ type: "prompt", parts: [{ type: "text", text }], ...(steer && { steer }) });
  }

  reply(reply: Partial<Extract<Command, { type: "reply" }>>, blockID = this.block().id): this {
    return this.command({ type: "reply", blockID, decidedBy: "user", ...reply });
  }

  get methods(): unknown[] {
    return this.sent.map(({ method }) => method).filter((method) => method !== undefined);
  }

  /** The id of the newest request with this method. */
  idOf(method: string): string {
    return String(this.sent.findLast((frame) => frame.method === method)?.id);
  }

  texts(sessionID?: string): string[] {
    return this.parts(sessionID).flatMap((part) => (part.type === "text" && !part.ignored ? [part.text] : []));
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
