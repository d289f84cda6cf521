import type { Block, BlockOption, PermissionBlock } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import { relativePath } from "../shared/relative-path.js";
import { nextId } from "../shared/transcript.js";
import { askOfToken, openAsk, placeOfItsOwn } from "./asks.js";
import { NOT_CALLED, onToolCall } from "./client-tools.js";
import type { RequestFrame, RequestParams } from "./frame.js";
import { askQuestions, onElicitation } from "./questions.js";
import { sendAnswer } from "./rpc.js";
import { type CodexDraft, threadKey } from "./state.js";
import { placeOf } from "./tool-parts.js";
import { commandView, stdinView, type ToolView } from "./tools.js";
import { joinTurn } from "./turn-state.js";

/** What is answered where nobody can be asked any more, because the turn is over. */
const DENIALS: Partial<Record<RequestFrame["method"], unknown>> = {
  "item/commandExecution/requestApproval": { decision: "decline" },
  "item/fileChange/requestApproval": { decision: "decline" },
  "item/permissions/requestApproval": { permissions: {}, scope: "turn" },
  "item/tool/requestUserInput": { answers: {} },
  "mcpServer/elicitation/request": { action: "decline", content: null, _meta: null },
  "item/tool/call": NOT_CALLED,
};

/** Requests of the app-server. Whatever it asks gets an answer: it waits without a limit. */
export function onRequest(draft: CodexDraft, frame: RequestFrame): void {
  if (askOfToken(draft, frame.token)) return;
  const turnID = "turnId" in frame.params ? (frame.params.turnId as string | null | undefined) : undefined;
  if (turnID != null && !joinTurn(draft, turnID)) return sendAnswer(draft, frame.token, DENIALS[frame.method] ?? {});
  switch (frame.method) {
    case "item/commandExecution/requestApproval":
      return onCommandApproval(draft, frame.token, frame.params);
    case "item/fileChange/requestApproval":
      return onFileApproval(draft, frame.token, frame.params);
    case "item/permissions/requestApproval":
      return onPermissionsApproval(draft, frame.token, frame.params);
    case "item/tool/requestUserInput":
      return askQuestions(draft, frame.token, frame.params);
    case "mcpServer/elicitation/request":
      return onElicitation(draft, frame.token, frame.params);
    case "item/tool/call":
      return onToolCall(draft, frame.token, frame.params);
  }
}

/**
 * `approvalId` is set where something is asked for within a command, such as input to one that runs: that is decided by
 * itself, and the command goes on in either case.
 */
function onCommandApproval(
  draft: CodexDraft,
  token: string,
  params: RequestParams<"item/commandExecution/requestApproval">,
): void {
  const { directory } = draft.transcript.session;
  const isInput = params.kind === "writeStdin";
  const { command = "", approvalId } = params;
  const native = { tool: "commandExecution", itemID: params.itemId, ...(params.kind && { kind: params.kind }) };
  const shown = isInput ? stdinView(command ?? "") : commandView(command ?? "", params.cwd ?? directory, directory);
  const view = { ...shown, native };
  const place = approvalId == null ? placeOf(draft, params.itemId, view) : placeOfItsOwn(draft, approvalId, view);
  const host = params.networkApprovalContext?.host;
  const subject = host ?? subjectOf(view);
  const offered = offeredAmendments(params.availableDecisions ?? []);
  const block: PermissionBlock = {
    type: "permission",
    id: nextId(draft, "per"),
    permission: host == null ? "bash" : "network",
    ...(offered.length > 0 && { options: offered.map(({ answer: _, ...option }) => option) }),
    patterns: [subject],
    // "For the session" covers this command word by word, and is not offered for input.
    always: isInput ? [] : [subject],
    metadata: {
      ...(params.reason && { reason: params.reason }),
      ...(params.kind && params.kind !== "command" && { kind: params.kind }),
    },
  };
  const options = Object.fromEntries(offered.map(({ optionID, answer }) => [optionID, answer]));
  const base = { token, blockID: block.id, threadID: threadKey(draft), ...place };
  openAsk(draft, { kind: "command", options, ...base }, view, block);
}

/** A rule that allows a command is none for what is typed into another. */
function subjectOf({ input }: ToolView): string {
  return "stdin" in input ? `write_stdin ${input.stdin}` : String(input.command);
}

/**
 * Besides yes and no the app-server offers to write a rule: for all commands with these first words, or for a host. It is
 * permanent and holds for every session of the user, so it is an option of its own and never what `always` means.
 */
function offeredAmendments(decisions: readonly unknown[]): (BlockOption & { answer: unknown })[] {
  return decisions.filter(isRecord).flatMap((answer) => {
    const [name, content] = Object.entries(answer)[0] ?? [];
    const words = isRecord(content) ? (content.execpolicy_amendment ?? content.network_policy_amendment) : undefined;
    if (name === undefined || words === undefined) return [];
    const what = Array.isArray(words) ? describeRule(words.map(String)) : JSON.stringify(words);
    return [{ optionID: name, label: `Allow from now on, everywhere: ${what}`, decision: "once" as const, answer }];
  });
}

/** A rule for a whole script names the shell that runs it. */
function describeRule(words: readonly string[]): string {
  const [, flag, script] = words;
  return words.length === 3 && flag === "-lc" ? (script ?? "") : words.join(" ");
}

/** The request holds no diff: it is on the item, which has started before. */
function onFileApproval(
  draft: CodexDraft,
  token: string,
  params: RequestParams<"item/fileChange/requestApproval">,
): void {
  const native = { tool: "fileChange", itemID: params.itemId };
  const view = { tool: "edit", input: { files: [] }, title: "edit", native };
  const { callID, synthetic } = placeOf(draft, params.itemId, view);
  const state = draft.transcript.tools[callID]?.state;
  const metadata = state && "metadata" in state ? (state.metadata ?? {}) : {};
  const patterns = filesOf(state?.input);
  const block: PermissionBlock = {
    type: "permission",
    id: nextId(draft, "per"),
    permission: "edit",
    patterns: patterns.length > 0 ? patterns : ["*"],
    always: patterns,
    metadata: {
      ...(typeof state?.input.filePath === "string" && { filepath: state.input.filePath }),
      ...metadata,
      ...(params.reason && { reason: params.reason }),
      ...(params.grantRoot && { grantRoot: params.grantRoot }),
    },
  };
  openAsk(
    draft,
    { kind: "fileChange", token, blockID: block.id, threadID: threadKey(draft), callID, synthetic },
    view,
    block,
  );
}

function filesOf(input: Record<string, unknown> | undefined): string[] {
  const files = Array.isArray(input?.files) ? input.files.filter(isRecord) : [];
  return files.map(({ path }) => String(path));
}

/** The model asks for more rights, with no tool and no item. */
function onPermissionsApproval(
  draft: CodexDraft,
  token: string,
  params: RequestParams<"item/permissions/requestApproval">,
): void {
  const { directory } = draft.transcript.session;
  const patterns = describePermissions(params.permissions, directory);
  const input = { permissions: params.permissions, ...(params.reason && { reason: params.reason }) };
  const native = { tool: "request_permissions", itemID: params.itemId };
  const view = { tool: "permissions", input, title: `permissions ${patterns.join(", ")}`, native };
  const place = placeOfItsOwn(draft, params.itemId, view);
  const block: Block = {
    type: "permission",
    id: nextId(draft, "per"),
    permission: "permissions",
    patterns,
    always: patterns,
    metadata: params.reason ? { reason: params.reason } : {},
  };
  const { permissions } = params;
  openAsk(
    draft,
    { kind: "permissions", permissions, token, blockID: block.id, threadID: threadKey(draft), ...place },
    view,
    block,
  );
}

export function describePermissions(permissions: Record<string, unknown>, directory: string): string[] {
  const { network, fileSystem } = permissions;
  const paths = (kind: "read" | "write") => {
    const list = isRecord(fileSystem) && Array.isArray(fileSystem[kind]) ? fileSystem[kind] : [];
    return list.map((path) => `${kind} ${relativePath(String(path), directory)}`);
  };
  const told = [
    ...(isRecord(network) && network.enabled === true ? ["network"] : []),
    ...paths("read"),
    ...paths("write"),
  ];
  return told.length > 0 ? told : ["*"];
}
