import { expect, test } from "vitest";
import { fillForm, readForm } from "../../../../adapters/shared/elicitation-form.js";

const SCHEMA = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name", description: "Who?" },
    size: { type: "string", enum: ["s", "l"], enumNames: ["small", "large"] },
    shape: { type: "string", oneOf: [{ const: "o", title: "round" }] },
    tags: { type: "array", items: { type: "string", enum: ["x", "y"] } },
    marks: { type: "array", items: { anyOf: [{ const: "1", title: "one" }] } },
    n: { type: "integer" },
    f: { type: "number" },
    sure: { type: "boolean" },
  },
};

test("each field is a question", () => {
  const { questions } = readForm(SCHEMA, "Tell me");
  expect(questions).toMatchObject([
    { question: "Who?", header: "Name", options: [], custom: true },
    { question: "Tell me", header: "size", options: [{ label: "small" }, { label: "large" }], custom: false },
    { options: [{ label: "round" }] },
    { options: [{ label: "x" }, { label: "y" }], multiple: true },
    { options: [{ label: "one" }], multiple: true },
    { custom: true },
    { custom: true },
    { options: [{ label: "true" }, { label: "false" }] },
  ]);
});

test("answers become values of their type, several of a list; what is not answered is left out", () => {
  const { fields } = readForm(SCHEMA, "");
  const answers = [["Ada"], ["large"], ["round"], ["x", "y"], ["one"], ["7"], ["not a number"], ["false"]];
  expect(fillForm(fields, answers)).toEqual({
    name: "Ada",
    size: "l",
    shape: "o",
    tags: ["x", "y"],
    marks: ["1"],
    n: 7,
    f: "not a number",
    sure: false,
  });
  expect(fillForm(fields, [["Ada"]])).toEqual({ name: "Ada" });
});

test.each([undefined, null, {}, { properties: { a: null } }])("a schema that is none is no failure: %j", (schema) => {
  expect(readForm(schema, "x").fields.length).toBeLessThanOrEqual(1);
});
