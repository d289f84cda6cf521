import { z } from "zod";
import type { QuestionBlock } from "../../../schemas/index.js";
import { isRecord } from "../../shared/is-record.js";
import { resolveBlock } from "../../shared/resolve-block.js";
import { completeTool, runTool } from "../../shared/tool-call.js";
import { nextId } from "../../shared/transcript.js";
import { placeOfItsOwn } from "../asks.js";
import { SECRET } from "../replies.js";
import type { ReaderDraft } from "./state.js";

const text = z.string();
const Asked = z.looseObject({
  questions: z.array(
    z.looseObject({
      id: text,
      header: text.nullish(),
      question: text,
      isSecret: z.boolean().nullish(),
      is_secret: z.boolean().nullish(),
      options: z.array(z.looseObject({ label: text, description: text.nullish() })).nullish(),
    }),
  ),
});
type Asked = z.infer<typeof Asked>;

/** Questions that a person answered; false for what was not asked or got no answer. */
export function answerQuestions(draft: ReaderDraft, callID: string, input: unknown, output: string): boolean {
  const asked = Asked.safeParse(input).data;
  const given = answersIn(output);
  if (!asked || !given) return false;
  const questions = asked.questions.map(questionOf);
  const native = { tool: "request_user_input", itemID: callID };
  const place = placeOfItsOwn(draft, callID, { tool: "question", input: { questions }, title: "question", native });
  runTool(draft, place.callID, { questions }, "question");
  const block: QuestionBlock = { type: "question", id: nextId(draft, "que"), questions };
  const answers = asked.questions.map((question) => shownAnswer(question, given[question.id]));
  const resolved = resolveBlock(draft, block, { decision: "once", decidedBy: "user", answers });
  completeTool(draft, place.callID, {
    output: answers.map((labels) => labels.join(", ")).join("\n"),
    block: resolved,
  });
  return true;
}

/** The CLI offers a free answer to every question. */
function questionOf({ question, header, options }: Asked["questions"][number]) {
  const offered = options ?? [];
  return {
    question,
    header: header ?? "",
    options: offered.map(({ label, description }) => ({ label, description: description ?? "" })),
    custom: true,
  };
}

function answersIn(output: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(output);
    return isRecord(value) && isRecord(value.answers) ? value.answers : undefined;
  } catch {
    return undefined;
  }
}

/** The rollout holds a secret answer too; it is not taken from there. */
function shownAnswer(question: Asked["questions"][number], answer: unknown): string[] {
  const labels = isRecord(answer) && Array.isArray(answer.answers) ? answer.answers.map(String) : [];
  return question.isSecret || question.is_secret ? labels.map(() => SECRET) : labels;
}
