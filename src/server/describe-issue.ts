import type { z } from "zod";
import { fieldPath } from "./field-path.js";
import { knownFields } from "./known-fields.js";
import { valueKind } from "./value-kind.js";

type Issue = z.core.$ZodIssue;

/** A wrong parameter, in words: where, what is expected, what came. */
export interface IssueDescription {
  readonly field: string;
  readonly message: string;
}

/** zod's names for types that a person who writes JSON would not use. */
const EXPECTED: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "a boolean",
  int: "an integer",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
};

export function describeIssue(issue: Issue, schema: z.ZodType, params: unknown): IssueDescription {
  if (issue.code === "unrecognized_keys") return describeUnknown(issue, schema, params);
  const field = fieldPath(issue.path);
  if (issue.code === "invalid_key") return { field, message: `the name of ${field} ${issue.issues[0]?.message}` };
  const value = issue.path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    params,
  );
  if (value === undefined) return { field, message: `${field} is missing${expected(issue, ": expected ")}` };
  return { field, message: `${field} ${expected(issue, "must be ") || requirement(issue)}, got ${valueKind(value)}` };
}

function describeUnknown(
  issue: Extract<Issue, { code: "unrecognized_keys" }>,
  schema: z.ZodType,
  params: unknown,
): IssueDescription {
  const fields = issue.keys.map((key) => fieldPath([...issue.path, key]));
  const known = knownFields(schema, issue.path, params);
  const verb = fields.length === 1 ? "is not a known field" : "are not known fields";
  const where = issue.path.length === 0 ? "The parameters" : fieldPath(issue.path);
  const hint = known.length === 0 ? `${where} may have no fields` : `known here: ${known.join(", ")}`;
  return { field: fields[0] ?? "params", message: `${fields.join(", ")} ${verb} (${hint})` };
}

/** What is expected, or "" where zod's own message says it better. */
function expected(issue: Issue, before: string): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected in EXPECTED ? `${before}${EXPECTED[issue.expected]}` : "";
    case "invalid_value":
      return `${before}${oneOf(issue.values)}`;
    case "invalid_union": {
      const options = "options" in issue ? issue.options : undefined;
      return Array.isArray(options) ? `${before}${oneOf(options)}` : "";
    }
    default:
      return "";
  }
}

function oneOf(values: readonly unknown[]): string {
  const list = values.map((value) => (typeof value === "string" ? JSON.stringify(value) : String(value)));
  return list.length === 1 ? String(list[0]) : `one of ${list.join(", ")}`;
}

function requirement(issue: Issue): string {
  if (issue.code === "too_small")
    return `must be ${issue.origin === "number" ? "at least" : "longer: at least"} ${issue.minimum}`;
  if (issue.code === "too_big")
    return `must be ${issue.origin === "number" ? "at most" : "shorter: at most"} ${issue.maximum}`;
  // The schemas' own messages read on from the field's name: "must be a session id: …".
  return issue.message.startsWith("must ") ? issue.message : `is wrong: ${issue.message}`;
}
