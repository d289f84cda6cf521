import { z } from "zod";
import type { PermissionBlock, QuestionBlock, QuestionInfo } from "../../../schemas/index.js";
import { isRecord } from "../../shared/is-record.js";
import { resolveBlock } from "../../shared/resolve-block.js";
import { completeTool, failTool } from "../../shared/tool-call.js";
import { nextId } from "../../shared/transcript.js";
import { describePermissions } from "../approvals.js";
import { camelCase } from "../camel-case.js";
import { SECRET } from "../replies.js";
import { DECLINED } from "../tool-results.js";
import type { ToolView } from "../tools.js";
import type { ReaderDraft } from "./state.js";

/** What the model asks of its user by a call: here, other than with approvals, the rollout holds the answers. */

type Input = Record<string, unknown>;

const text = z.string();
const Question = z.looseObject({
  id: text,
  header: text.nullish(),
  question: text,
  isSecret: z.boolean().nullish(),
  is_secret: z.boolean().nullish(),
  options: z.array(z.looseObject({ label: text, description: text.nullish() })).nullish(),
});
type Question = z.infer<typeof Question>;

function questionsIn(input: Input | undefined): Question[] | undefined {
  return z.array(Question).safeParse(input?.questions).data;
}

export function questionsView(input: Input | undefined, itemID: string): ToolView | undefined {
  const asked = questionsIn(input);
  const native = { tool: "request_user_input", itemID };
  return asked && { tool: "question", input: { questions: asked.map(infoOf) }, title: "question", native };
}

/** The CLI offers a free answer to every question. */
function infoOf({ question, header, options }: Question): QuestionInfo {
  const offered = (options ?? []).map(({ label, description }) => ({ label, description: description ?? "" }));
  return { question, header: header ?? "", options: offered, custom: true };
}

export function endQuestions(draft: ReaderDraft, callID: string, input: Input | undefined, answer: Input): void {
  const asked = questionsIn(input) ?? [];
  const given = isRecord(answer.answers) ? answer.answers : {};
  const answers = asked.map((question) => shownAnswer(question, given[question.id]));
  if (answers.every((labels) => labels.length === 0)) return failTool(draft, callID, { error: DECLINED });
  const block: QuestionBlock = { type: "question", id: nextId(draft, "que"), questions: asked.map(infoOf) };
  const resolved = resolveBlock(draft, block, { decision: "once", decidedBy: "user", answers });
  completeTool(draft, callID, { output: answers.map((labels) => labels.join(", ")).join("\n"), block: resolved });
}

/** The rollout holds a secret answer too; it is not taken from there. */
function shownAnswer(question: Question, answer: unknown): string[] {
  const labels = isRecord(answer) && Array.isArray(answer.answers) ? answer.answers.map(String) : [];
  return question.isSecret || question.is_secret ? labels.map(() => SECRET) : labels;
}

function permissionsIn(input: Input | undefined): Input {
  const asked = isRecord(input?.permissions) ? input.permissions : {};
  const named = Object.entries(asked).map(([name, value]) => [camelCase(name), value]);
  return { network: null, fileSystem: null, ...Object.fromEntries(named) };
}

export function permissionsView(input: Input | undefined, itemID: string, directory: string): ToolView {
  const permissions = permissionsIn(input);
  const patterns = describePermissions(permissions, directory);
  return {
    tool: "permissions",
    input: { permissions, ...(typeof input?.reason === "string" && { reason: input.reason }) },
    title: `permissions ${patterns.join(", ")}`,
    native: { tool: "request_permissions", itemID },
  };
}

/** To be granted nothing is to be denied. */
export function endPermissions(draft: ReaderDraft, callID: string, input: Input | undefined, answer: Input): void {
  const granted = Object.values(isRecord(answer.permissions) ? answer.permissions : {}).some((value) => value != null);
  const decision = !granted ? "reject" : answer.scope === "session" ? "always" : "once";
  const patterns = describePermissions(permissionsIn(input), draft.transcript.session.directory);
  const metadata = typeof input?.reason === "string" ? { reason: input.reason } : {};
  const asked = { permission: "permissions", patterns, always: patterns, metadata };
  const block: PermissionBlock = { type: "permission", id: nextId(draft, "per"), ...asked };
  const resolved = resolveBlock(draft, block, { decision, decidedBy: "user" });
  if (granted) completeTool(draft, callID, { output: "", block: resolved });
  else failTool(draft, callID, { error: DECLINED, block: resolved });
}
