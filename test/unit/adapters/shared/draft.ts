import type { SessionSeed } from "../../../../adapters/contract.js";
import { openMessage } from "../../../../adapters/shared/assistant-message.js";
import { beginTurn } from "../../../../adapters/shared/prompts.js";
import { createTranscript, type Draft, type Transcript } from "../../../../adapters/shared/transcript.js";
import {
  type AssistantMessage,
  idSeed,
  type Part,
  type PermissionBlock,
  type QuestionBlock,
  type ToolPart,
  type WireEvent,
} from "../../../../schemas/index.js";

export const AT = 1_000_000;
export const MODEL = { providerID: "maker", modelID: "model", agent: "build" };
export const USER_MESSAGE = "msg_user";

export function createSeed(change: Partial<SessionSeed> = {}): SessionSeed {
  const body = idSeed(AT, "abc");
  return {
    at: AT,
    sessionID: `ses_${body}`,
    idSeed: body,
    agent: "agent",
    directory: "/work",
    projectID: "global",
    title: "",
    mode: "default",
    ...change,
  };
}

export function createDraft(change: Partial<SessionSeed> = {}): Draft {
  return draftAt(createTranscript(createSeed(change)).transcript, AT + 1);
}

/** The next step on the same transcript, later. */
export function draftAt(transcript: Transcript, at: number): Draft {
  return { at, transcript, outputs: [] };
}

/** A draft whose turn runs and has one open assistant message. */
export function createTurn(): { draft: Draft; message: AssistantMessage } {
  const draft = createDraft();
  beginTurn(draft, USER_MESSAGE);
  const message = openMessage(draft, MODEL);
  draft.outputs.length = 0;
  return { draft, message };
}

export function eventsOf(draft: Draft): WireEvent[] {
  return draft.outputs.flatMap((output) => (output.kind === "wire" ? [output.event] : []));
}

export function typesOf(draft: Draft): string[] {
  return eventsOf(draft).map((event) => event.type);
}

export function partsOf(draft: Draft): Part[] {
  return eventsOf(draft).flatMap((event) => (event.type === "message.part.updated" ? [event.properties.part] : []));
}

export function toolsOf(draft: Draft): ToolPart[] {
  return partsOf(draft).filter((part) => part.type === "tool");
}

export function lastTool(draft: Draft): ToolPart {
  const part = toolsOf(draft).at(-1);
  if (!part) throw new Error("no tool part was emitted");
  return part;
}

export function permission(id: string, always: string[] = []): PermissionBlock {
  return { type: "permission", id: `per_${id}`, permission: "bash", patterns: ["ls"], always, metadata: {} };
}

export function question(id: string, ...texts: string[]): QuestionBlock {
  const questions = texts.map((text) => ({ question: text, header: "", options: [] }));
  return { type: "question", id: `que_${id}`, questions };
}
