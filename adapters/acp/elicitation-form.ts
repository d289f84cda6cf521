import type { QuestionInfo } from "../../schemas/index.js";
import { type ElicitationField as Field, fillForm, readForm } from "../shared/elicitation-form.js";

/** A field of a form, with the field beside it that takes what is none of its choices. */
export interface ElicitationField extends Field {
  beside?: string;
}

/** How agents name the field for a person's own words about another field. */
const BESIDE = /_(?:custom|note|notes|other)$/;

/** A form as questions: one for each field, and none for a field that only takes the free text of another. */
export function readQuestions(
  schema: unknown,
  message: string,
): { fields: ElicitationField[]; questions: QuestionInfo[] } {
  const form = readForm(schema, message);
  const names = new Set(form.fields.map(({ name }) => name));
  const ownerOf = (name: string) => (BESIDE.test(name) ? name.replace(BESIDE, "") : "");
  const kept = form.fields.flatMap((field, i) => {
    const question = form.questions[i];
    if (!question || names.has(ownerOf(field.name))) return [];
    const beside = form.fields.find(({ name, type }) => type === "string" && ownerOf(name) === field.name)?.name;
    return [
      {
        field: { ...field, ...(beside !== undefined && { beside }) },
        question: beside === undefined ? question : { ...question, custom: true },
      },
    ];
  });
  return { fields: kept.map(({ field }) => field), questions: kept.map(({ question }) => question) };
}

/** The form filled in. Words that are no choice go into the field beside, where there is one. */
export function fillQuestions(
  fields: readonly ElicitationField[],
  answers: readonly (readonly string[])[],
): Record<string, unknown> {
  const chosen = fields.map(({ beside, values }, i) =>
    (answers[i] ?? []).filter((label) => beside === undefined || Object.hasOwn(values, label)),
  );
  const own = fields.flatMap(({ beside, values }, i) => {
    const words = beside === undefined ? [] : (answers[i] ?? []).filter((label) => !Object.hasOwn(values, label));
    return beside === undefined || words.length === 0 ? [] : [[beside, words.join(", ")]];
  });
  return { ...fillForm(fields, chosen), ...Object.fromEntries(own) };
}

/** What a filled form answers, as labels of the questions. */
export function readAnswers(fields: readonly ElicitationField[], content: Record<string, unknown>): string[][] {
  return fields.map(({ name, beside, values }) => {
    const labels = Object.entries(values);
    const chosen = listOf(content[name]).map((value) => labels.find(([, known]) => known === value)?.[0] ?? value);
    const words = beside === undefined ? [] : listOf(content[beside]);
    return [...new Set([...chosen, ...words])];
  });
}

function listOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}
