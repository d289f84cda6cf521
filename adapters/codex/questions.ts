import type { Block, PermissionBlock, QuestionBlock, QuestionInfo } from "../../schemas/index.js";
import { readForm } from "../shared/elicitation-form.js";
import { isRecord } from "../shared/is-record.js";
import { nextId } from "../shared/transcript.js";
import { type AskPlace, openAsk, placeOfItsOwn } from "./asks.js";
import type { RequestParams } from "./frame.js";
import { type CodexDraft, threadKey } from "./state.js";

type Elicitation = RequestParams<"mcpServer/elicitation/request">;

/** Questions of the model. There is no item for them: the part begins and ends with the ask. */
export function askQuestions(
  draft: CodexDraft,
  token: string,
  params: RequestParams<"item/tool/requestUserInput">,
): void {
  const questions = params.questions.map(
    (question): QuestionInfo => ({
      question: question.question,
      header: question.header ?? "",
      options: (question.options ?? []).map(({ label, description }) => ({ label, description: description ?? "" })),
      custom: question.isOther === true || !question.options?.length,
    }),
  );
  const secret = params.questions.map(({ isSecret }) => isSecret === true);
  const native = { tool: "request_user_input", itemID: params.itemId };
  const view = { tool: "question", input: { questions }, title: "question", native };
  const place = placeOfItsOwn(draft, params.itemId, view);
  const block = questionBlock(draft, questions, secret.includes(true) ? { secret } : undefined);
  const ids = params.questions.map(({ id }) => id);
  const ask = {
    kind: "questions" as const,
    ids,
    secret,
    token,
    blockID: block.id,
    threadID: threadKey(draft),
    ...place,
  };
  openAsk(draft, ask, view, block);
}

/**
 * What an MCP server asks. With `codex_approval_kind` it is the app-server itself that asks whether a tool may run, and no
 * server's form.
 */
export function onElicitation(draft: CodexDraft, token: string, params: Elicitation): void {
  if (isRecord(params._meta) && params._meta.codex_approval_kind === "mcp_tool_call") {
    return askForMcpTool(draft, token, params, params._meta);
  }
  const place = placeInServer(draft, params);
  if (params.mode === "url") return askForUrl(draft, token, params, place);
  const { fields, questions } = readForm(params.requestedSchema, params.message ?? "");
  const block = questionBlock(draft, questions.length > 0 ? questions : [confirmation(params)], {
    server: params.serverName,
    message: params.message ?? "",
  });
  const base = { token, blockID: block.id, threadID: threadKey(draft), ...place };
  openAsk(draft, { kind: "form", fields, ...base }, elicitationView(params), block);
}

function askForUrl(draft: CodexDraft, token: string, params: Elicitation, place: AskPlace): void {
  const url = params.url ?? "";
  const block = questionBlock(draft, [confirmation(params)], { server: params.serverName, url });
  const base = { token, blockID: block.id, threadID: threadKey(draft), ...place };
  openAsk(draft, { kind: "url", ...base }, elicitationView(params), block);
}

function confirmation(params: Elicitation): QuestionInfo {
  return {
    question: params.message ?? "",
    header: params.serverName,
    options: [{ label: "Done", description: params.url ?? "" }],
    custom: false,
  };
}

function questionBlock(
  draft: CodexDraft,
  questions: QuestionInfo[],
  metadata?: Record<string, unknown>,
): QuestionBlock {
  return { type: "question", id: nextId(draft, "que"), questions, ...(metadata && { metadata }) };
}

function elicitationView(params: Elicitation) {
  const input = { server: params.serverName, message: params.message ?? "" };
  const native = { tool: "elicitation", server: params.serverName };
  return { tool: "question", input, title: `question ${params.serverName}`, native };
}

/** The request names the server and no call: the oldest call of that server that runs and does not wait is meant. */
function placeInServer(draft: CodexDraft, params: Elicitation): AskPlace {
  const call = Object.values(draft.transcript.tools).find(
    (part) => part.state.status === "running" && serverOf(part.metadata) === params.serverName,
  );
  if (call) return { callID: call.callID, synthetic: false };
  return placeOfItsOwn(draft, "elicitation", elicitationView(params));
}

function serverOf(metadata: Record<string, unknown> | undefined): unknown {
  return isRecord(metadata?.native) ? metadata.native.server : undefined;
}

function askForMcpTool(draft: CodexDraft, token: string, params: Elicitation, meta: Record<string, unknown>): void {
  const { serverName: server } = params;
  const name = String(meta.tool_name ?? "");
  const input = isRecord(meta.tool_params) ? meta.tool_params : {};
  const native = { tool: "mcpToolCall", server, name };
  const view = { tool: "mcp", input, title: `${server}: ${name}`, native };
  const callID = findMcpCall(draft, server, name, input);
  const place = callID === undefined ? placeOfItsOwn(draft, `${server}.${name}`, view) : { callID, synthetic: false };
  const persist = Array.isArray(meta.persist) && meta.persist.includes("session") ? "session" : null;
  const pattern = `${server}/${name}`;
  const block: PermissionBlock = {
    type: "permission",
    id: nextId(draft, "per"),
    permission: "mcp",
    patterns: [pattern],
    always: persist === null ? [] : [pattern],
    metadata: {
      ...(params.message && { reason: params.message }),
      ...(isRecord(meta.tool_annotations) && { annotations: meta.tool_annotations }),
    },
  };
  const base = { token, blockID: block.id, threadID: threadKey(draft), ...place };
  openAsk(draft, { kind: "mcpTool", persist, ...base }, view, block satisfies Block);
}

/** Two calls of one tool at once are told apart by their input alone; of equal ones the older asks first. */
function findMcpCall(
  draft: CodexDraft,
  server: string,
  name: string,
  input: Record<string, unknown>,
): string | undefined {
  const wanted = canonical(input);
  return Object.values(draft.transcript.tools).find(({ state, metadata }) => {
    const native = isRecord(metadata?.native) ? metadata.native : {};
    const isMeant = native.server === server && native.name === name && state.status === "running";
    return isMeant && canonical(state.input) === wanted;
  })?.callID;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) =>
    isRecord(child) ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1))) : child,
  );
}
