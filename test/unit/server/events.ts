import type { AssistantMessage, Part, Session, TextPart, ToolPart, WireEvent } from "../../../schemas/index.js";

/** Short ways to say what a session does. */
const SES = "ses_1";

export function session(id = SES, parentID?: string): Session {
  return {
    id,
    projectID: "project",
    directory: "/project",
    ...(parentID !== undefined && { parentID }),
    title: "",
    time: { created: 1, updated: 1 },
    agent: "fake",
    mode: "default",
    status: { type: "idle" },
    queue: [],
  };
}

export function sessionCreated(id = SES, parentID?: string): WireEvent {
  return { type: "session.created", properties: { sessionID: id, info: session(id, parentID) } };
}

export function status(type: "idle" | "busy", sessionID = SES): WireEvent {
  return { type: "session.status", properties: { sessionID, status: { type } } };
}

export function message(id: string, sessionID = SES): WireEvent {
  const info: AssistantMessage = {
    id,
    sessionID,
    role: "assistant",
    time: { created: 1 },
    parentID: "msg_0",
    modelID: "m",
    providerID: "p",
    agent: "fake",
    path: { cwd: "/", root: "/" },
    cost: 0,
    tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
  };
  return { type: "message.updated", properties: { sessionID, info } };
}

export function partUpdated(part: Part): WireEvent {
  return { type: "message.part.updated", properties: { sessionID: part.sessionID, part } };
}

interface At {
  readonly id: string;
  readonly messageID?: string;
  readonly sessionID?: string;
}

export function text({ id, messageID = "msg_1", sessionID = SES }: At, value = "", closed = false): TextPart {
  return { id, messageID, sessionID, type: "text", text: value, time: { start: 1, ...(closed && { end: 2 }) } };
}

export function tool({ id, messageID = "msg_1", sessionID = SES }: At, output: string, closed = false): ToolPart {
  const common = { input: {}, metadata: { output } };
  return {
    id,
    messageID,
    sessionID,
    type: "tool",
    callID: `call ${id}`,
    tool: "bash",
    state: closed
      ? { status: "completed", ...common, output, title: "t", time: { start: 1, end: 2 } }
      : { status: "running", ...common, time: { start: 1 } },
  };
}

export function delta(
  { id, messageID = "msg_1", sessionID = SES }: At,
  offset: number,
  added: string,
  field: "text" | "state.metadata.output" = "text",
): WireEvent {
  return { type: "message.part.delta", properties: { sessionID, messageID, partID: id, field, offset, delta: added } };
}
