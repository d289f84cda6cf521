import type { QuestionInfo } from "../../schemas/index.js";
import { isRecord } from "./is-record.js";

/** One field of a form that an MCP server asks for, as far as an answer needs it. */
export interface ElicitationField {
  name: string;
  type: "string" | "number" | "integer" | "boolean" | "array";
  /** The value of each label, where there is a choice. */
  values: Record<string, string>;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The fields of a form, and a question for each: what MCP calls a schema is a list of simple fields. */
export function readForm(schema: unknown, message: string): { fields: ElicitationField[]; questions: QuestionInfo[] } {
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
  const entries = Object.entries(properties).map(([name, field]) =>
    readField(name, isRecord(field) ? field : {}, message),
  );
  return { fields: entries.map(({ field }) => field), questions: entries.map(({ question }) => question) };
}

function readField(name: string, schema: Record<string, unknown>, message: string) {
  const type = fieldType(schema.type);
  const choices = choicesOf(schema, type);
  const field: ElicitationField = {
    name,
    type,
    values: Object.fromEntries(choices.map(({ label, value }) => [label, value])),
  };
  const description = typeof schema.description === "string" ? schema.description : "";
  const question: QuestionInfo = {
    question: description || message,
    header: typeof schema.title === "string" ? schema.title : name,
    options: choices.map(({ label }) => ({ label, description: "" })),
    ...(type === "array" && { multiple: true }),
    custom: choices.length === 0,
  };
  return { field, question };
}

function fieldType(type: unknown): ElicitationField["type"] {
  return type === "number" || type === "integer" || type === "boolean" || type === "array" ? type : "string";
}

function choicesOf(schema: Record<string, unknown>, type: ElicitationField["type"]): Choice[] {
  if (type === "boolean") return ["true", "false"].map((value) => ({ value, label: value }));
  const source = type === "array" && isRecord(schema.items) ? schema.items : schema;
  const titled = [source.oneOf, source.anyOf].find(Array.isArray);
  if (titled)
    return titled
      .filter(isRecord)
      .map(({ const: value, title }) => ({ value: String(value), label: String(title ?? value) }));
  if (!Array.isArray(source.enum)) return [];
  const names = Array.isArray(source.enumNames) ? source.enumNames : [];
  return source.enum.map((value, i) => ({ value: String(value), label: String(names[i] ?? value) }));
}

/** The form filled in; a question without an answer leaves its field out. */
export function fillForm(
  fields: readonly ElicitationField[],
  answers: readonly (readonly string[])[],
): Record<string, unknown> {
  const filled = fields.flatMap((field, i) => {
    const given = (answers[i] ?? []).map((label) => field.values[label] ?? label);
    return given.length === 0 ? [] : [[field.name, fieldValue(field, given)]];
  });
  return Object.fromEntries(filled);
}

function fieldValue({ type }: ElicitationField, given: readonly string[]): unknown {
  const [first = ""] = given;
  switch (type) {
    case "array":
      return given;
    case "boolean":
      return first === "true";
    case "number":
    case "integer":
      return Number.isFinite(Number(first)) ? Number(first) : first;
    default:
      return first;
  }
}
