import type { AssistantMessage, MessageWithParts, ToolPart } from "../../schemas/index.js";
import type { FinalDocument } from "../../src/store/reduce.js";

/** What a final state must hold for a trace to claim a promise: where the claim is easily made and not kept. */
type Evidence = (final: FinalDocument) => boolean;

const decided = (decision: string): Evidence => some(({ state }) => "block" in state && asked(state) === decision);

export const EVIDENCE: Readonly<Record<string, Evidence>> = {
  "reasoning.streaming": (final) => partsOf(final).some(({ type }) => type === "reasoning"),
  "usage.step": (final) => answersOf(final).some(({ tokens }) => tokens.output > 0),
  "turn.finish-stop": (final) => answersOf(final).some(({ finish }) => finish === "stop"),
  "turn.finish-aborted": (final) => answersOf(final).some(({ finish }) => finish === "aborted"),
  "turn.finish-refusal": (final) => answersOf(final).some(({ finish }) => finish === "refusal"),
  "tool.output": some(({ state }) => state.status === "completed" && state.output !== ""),
  "tool.exit-code": some(({ state }) => state.status === "error"),
  "tool.unknown": some(({ state }) => state.status === "error"),
  "tool.read": some(({ tool }) => tool === "read"),
  "tool.write": some(({ tool }) => tool === "write"),
  "tool.edit": some(({ tool }) => tool === "edit"),
  "permission.once": decided("once"),
  "permission.always": decided("always"),
  "permission.reject": decided("reject"),
  "permission.not-asked-again": some(
    ({ state }) => state.status === "completed" && (!("block" in state) || decidedBy(state) === "rule"),
  ),
  "diff.edit": some(asksWithDiff),
  "diff.new-file": some(asksWithDiff),
  "mcp.tool": some(({ tool, state }) => tool === "mcp" && state.status !== "pending"),
  "mcp.error": some(({ tool, state }) => tool === "mcp" && state.status === "error"),
  "todo.list": (final) => final.sessions.some(({ todos }) => todos.length > 0),
  "subagent.child": (final) => final.sessions.some(({ info }) => info.parentID !== undefined),
  "error.auth": failed("auth"),
  "error.invalid-request": failed("invalid_request"),
  "process.exit-mid-stream": failed("agent_exited"),
};

function failed(name: string): Evidence {
  return (final) => answersOf(final).some(({ error }) => error?.name === name);
}

function some(holds: (tool: ToolPart) => boolean): Evidence {
  return (final) => partsOf(final).some((part) => part.type === "tool" && holds(part));
}

function asked(state: ToolPart["state"]): string | undefined {
  if (!("block" in state) || state.block?.type !== "permission") return undefined;
  return "decision" in state.block ? state.block.decision : undefined;
}

function decidedBy(state: ToolPart["state"]): string | undefined {
  return "block" in state && state.block && "decidedBy" in state.block ? state.block.decidedBy : undefined;
}

function asksWithDiff({ state }: ToolPart): boolean {
  return "block" in state && state.block?.type === "permission" && state.block.metadata?.diff !== undefined;
}

function partsOf(final: FinalDocument): MessageWithParts["parts"] {
  return final.sessions.flatMap(({ messages }) => messages.flatMap(({ parts }) => parts));
}

function answersOf(final: FinalDocument): AssistantMessage[] {
  return final.sessions.flatMap(({ messages }) =>
    messages.flatMap(({ info }) => (info.role === "assistant" ? [info] : [])),
  );
}
