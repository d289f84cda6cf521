import { addTokens, NO_TOKENS, type Part, type ToolPart } from "../../../../schemas/index.js";
import type { FinalDocument } from "../../../../src/store/reduce.js";

export type Session = FinalDocument["sessions"][number];

/** What a session came to, as far as a stream and a transcript of it must tell the same. */
export function toldBy(session: Session) {
  const answers = session.messages.filter(({ info }) => info.role === "assistant");
  const parts = answers.flatMap((message) => message.parts);
  return {
    prompts: session.messages.flatMap(({ info, parts }) => (info.role === "user" ? parts.flatMap(textOf) : [])),
    texts: parts.flatMap(textOf),
    reasoning: parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])),
    tools: parts.flatMap((part) => (part.type === "tool" ? [toolOf(part)] : [])),
    tokens: answers.reduce(
      (sum, { info }) => (info.role === "assistant" ? addTokens(sum, info.tokens) : sum),
      NO_TOKENS,
    ),
    errors: answers.flatMap(({ info }) => (info.role === "assistant" && info.error ? [info.error.name] : [])),
    todos: session.todos,
  };
}

function textOf(part: Part): string[] {
  return part.type === "text" && !part.ignored && part.text !== "" ? [part.text] : [];
}

/** Ids of sessions differ from reading to reading. */
const SESSION_ID = /ses_[0-9a-z]+/g;

function toolOf({ callID, tool, state }: ToolPart) {
  const { status, input } = state;
  const told = { callID, tool, status, input };
  if (state.status === "completed") {
    const attachments = (state.attachments ?? []).map(({ mime, url }) => ({ mime, url }));
    return {
      ...told,
      output: state.output.replace(SESSION_ID, "ses_"),
      attachments,
      decision: decisionOf(state.block),
    };
  }
  return state.status === "error" ? { ...told, error: state.error, decision: decisionOf(state.block) } : told;
}

type Decided = Extract<ToolPart["state"], { status: "completed" }>["block"];

function decisionOf(block: Decided): unknown {
  if (!block) return undefined;
  switch (block.type) {
    case "permission":
      return block.decision;
    case "question":
      return block.answers;
    case "call":
      return block.output;
  }
}
