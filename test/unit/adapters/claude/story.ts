import { claude } from "../../../../adapters/claude/index.js";
import type { ClaudeState } from "../../../../adapters/claude/state.js";
import type { Command, SessionSeed } from "../../../../adapters/contract.js";
import type {
  AssistantMessage,
  Message,
  Part,
  PendingBlock,
  ReasoningPart,
  TextPart,
  ToolPart,
  WireEvent,
} from "../../../../schemas/index.js";
import { wireOf } from "../../../../src/conformance/run.js";
import { AdapterStory } from "../shared/adapter-story.js";
import { type Json, native } from "./native.js";

export class Story extends AdapterStory<ClaudeState> {
  constructor(change: Partial<SessionSeed> = {}) {
    super(claude, change);
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

  get messages(): Message[] {
    return Object.values(this.sessionState().messages).map(({ info }) => info);
  }

  get answersOfModel(): AssistantMessage[] {
    return this.messages.filter((message) => message.role === "assistant");
  }

  get parts(): Part[] {
    return Object.values(this.sessionState().messages).flatMap(({ parts }) => Object.values(parts));
  }

  /** Those of subagents too, wherever they are kept. */
  get tools(): ToolPart[] {
    const messages = Object.values(this.wire.sessions).flatMap((session) => Object.values(session.messages));
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
}

/** A turn whose model called one tool, which runs. */
export function withCall(callID: string, name: string, input: Json, story = new Story()): Story {
  return story
    .prompt()
    .lines(native.init(), native.whole(`msg_${callID}`, native.call(callID, name, input), { stop_reason: "tool_use" }));
}
