import assert from "node:assert/strict";
import type { PendingBlock, QuestionBlock } from "../../../../schemas/index.js";
import { message, say } from "../../anthropic/script.js";
import type { Driver } from "../../scenario.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { askUser, bash } from "../native-tools.js";
import { lastToolResults, mainRequests } from "../steps.js";

const DATABASE = { question: "Which database?", header: "Database", labels: ["PostgreSQL", "SQLite"] };
const LICENCE = { question: "Which licence?", header: "Licence", labels: ["MIT", "Apache"] };
const FEATURES = {
  question: "Which features?",
  header: "Features",
  labels: ["Login", "Search", "Export"],
  multiple: true,
};

type Question = typeof DATABASE & { readonly multiple?: boolean };

const asks =
  (...questions: readonly Question[]) =>
  () => ({ main: [message([askUser(...questions)]), say("Thanks.")] });

/** Waits for the question as the user sees it. */
async function asked(driver: Driver): Promise<PendingBlock & { readonly block: QuestionBlock }> {
  await driver.prompt("Ask me.");
  const [pending] = await driver.blocked();
  assert(pending?.block.type === "question", "a question waits");
  return { ...pending, block: pending.block };
}

/** Answers, and returns what the model reads of it. */
async function answer(driver: Driver, answers: readonly (readonly string[])[]): Promise<string> {
  const { block } = await asked(driver);
  await driver.reply(block.id, { answers });
  await driver.idle();
  return lastToolResults(driver.model).at(-1)?.text ?? "";
}

export const questionScenarios: readonly ClaudeFullScenario[] = [
  {
    name: "question-one",
    title: "The agent asks one question; one of its options is chosen.",
    requirements: ["question.one"],
    script: asks(DATABASE),
    drive: async (driver) => {
      const { tool, block } = await asked(driver);
      assert.equal(tool, "question");
      assert.equal(block.questions[0]?.question, DATABASE.question);
      assert.deepEqual(
        block.questions[0]?.options.map(({ label }) => label),
        DATABASE.labels,
      );
      await driver.reply(block.id, { answers: [["SQLite"]] });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /"Which database\?"="SQLite"/);
    },
  },
  {
    name: "question-several",
    title: "The agent asks two questions at once; both are answered.",
    requirements: ["question.several"],
    script: asks(DATABASE, LICENCE),
    drive: async (driver) => {
      const told = await answer(driver, [["SQLite"], ["MIT"]]);
      assert.match(told, /"Which database\?"="SQLite"/);
      assert.match(told, /"Which licence\?"="MIT"/);
    },
  },
  {
    name: "question-multiple",
    title: "Of three options two are chosen.",
    requirements: ["question.multiple"],
    script: asks(FEATURES),
    drive: async (driver) => {
      assert.match(await answer(driver, [["Login", "Export"]]), /"Which features\?"="Login, Export"/);
    },
  },
  {
    name: "question-free-text",
    title: "A question is answered in the user's own words.",
    requirements: ["question.custom"],
    script: asks(DATABASE),
    drive: async (driver) => {
      assert.match(await answer(driver, [["A file will do"]]), /A file will do/);
    },
  },
  {
    name: "question-part-unanswered",
    title: "Of two questions one is left unanswered.",
    requirements: ["question.unanswered"],
    script: asks(DATABASE, LICENCE),
    drive: async (driver) => {
      const told = await answer(driver, [[], ["MIT"]]);
      assert.match(told, /"Which licence\?"="MIT"/);
      assert.doesNotMatch(told, /"Which database\?"="/);
    },
  },
  {
    name: "question-rejected",
    title: "The user does not want to answer and says why.",
    requirements: ["question.rejected"],
    script: asks(DATABASE),
    drive: async (driver) => {
      const { block } = await asked(driver);
      await driver.reply(block.id, { decision: "reject", message: "Decide for yourself." });
      await driver.idle();
      const [result] = lastToolResults(driver.model);
      assert(result?.isError, "the call fails");
      assert.match(result.text, /^Decide for yourself\./);
    },
  },
  {
    name: "question-aborted",
    title: "The turn is aborted while a question waits; a later answer is refused.",
    requirements: ["question.withdrawn", "abort.blocked"],
    script: () => ({ main: [message([askUser(DATABASE)])] }),
    drive: async (driver) => {
      const { block } = await asked(driver);
      await driver.abort();
      await driver.idle();
      await driver.expectError("conflict", driver.reply(block.id, { answers: [["SQLite"]] }));
      assert.equal(mainRequests(driver.model), 1, "the model is not asked again");
    },
  },
  {
    name: "question-in-bypass-mode",
    title: "Where every permission is bypassed a command runs unasked, but a question is still asked.",
    requirements: ["question.in-bypass-mode", "mode.bypassPermissions"],
    session: { mode: "bypassPermissions" },
    // As root the CLI takes this mode only where it is told that it is in a sandbox.
    env: { IS_SANDBOX: "1" },
    script: () => ({
      main: [message([bash("touch made.txt", "Create made.txt")]), message([askUser(DATABASE)]), say("Thanks.")],
    }),
    drive: async (driver) => {
      assert.match(await answer(driver, [["SQLite"]]), /"Which database\?"="SQLite"/);
    },
  },
];
