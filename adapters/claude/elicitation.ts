import type { QuestionInfo, ResolvedQuestionBlock } from "../../schemas/index.js";
import { openMessage } from "../shared/assistant-message.js";
import { isRecord } from "../shared/is-record.js";
import { resolveBlock } from "../shared/resolve-block.js";
import { blockTool, completeTool, failTool, openTool, unblockTool } from "../shared/tool-call.js";
import { nextId } from "../shared/transcript.js";
import { sendAnswer, sendRefusal } from "./control.js";
import { type ControlRequestFrame, Elicitation } from "./frame.js";
import { currentModel, ensureFormTurn, isFormTurn } from "./model.js";
import type { Ask, ClaudeDraft, FormField } from "./state.js";
import { endOwnTurn } from "./turn.js";

/**
 * An MCP server asks its user for something. The request names no tool: it stands on the server's tool that runs, and on
 * a tool part of its own where none does.
 */
export function onElicitation(draft: ClaudeDraft, { request_id: requestID, request }: ControlRequestFrame): void {
  const parsed = Elicitation.safeParse(request);
  if (!parsed.success) return sendRefusal(draft, requestID, "malformed elicitation request");
  ensureFormTurn(draft);
  const form = fieldsOf(parsed.data);
  const callID = runningToolOf(draft, parsed.data.mcp_server_name) ?? openOwnTool(draft, requestID);
  const blockID = nextId(draft, "que");
  const ask: Ask = { requestID, blockID, taskID: null, callID, toolName: "", input: {}, suggestions: [], form };
  draft.state.asks[blockID] = ask;
  const { mcp_server_name: server, message, url } = parsed.data;
  blockTool(draft, callID, inputOf(draft, callID), titleOf(draft, callID), {
    type: "question",
    id: blockID,
    questions: form.length > 0 ? form.map((field) => questionOf(field, message)) : [confirmation(message)],
    metadata: { server, message, ...(url != null && { url }) },
  });
}

/** The server gets the form, or that its user declined; its tool goes on in either case. */
export function answerElicitation(draft: ClaudeDraft, ask: Ask, block: ResolvedQuestionBlock): void {
  if (isOwnTool(ask)) closeOwnTool(draft, ask.callID, block);
  else unblockTool(draft, ask.callID, block);
  if (block.rejected) sendAnswer(draft, ask.requestID, { action: "decline" });
  else sendAnswer(draft, ask.requestID, { action: "accept", content: contentOf(ask.form ?? [], block.answers) });
  endFormTurn(draft);
}

/** Nobody will answer any more: the CLI took the form back. */
export function resolveUnanswered(draft: ClaudeDraft, ask: Ask): void {
  const state = draft.transcript.tools[ask.callID]?.state;
  if (state?.status !== "blocked") return;
  const block = resolveBlock(draft, state.block, { decision: "reject", decidedBy: "agent" });
  if (isOwnTool(ask)) failTool(draft, ask.callID, { error: "The form was taken back", block });
  else unblockTool(draft, ask.callID, block);
  endFormTurn(draft);
}

/** The form was all there was to this turn. */
function endFormTurn(draft: ClaudeDraft): void {
  if (!isFormTurn(draft) || Object.keys(draft.transcript.tools).length > 0) return;
  endOwnTurn(draft, { toolError: "The form was decided", decidedBy: "agent" });
}

function isOwnTool({ callID, requestID }: Ask): boolean {
  return callID === requestID;
}

function fieldsOf({ requested_schema: schema, property_order: order }: Elicitation): FormField[] {
  const properties = isRecord(schema?.properties) ? schema.properties : {};
  const names = [...new Set([...(order ?? []), ...Object.keys(properties)])].filter((name) => name in properties);
  return names.map((name) => fieldOf(name, properties[name]));
}

function fieldOf(name: string, value: unknown): FormField {
  const property = isRecord(value) ? value : {};
  const multiple = typeOf(property) === "array";
  const each = multiple && isRecord(property.items) ? property.items : property;
  return {
    name,
    type: typeOf(each),
    label: String(property.description ?? property.title ?? name),
    options: optionsOf(each),
    multiple,
  };
}

/** The type that a value has when there is one: a field that may be null is left out instead. */
function typeOf({ type }: Record<string, unknown>): string {
  const types = Array.isArray(type) ? type : [type ?? "string"];
  return String(types.find((name) => name !== "null") ?? "string");
}

/** Choices stand in `enum`, or with titles in `oneOf` or `anyOf`. */
function optionsOf(property: Record<string, unknown>): FormField["options"] {
  if (typeOf(property) === "boolean") return [true, false].map((value) => ({ label: String(value), value }));
  if (Array.isArray(property.enum)) {
    const names = Array.isArray(property.enumNames) ? property.enumNames : [];
    return property.enum.map((value, i) => ({ label: String(names[i] ?? value), value }));
  }
  const titled = [property.oneOf, property.anyOf].find(Array.isArray) ?? [];
  const choices = titled.filter(isRecord).filter((choice) => choice.const !== undefined);
  return choices.map((choice) => ({ label: String(choice.title ?? choice.const), value: choice.const }));
}

function questionOf({ name, label, options, multiple }: FormField, message: string): QuestionInfo {
  return {
    question: `${message}\n${label}`,
    header: name,
    options: options.map((option) => ({ label: option.label, description: "" })),
    ...(multiple && { multiple }),
    custom: options.length === 0,
  };
}

function confirmation(message: string): QuestionInfo {
  return { question: message, header: "confirm", options: [{ label: "done", description: "" }], custom: false };
}

function contentOf(form: readonly FormField[], answers: readonly (readonly string[])[]): Record<string, unknown> {
  const given = form.map((field, i) => [field.name, valueOfField(field, answers[i] ?? [])] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function valueOfField(field: FormField, answers: readonly string[]): unknown {
  const values = answers.flatMap((answer) => (answer.trim() === "" ? [] : [oneValue(field, answer)]));
  return field.multiple && values.length > 0 ? values : values[0];
}

/** What is no number where one is asked for goes as it is: the server knows best what to say of it. */
function oneValue({ type, options }: FormField, answer: string): unknown {
  const chosen = options.find(({ label, value }) => label === answer || String(value) === answer);
  if (chosen) return chosen.value;
  if (type === "boolean") return answer === "true";
  if (type !== "number" && type !== "integer") return answer;
  const value = Number(answer);
  const fits = type === "integer" ? Number.isInteger(value) : Number.isFinite(value);
  return fits ? value : answer;
}

function runningToolOf(draft: ClaudeDraft, server: string): string | undefined {
  return Object.values(draft.transcript.tools).findLast(({ state, metadata }) => {
    const native = isRecord(metadata?.native) ? metadata.native : {};
    return state.status === "running" && native.server === server;
  })?.callID;
}

function openOwnTool(draft: ClaudeDraft, requestID: string): string {
  const messageID = draft.transcript.turn?.lastMessageID ?? openMessage(draft, currentModel(draft)).id;
  const message = { id: messageID, sessionID: draft.transcript.session.id };
  return openTool(draft, message, {
    callID: requestID,
    tool: "question",
    metadata: { native: { tool: "elicitation" } },
  }).callID;
}

/** The form was all there was to this tool. */
function closeOwnTool(draft: ClaudeDraft, callID: string, block: ResolvedQuestionBlock): void {
  if (block.rejected) return failTool(draft, callID, { error: block.message ?? "The form was declined", block });
  const output = block.answers.map((labels) => labels.join(", ")).join("\n");
  completeTool(draft, callID, { output, block });
}

function inputOf(draft: ClaudeDraft, callID: string): Record<string, unknown> {
  return draft.transcript.tools[callID]?.state.input ?? {};
}

function titleOf(draft: ClaudeDraft, callID: string): string {
  const part = draft.transcript.tools[callID];
  return (part && part.state.status !== "pending" && part.state.title) || (part?.tool ?? "question");
}
