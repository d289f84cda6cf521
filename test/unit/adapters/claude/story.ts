import { expect } from "vitest";
import { claude } from "../../../../adapters/claude/index.js";
import type { ClaudeState } from "../../../../adapters/claude/state.js";
import type { AgentExit, Command, Input, Output, SessionSeed } from "../../../../adapters/contract.js";
import type {
  AssistantMessage,
  Message,
  Part,
  PendingBlock,
  ReasoningPart,
  Session,
  TextPart,
  ToolPart,
  WireEvent,
} from "../../../../schemas/index.js";
import { checkLaws } from "../../../../src/conformance/laws/index.js";
import { executeRun, wireOf } from "../../../../src/conformance/run.js";
import { EMPTY_STATE, reduce, type WireState } from "../../../../src/store/reduce.js";
import { createSeed } from "../shared/draft.js";
import { type Json, native } from "./native.js";

/** A session that is fed inputs by hand. What was told so far is read as a client reads it. */
export class Story {
  readonly seed: SessionSeed;
  readonly inputs: Input<unknown>[] = [];
  readonly outputs: Output[] = [];
  state: ClaudeState;
  #wire: WireState;
  #at: number;
  #last: readonly Output[] = [];

  constructor(change: Partial<SessionSeed> = {}) {
    this.seed = createSeed({ agent: "claude", ...change });
    this.#at = this.seed.at;
    const { state, outputs } = claude.init(this.seed);
    this.state = state;
    this.#wire = wireOf(outputs).reduce(reduce, EMPTY_STATE);
  }

  /** Native lines, one step each. */
  lines(...lines: readonly Json[]): this {
    for (const line of lines) {
      const frame = claude.parse(line);
      expect(frame, `the adapter reads ${JSON.stringify(line)}`).toBeDefined();
      this.#step({ at: ++this.#at, kind: "frame", frame });
    }
    return this;
  }

  command(command: Command): this {
    return this.#step({ at: ++this.#at, kind: "command", command });
  }

  prompt(text = "go", messageID?: string): this {
    return this.command({ type: "prompt", parts: [{ type: "text", text }], ...(messageID && { messageID }) });
  }

  reply(reply: Partial<Extract<Command, { type: "reply" }>>, blockID = this.blockOf().id): this {
    return this.command({ type: "reply", blockID, decidedBy: "user", ...reply });
  }

  abort(keepQueue = false): this {
    return this.command({ type: "abort", keepQueue });
  }

  exit(exit: Partial<AgentExit> = {}): this {
    return this.#step({ at: ++this.#at, kind: "exit", code: 0, signal: null, stderr: "", ...exit });
  }

  fault(detail: string): this {
    return this.#step({ at: ++this.#at, kind: "fault", detail });
  }

  wake(timer = "abort"): this {
    return this.#step({ at: ++this.#at, kind: "wake", timer });
  }

  /** What the last `read` that was asked for brought. */
  file(text: string | null): this {
    const read = this.outputs.findLast((output) => output.kind === "read");
    return this.#step({ at: ++this.#at, kind: "file", token: read?.token ?? "none", text });
  }

  #step(input: Input<unknown>): this {
    this.inputs.push(input);
    const { state, outputs } = claude.step(this.state, input as never);
    this.state = state;
    this.outputs.push(...outputs);
    this.#last = outputs;
    this.#wire = wireOf(outputs).reduce(reduce, this.#wire);
    return this;
  }

  /** What the last input made the adapter do, beside telling. */
  get effects(): Output[] {
    return this.#last.filter((output) => output.kind !== "wire");
  }

  /** Everything that was written to the agent. */
  get sent(): Json[] {
    return this.outputs.flatMap((output) => (output.kind === "send" ? [output.frame as Json] : []));
  }

  /** The answers that were written to the agent's requests. */
  answers(requestID: string): Json[] {
    const responses = this.sent
      .filter((frame) => frame.type === "control_response")
      .map((frame) => frame.response as Json);
    return responses.filter((response) => response.request_id === requestID);
  }

  /** The uuid the newest prompt was sent with. */
  get uuid(): string {
    return String(this.sent.findLast((frame) => frame.type === "user")?.uuid);
  }

  get events(): WireEvent[] {
    return wireOf(this.outputs);
  }

  get session(): Session {
    return this.#session.info;
  }

  get messages(): Message[] {
    return Object.values(this.#session.messages).map(({ info }) => info);
  }

  get answersOfModel(): AssistantMessage[] {
    return this.messages.filter((message) => message.role === "assistant");
  }

  get parts(): Part[] {
    return Object.values(this.#session.messages).flatMap(({ parts }) => Object.values(parts));
  }

  /** Those of subagents too, wherever they are kept. */
  get tools(): ToolPart[] {
    const messages = Object.values(this.#wire.sessions).flatMap((session) => Object.values(session.messages));
    return messages.flatMap(({ parts }) => Object.values(parts)).filter((part) => part.type === "tool");
  }

  get texts(): (TextPart | ReasoningPart)[] {
    const own = new Set(this.answersOfModel.map(({ id }) => id));
    return this.parts
      .filter((part) => part.type === "text" || part.type === "reasoning")
      .filter((part) => own.has(part.messageID));
  }

  tool(callID: string): ToolPart["state"] {
    const part = this.tools.find((tool) => tool.callID === callID);
    if (!part) throw new Error(`there is no tool call ${callID}`);
    return part.state;
  }

  /** The block of the call that waits. */
  blockOf(callID?: string): PendingBlock["block"] {
    const waiting = this.tools.find(
      ({ state, callID: id }) => state.status === "blocked" && (!callID || id === callID),
    );
    if (waiting?.state.status !== "blocked") throw new Error("nothing waits");
    return waiting.state.block;
  }

  /** Whatever the story was, it must keep the laws. */
  expectLawful(): void {
    expect(checkLaws(executeRun(claude, this.seed, this.inputs))).toEqual([]);
  }

  get #session() {
    const session = this.#wire.sessions[this.seed.sessionID];
    if (!session) throw new Error("the session is gone");
    return session;
  }
}

/** A turn whose model called one tool, which runs. */
export function withCall(callID: string, name: string, input: Json, story = new Story()): Story {
  return story
    .prompt()
    .lines(native.init(), native.whole(`msg_${callID}`, native.call(callID, name, input), { stop_reason: "tool_use" }));
}
