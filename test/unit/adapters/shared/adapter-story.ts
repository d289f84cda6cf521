import { expect } from "vitest";
import type { AgentExit, AnyAdapter, Command, Input, Output, SessionSeed } from "../../../../adapters/contract.js";
import type { AssistantMessage, Message, Part, Session, ToolPart } from "../../../../schemas/index.js";
import { checkLaws } from "../../../../src/conformance/laws/index.js";
import { executeRun, wireOf } from "../../../../src/conformance/run.js";
import { EMPTY_STATE, reduce, type SessionState, type WireState } from "../../../../src/store/reduce.js";
import { createSeed } from "./draft.js";

export type Json = Record<string, unknown>;

/** A session of an agent that is fed inputs by hand. What was told so far is read as a client reads it. */
export class AdapterStory<State> {
  readonly seed: SessionSeed;
  readonly inputs: Input<unknown>[] = [];
  readonly outputs: Output[] = [];
  /** What the last input made the adapter do. */
  last: readonly Output[] = [];
  state: State;
  protected wire: WireState;
  #at: number;

  constructor(
    readonly adapter: AnyAdapter,
    change: Partial<SessionSeed>,
  ) {
    this.seed = createSeed({ agent: adapter.id, ...change });
    this.#at = this.seed.at;
    const { state, outputs } = adapter.init(this.seed);
    this.state = state;
    this.wire = wireOf(outputs).reduce(reduce, EMPTY_STATE);
  }

  /** Native lines, one step each. */
  lines(...lines: readonly Json[]): this {
    for (const line of lines) {
      const frame = this.adapter.parse(line);
      expect(frame, `the adapter reads ${JSON.stringify(line)}`).toBeDefined();
      this.#step({ at: ++this.#at, kind: "frame", frame });
    }
    return this;
  }

  command(command: Command): this {
    return this.#step({ at: ++this.#at, kind: "command", command });
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
    const { state, outputs } = this.adapter.step(this.state, input);
    this.state = state;
    this.outputs.push(...outputs);
    this.last = outputs;
    this.wire = wireOf(outputs).reduce(reduce, this.wire);
    return this;
  }

  /** What the last input made the adapter do, beside telling. */
  get effects(): Output[] {
    return this.last.filter((output) => output.kind !== "wire");
  }

  /** What the last input made the adapter send. */
  get said(): Json[] {
    return framesIn(this.last);
  }

  /** Everything that was written to the agent. */
  get sent(): Json[] {
    return framesIn(this.outputs);
  }

  get session(): Session {
    return this.sessionState().info;
  }

  protected sessionState(sessionID = this.seed.sessionID): SessionState {
    const session = this.wire.sessions[sessionID];
    if (!session) throw new Error(`there is no session ${sessionID}`);
    return session;
  }

  /** Whatever the story was, it must keep the laws. */
  expectLawful(): void {
    expect(checkLaws(executeRun(this.adapter, this.seed, this.inputs))).toEqual([]);
  }
}

/** A story whose subagents are read like the session itself. */
export class FamilyStory<State> extends AdapterStory<State> {
  get children(): Session[] {
    const sessions = Object.values(this.wire.sessions).map(({ info }) => info);
    return sessions.filter(({ parentID }) => parentID !== undefined);
  }

  messages(sessionID?: string): Message[] {
    return Object.values(this.sessionState(sessionID).messages).map(({ info }) => info);
  }

  get answers(): AssistantMessage[] {
    return this.messages().filter((message) => message.role === "assistant");
  }

  parts(sessionID?: string): Part[] {
    return Object.values(this.sessionState(sessionID).messages).flatMap(({ info, parts }) =>
      info.role === "assistant" ? Object.values(parts) : [],
    );
  }

  tools(sessionID?: string): ToolPart[] {
    return this.parts(sessionID).filter((part) => part.type === "tool");
  }
}

function framesIn(outputs: readonly Output[]): Json[] {
  return outputs.flatMap((output) => (output.kind === "send" ? [output.frame as Json] : []));
}
