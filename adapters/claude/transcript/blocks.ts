import type { Decision, PermissionBlock, QuestionBlock, ResolvedBlock, ToolPart } from "../../../schemas/index.js";
import { isRecord } from "../../shared/is-record.js";
import { resolveBlock } from "../../shared/resolve-block.js";
import { nextId } from "../../shared/transcript.js";
import { canonicalTool, patternsOf } from "../tools.js";
import type { PermissionVerdict } from "./entry.js";
import type { NativeResult, ReaderDraft } from "./state.js";

/**
 * The decision of a person, as the result tells it. What a rule, a mode or a hook decided was never asked, and what an
 * "always" added is not written down.
 */
export function verdictOf(
  draft: ReaderDraft,
  part: ToolPart,
  result: NativeResult,
  output: string,
): ResolvedBlock | undefined {
  const { verdict } = result;
  if (!verdict?.source?.startsWith("user")) return undefined;
  const rejected = verdict.decision !== "accept";
  // An approved plan sets the mode of the session, and no rule.
  const decision = rejected ? "reject" : part.tool === "plan" ? "once" : grantOf(verdict);
  if (part.tool === "question") {
    const block = questionBlock(draft, part);
    return resolveBlock(draft, block, {
      decision,
      decidedBy: "user",
      answers: rejected ? [] : answersIn(block, result.structured),
    });
  }
  const message = rejected ? { message: output } : {};
  return resolveBlock(draft, permissionBlock(draft, part), { decision, decidedBy: "user", ...message });
}

/**
 * The scope is named for a grant that holds once or for the session, and left out for one that went to a settings file.
 * Versions that name no scope at all give no code of the reason either.
 */
function grantOf({ source, grantScope, reasonCode }: PermissionVerdict): Decision {
  const saved = grantScope == null && reasonCode != null;
  return source === "user_permanent" || grantScope === "session" || saved ? "always" : "once";
}

function permissionBlock(draft: ReaderDraft, part: ToolPart): PermissionBlock {
  const native = isRecord(part.metadata?.native) ? part.metadata.native : {};
  const name = String(native.tool);
  const { directory } = draft.transcript.session;
  return {
    type: "permission",
    id: nextId(draft, "per"),
    permission: canonicalTool(name).permission,
    patterns: patternsOf(name, part.state.input, directory),
    always: [],
    metadata: {},
  };
}

function questionBlock(draft: ReaderDraft, part: ToolPart): QuestionBlock {
  const asked = Array.isArray(part.state.input.questions) ? part.state.input.questions.filter(isRecord) : [];
  return { type: "question", id: nextId(draft, "que"), questions: asked.map(questionOf) };
}

function questionOf({ question, header, options, multiSelect }: Record<string, unknown>) {
  const offered = Array.isArray(options) ? options.filter(isRecord) : [];
  return {
    question: String(question ?? ""),
    header: String(header ?? ""),
    options: offered.map(({ label, description }) => ({
      label: String(label ?? ""),
      description: String(description ?? ""),
    })),
    ...(multiSelect === true && { multiple: true }),
  };
}

/** Answers are keyed by the question's text, and several labels are joined by commas, which a label may hold too. */
function answersIn(block: QuestionBlock, structured: unknown): string[][] {
  const given = isRecord(structured) && isRecord(structured.answers) ? structured.answers : {};
  return block.questions.map(({ question, options, multiple }) => {
    const answer = given[question];
    if (typeof answer !== "string" || answer === "") return [];
    const labels = new Set(options.map(({ label }) => label));
    const several = answer.split(", ");
    return multiple && several.every((label) => labels.has(label)) ? several : [answer];
  });
}
