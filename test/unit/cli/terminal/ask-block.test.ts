import { expect, test } from "vitest";
import type { PermissionBlock, QuestionInfo } from "../../../../schemas/index.js";
import { askBlock, readAnswer } from "../../../../src/cli/terminal/ask-block.js";
import { permission, question } from "../../adapters/shared/draft.js";

const COLOURS: QuestionInfo = {
  question: "Which?",
  header: "",
  options: [
    { label: "red", description: "" },
    { label: "green, blue", description: "" },
    { label: "3", description: "" },
  ],
};

test.each<[string, Partial<QuestionInfo>, string[] | undefined]>([
  ["1", {}, ["red"]],
  [" red ", {}, ["red"]],
  // A label goes before the number that it looks like, and before what its comma would part.
  ["3", {}, ["3"]],
  ["green, blue", { multiple: true }, ["green, blue"]],
  ["1, 2, 1", { multiple: true }, ["red", "green, blue"]],
  ["1, 2", {}, ["1, 2"]],
  ["1, pink", { multiple: true }, ["1, pink"]],
  ["pink", {}, ["pink"]],
  ["pink", { custom: false }, undefined],
  ["4", { custom: false }, undefined],
  ["", { custom: false }, []],
])("the answer %j to %j chooses %j", (answer, change, chosen) => {
  expect(readAnswer(answer, { ...COLOURS, ...change })).toEqual(chosen);
});

/** Answers in order; what was asked. */
async function askWith(block: Parameters<typeof askBlock>[1], ...answers: (string | undefined)[]) {
  const asked: string[] = [];
  const reply = await askBlock(async (query) => {
    asked.push(query);
    return answers.shift();
  }, block);
  return { asked, reply };
}

const OPTIONS: PermissionBlock = {
  ...permission("a", ["ls *"]),
  decisions: ["reject"],
  options: [
    { optionID: "one", label: "Only now", decision: "once" },
    { optionID: "all", label: "Whenever", decision: "always" },
  ],
};

test("a permission is asked until an answer decides it", async () => {
  const { asked, reply } = await askWith(permission("a"), "", "a", "y");
  expect(asked).toEqual(Array.from({ length: 3 }, () => "  bash: ls — [y]es, [n]o, or why not: "));
  expect(reply).toEqual({ decision: "once" });
});

test("the agent's own options are chosen by their numbers, and nothing else allows", async () => {
  const { asked, reply } = await askWith(OPTIONS, "yes", "2");
  expect(asked[0]).toContain("    1. Only now\n    2. Whenever\n");
  expect(asked).toHaveLength(2);
  expect(reply).toEqual({ optionID: "all" });
});

test("any other word is why not", async () => {
  expect((await askWith(permission("a"), "too wide")).reply).toEqual({ decision: "reject", message: "too wide" });
});

test("questions are asked in order, again where an answer is none of the options", async () => {
  const block = question("q", "First?", "Second?");
  const [first, second] = block.questions;
  if (!first || !second) throw new Error("two questions");
  block.questions = [{ ...COLOURS, custom: false }, second];
  const { asked, reply } = await askWith(block, "pink", "1", "mine");
  expect(asked.map((query) => query.split("\n")[0])).toEqual(["Which?", "Which?", "Second?"]);
  expect(reply).toEqual({ answers: [["red"], ["mine"]] });
});

test("where nobody answers any more, nothing is decided", async () => {
  expect((await askWith(permission("a"), undefined)).reply).toBeUndefined();
  expect((await askWith(question("q", "First?", "Second?"), "1", undefined)).reply).toBeUndefined();
});
