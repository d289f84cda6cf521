import type {
  BlockOption,
  Decision,
  PermissionBlock,
  QuestionBlock,
  QuestionInfo,
  ResolvedBlock,
  ResolvedPermissionBlock,
} from "../../schemas/index.js";
import type { Command } from "../contract.js";
import { diffFile } from "../shared/file-diff.js";
import { isRecord } from "../shared/is-record.js";
import { relativePath } from "../shared/relative-path.js";
import { rememberAlways, resolveBlock } from "../shared/resolve-block.js";
import { blockTool, failTool, unblockTool } from "../shared/tool-call.js";
import { nextId } from "../shared/transcript.js";
import { openUnseenTool } from "./api-message.js";
import { answerCall, onMcpMessage } from "./client-tools.js";
import { sendAnswer, sendRefusal } from "./control.js";
import { refusesLeft } from "./deferral.js";
import { answerElicitation, onElicitation, resolveUnanswered } from "./elicitation.js";
import { CanUseTool, type ControlRequestFrame, type PermissionUpdate } from "./frame.js";
import { ensureTurn } from "./model.js";
import { type Ask, type ClaudeDraft, inThread, threadOf } from "./state.js";
import { subagentOf } from "./subagents.js";
import { canonicalTool, patternsOf, titleOf } from "./tools.js";
import { expectEnd } from "./turn.js";

/** A larger file is shown without a diff. */
const MAX_DIFF_BYTES = 1024 * 1024;
const REJECTED = "The user rejected this tool call";
type ReplyCommand = Extract<Command, { type: "reply" }>;

/** Requests of the CLI. Whatever it asks gets an answer: it waits without a limit. */
export function onControlRequest(draft: ClaudeDraft, frame: ControlRequestFrame): void {
  const { request_id: requestID, request } = frame;
  if (request.subtype === "hook_callback") return sendAnswer(draft, requestID, {});
  if (request.subtype === "elicitation") return onElicitation(draft, frame);
  if (request.subtype === "mcp_message") return onMcpMessage(draft, frame);
  if (request.subtype !== "can_use_tool") {
    return sendRefusal(draft, requestID, `agentwire does not answer ${request.subtype} requests`);
  }
  const parsed = CanUseTool.safeParse(request);
  if (!parsed.success) return sendRefusal(draft, requestID, "malformed can_use_tool request");
  onAsk(draft, requestID, parsed.data);
}

function onAsk(step: ClaudeDraft, requestID: string, request: CanUseTool): void {
  const taskID = request.agent_id ?? null;
  if (taskID === null && refusesLeft(step, requestID, request.tool_use_id)) return;
  const draft = taskID === null ? step : inThread(step, subagentOf(step, { agent_id: taskID }));
  ensureTurn(draft);
  if (draft.state.deferral?.callID === request.tool_use_id) draft.state.deferral.asked = true;
  dropEarlierAsk(draft, request.tool_use_id);
  openUnseenTool(draft, request.tool_use_id, request.tool_name);
  const ask: Ask = {
    requestID,
    blockID: nextId(draft, request.tool_name === "AskUserQuestion" ? "que" : "per"),
    taskID,
    callID: request.tool_use_id,
    toolName: request.tool_name,
    input: request.input,
    suggestions: offeredSuggestions(request),
    ...(request.blocked_path != null && { blockedPath: request.blocked_path }),
    ...(request.decision_reason != null && { reason: request.decision_reason }),
  };
  const path = editedPath(ask);
  if (path === undefined) return block(draft, ask, {});
  // The CLI sends no diff. The tool is blocked once the old text is here, a local read away.
  draft.state.reads[ask.blockID] = ask;
  draft.outputs.push({ kind: "read", token: ask.blockID, path, maxBytes: MAX_DIFF_BYTES });
}

/** A newer ask for the same call takes the place of one that is open or was taken back. */
function dropEarlierAsk(draft: ClaudeDraft, callID: string): void {
  const earlier = openAsks(draft).find((ask) => ask.callID === callID);
  if (earlier) onAskWithdrawn(draft, earlier.requestID);
  delete draft.state.withdrawn[callID];
}

export function openAsks(draft: ClaudeDraft): Ask[] {
  return [...Object.values(draft.state.asks), ...Object.values(draft.state.reads)];
}

/**
 * The suggestions that an "always" sends back. The CLI offers more than was asked: with one `touch` it would accept all
 * edits from then on. Only what has patterns of its own, which the user sees before deciding, goes back.
 */
function offeredSuggestions(request: CanUseTool): PermissionUpdate[] {
  if (request.suppress_always_allow_rule || request.requires_user_interaction) return [];
  const suggestions = request.permission_suggestions ?? [];
  return suggestions.filter((suggestion) => patternsOfSuggestion(suggestion, request.tool_name).length > 0);
}

function editedPath(ask: Ask): string | undefined {
  const path = ask.input.file_path;
  return (ask.toolName === "Write" || ask.toolName === "Edit") && typeof path === "string" ? path : undefined;
}

export function onFile(step: ClaudeDraft, token: string, text: string | null): void {
  const ask = step.state.reads[token];
  if (!ask) return;
  delete step.state.reads[token];
  const draft = inThread(step, threadOf(step, ask.taskID));
  block(draft, ask, diffMetadata(draft, ask, text));
}

function diffMetadata(draft: ClaudeDraft, ask: Ask, before: string | null): Record<string, unknown> {
  const path = String(ask.input.file_path);
  const file = relativePath(path, draft.transcript.session.directory);
  const after = ask.toolName === "Write" ? String(ask.input.content ?? "") : edited(before, ask.input);
  const { old_string: oldText } = ask.input;
  // Without the old text an edit still shows what it replaces; one that replaces nothing makes the file.
  const from = ask.toolName === "Write" || before !== null ? before : String(oldText ?? "") || null;
  const diff = diffFile(file, from, after);
  const entry = {
    relativePath: file,
    type: diff.status === "added" ? "add" : "update",
    patch: diff.patch,
    additions: diff.additions,
    deletions: diff.deletions,
  };
  return { filepath: path, diff: diff.patch, files: [entry] };
}

function edited(before: string | null, input: Record<string, unknown>): string {
  const oldText = String(input.old_string ?? "");
  const newText = String(input.new_string ?? "");
  if (before === null || oldText === "") return newText;
  return input.replace_all ? before.split(oldText).join(newText) : before.replace(oldText, () => newText);
}

function block(draft: ClaudeDraft, ask: Ask, details: Record<string, unknown>): void {
  const { directory } = draft.transcript.session;
  const title = titleOf(ask.toolName, ask.input, directory);
  const asked = ask.toolName === "AskUserQuestion" ? questionBlock(ask) : permissionBlock(ask, directory, details);
  draft.state.asks[ask.blockID] = ask;
  blockTool(draft, ask.callID, ask.input, title, asked);
}

/** Approving a plan also chooses the mode to go on in; its native name is the option's id. */
const PLAN_OPTIONS: BlockOption[] = [
  { optionID: "acceptEdits", label: "Approve the plan and run its edits unasked", decision: "once" },
  { optionID: "default", label: "Approve the plan and ask before each edit", decision: "once" },
  { optionID: "plan", label: "Keep planning", decision: "reject" },
];

function permissionBlock(ask: Ask, directory: string, details: Record<string, unknown>): PermissionBlock {
  return {
    type: "permission",
    id: ask.blockID,
    permission: canonicalTool(ask.toolName).permission,
    patterns: patternsOf(ask.toolName, ask.input, directory),
    always: alwaysPatterns(ask),
    ...(ask.toolName === "ExitPlanMode" && { options: PLAN_OPTIONS }),
    metadata: {
      ...(ask.toolName === "ExitPlanMode" && { plan: ask.input.plan, filepath: ask.input.planFilePath }),
      ...details,
      ...(ask.reason !== undefined && { reason: ask.reason }),
      ...(ask.blockedPath !== undefined && { blockedPath: ask.blockedPath }),
    },
  };
}

/** What the CLI would allow from now on, as patterns. Nothing when it offers nothing: then there is no "always". */
function alwaysPatterns(ask: Ask): string[] {
  return [...new Set(ask.suggestions.flatMap((suggestion) => patternsOfSuggestion(suggestion, ask.toolName)))];
}

function patternsOfSuggestion(suggestion: PermissionUpdate, toolName: string): string[] {
  if (suggestion.type === "addRules" && suggestion.behavior === "allow") {
    return (suggestion.rules ?? [])
      .filter((rule) => rule.toolName === toolName)
      .map((rule) => patternOfRule(rule, toolName));
  }
  const edits = canonicalTool(toolName).permission === "edit";
  if (suggestion.type === "setMode" && suggestion.mode === "acceptEdits" && edits) return ["**"];
  if (suggestion.type === "addDirectories" && edits)
    return (suggestion.directories ?? []).map((directory) => `${directory}/**`);
  return [];
}

/** `//abs` is the CLI's way to write an absolute path; an MCP rule names only the tool. */
function patternOfRule(rule: { toolName: string; ruleContent?: string | undefined }, toolName: string): string {
  if (rule.ruleContent === undefined) return patternsOf(toolName, {}, "")[0] ?? "*";
  return rule.ruleContent.startsWith("//") ? rule.ruleContent.slice(1) : rule.ruleContent;
}

function questionBlock(ask: Ask): QuestionBlock {
  const questions = Array.isArray(ask.input.questions) ? ask.input.questions : [];
  return { type: "question", id: ask.blockID, questions: questions.map(questionOf) };
}

function questionOf(value: unknown): QuestionInfo {
  const { question, header, options, multiSelect } = isRecord(value) ? value : {};
  const list = Array.isArray(options) ? options.filter(isRecord) : [];
  return {
    question: String(question ?? ""),
    header: String(header ?? ""),
    options: list.map((option) => ({
      label: String(option.label ?? ""),
      description: String(option.description ?? ""),
    })),
    ...(multiSelect === true && { multiple: true }),
  };
}

export function onReply(step: ClaudeDraft, command: ReplyCommand): void {
  const ask = step.state.asks[command.blockID];
  if (!ask) return;
  const draft = inThread(step, threadOf(step, ask.taskID));
  const state = draft.transcript.tools[ask.callID]?.state;
  if (state?.status !== "blocked") return;
  delete draft.state.asks[command.blockID];
  if (state.block.type === "call") return answerCall(draft, ask, state.block, command);
  const resolved = resolveBlock(draft, state.block, { ...command, decision: decisionOf(command, state.block) });
  const rejected =
    resolved.type === "permission"
      ? resolved.decision === "reject"
      : "rejected" in resolved && resolved.rejected === true;
  if (ask.form && resolved.type === "question") return answerElicitation(draft, ask, resolved);
  if (rejected) reject(draft, ask, command, resolved);
  else allow(draft, ask, resolved);
}

/** `always` where nothing is offered would promise what the agent does not keep. */
function decisionOf(command: ReplyCommand, asked: PermissionBlock | QuestionBlock): Decision {
  if (asked.type === "question") return command.answers ? "once" : "reject";
  const option = asked.options?.find(({ optionID }) => optionID === command.optionID);
  const decision = option?.decision ?? command.decision ?? "reject";
  return decision === "always" && asked.always.length === 0 ? "once" : decision;
}

function reject(draft: ClaudeDraft, ask: Ask, command: ReplyCommand, resolved: ResolvedBlock): void {
  const message = command.message || REJECTED;
  failTool(draft, ask.callID, { error: message, block: resolved });
  sendAnswer(draft, ask.requestID, {
    behavior: "deny",
    message,
    interrupt: command.interrupt === true,
    decisionClassification: "user_reject",
  });
  if (command.interrupt) expectEnd(draft);
}

function allow(draft: ClaudeDraft, ask: Ask, resolved: ResolvedBlock): void {
  const always = resolved.type === "permission" && resolved.decision === "always";
  const updatedInput = resolved.type === "question" ? { ...ask.input, answers: answersOf(resolved) } : ask.input;
  unblockTool(draft, ask.callID, resolved);
  if (resolved.type === "permission" && always) rememberInSession(draft, resolved);
  sendAnswer(draft, ask.requestID, {
    behavior: "allow",
    updatedInput,
    ...updatesOf(ask, resolved),
    decisionClassification: always ? "user_permanent" : "user_temporary",
  });
}

/** The CLI keeps a rule for all of its session, also one that a subagent's ask was answered with. */
function rememberInSession(draft: ClaudeDraft, resolved: ResolvedPermissionBlock): void {
  rememberAlways(draft, resolved);
  if (draft.thread !== draft.main) rememberAlways(inThread(draft, draft.main), resolved);
}

/** What the CLI shall allow from now on. A plan that is approved without an option goes on asking before edits. */
function updatesOf(ask: Ask, resolved: ResolvedBlock): { updatedPermissions?: PermissionUpdate[] } {
  if (resolved.type !== "permission") return {};
  const mode = resolved.optionID ?? "default";
  if (ask.toolName === "ExitPlanMode")
    return { updatedPermissions: [{ type: "setMode", mode, destination: "session" }] };
  return resolved.decision === "always" ? { updatedPermissions: ask.suggestions } : {};
}

/** Answers are keyed by the question's text; several labels are joined by commas. */
function answersOf(block: Extract<ResolvedBlock, { type: "question" }>): Record<string, string> {
  return Object.fromEntries(block.questions.map(({ question }, i) => [question, (block.answers[i] ?? []).join(", ")]));
}

/** The CLI took an ask back: a hook answered it, or the turn is being interrupted. The tool's result tells which. */
export function onAskWithdrawn(step: ClaudeDraft, requestID: string): void {
  const ask = openAsks(step).find((open) => open.requestID === requestID);
  if (!ask) return;
  const draft = inThread(step, threadOf(step, ask.taskID));
  const state = draft.transcript.tools[ask.callID]?.state;
  delete draft.state.asks[ask.blockID];
  delete draft.state.reads[ask.blockID];
  if (state?.status !== "blocked") return;
  if (ask.form || ask.rpcID !== undefined) return resolveUnanswered(draft, ask);
  draft.state.withdrawn[ask.callID] = { block: state.block, taskID: ask.taskID };
  unblockTool(draft, ask.callID, undefined);
}
