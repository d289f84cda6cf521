import type { AssistantMessage, Part, Session, UserMessage, WireEvent } from "../../../schemas/index.js";
import { NO_TOKENS } from "../../../schemas/index.js";

export type ToolPart = Extract<Part, { type: "tool" }>;
export type TextPart = Extract<Part, { type: "text" | "reasoning" }>;

export function session(id: string, changes: Partial<Session> = {}): Session {
  return {
    id,
    projectID: "project",
    directory: "/project",
    title: "A session",
    time: { created: 1, updated: 1 },
    agent: "claude",
    mode: "default",
    status: { type: "idle" },
    queue: [],
    ...changes,
  };
}

export function userMessage(sessionID: string, id: string, created = 1): UserMessage {
  const model = { providerID: "anthropic", modelID: "opus" };
  return { id, sessionID, role: "user", time: { created }, agent: "claude", model };
}

export function assistantMessage(sessionID: string, id: string, created = 1, cost = 0): AssistantMessage {
  const where = { modelID: "opus", providerID: "anthropic", agent: "claude", path: { cwd: "/", root: "/" } };
  const { input, output, reasoning, cache } = NO_TOKENS;
  const tokens = { input, output, reasoning, cache };
  return { id, sessionID, role: "assistant", time: { created }, parentID: "msg_0", cost, tokens, ...where };
}

type Place = { readonly sessionID: string; readonly messageID: string; readonly id: string };

export function textPart(place: Place, text = "", end?: number): TextPart {
  return { ...place, type: "text", text, time: { start: 1, ...(end !== undefined && { end }) } };
}

export function toolPart(place: Place, state: ToolPart["state"]): ToolPart {
  return { ...place, type: "tool", callID: `call_${place.id}`, tool: "bash", state };
}

export const pending = (raw = ""): ToolPart["state"] => ({ status: "pending", input: {}, raw });
export const running = (output?: string): ToolPart["state"] => ({
  status: "running",
  input: {},
  time: { start: 1 },
  ...(output !== undefined && { metadata: { output } }),
});
export const blocked = (blockID: string): ToolPart["state"] => ({
  status: "blocked",
  input: {},
  time: { start: 1 },
  block: { type: "permission", id: blockID, permission: "bash", patterns: [], always: [], metadata: {} },
});
export const completed = (output: string): ToolPart["state"] => ({
  status: "completed",
  input: {},
  output,
  title: "ran",
  metadata: { output },
  time: { start: 1, end: 2 },
});

export const created = (info: Session): WireEvent => ({
  type: "session.created",
  properties: { sessionID: info.id, info },
});
export const updated = (info: Session): WireEvent => ({
  type: "session.updated",
  properties: { sessionID: info.id, info },
});
export const message = (info: UserMessage | AssistantMessage): WireEvent => ({
  type: "message.updated",
  properties: { sessionID: info.sessionID, info },
});
export const partUpdated = (part: Part): WireEvent => ({
  type: "message.part.updated",
  properties: { sessionID: part.sessionID, part },
});

export function delta(
  part: Part,
  offset: number,
  text: string,
  field: "text" | "state.raw" | "state.metadata.output" = "text",
): WireEvent {
  const { id: partID, sessionID, messageID } = part;
  return { type: "message.part.delta", properties: { sessionID, messageID, partID, field, offset, delta: text } };
}

/** A session with one assistant message and one open text part. */
export function conversation(sessionID = "ses_1"): { events: WireEvent[]; part: TextPart } {
  const suffix = sessionID.slice(4);
  const part = textPart({ sessionID, messageID: `msg_${suffix}`, id: `prt_${suffix}` });
  const events = [created(session(sessionID)), message(assistantMessage(sessionID, part.messageID)), partUpdated(part)];
  return { events, part };
}
