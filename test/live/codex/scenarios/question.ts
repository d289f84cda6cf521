import assert from "node:assert/strict";
import { call, output, say } from "../../openai/script.js";
import type { CodexScenario } from "../codex-scenario.js";
import { ask, lastToolResults, todosOf, toolsOf } from "../steps.js";

const QUESTIONS = {
  questions: [
    {
      id: "db",
      header: "Database",
      question: "Which database?",
      options: [
        { label: "PostgreSQL (Recommended)", description: "robust" },
        { label: "SQLite", description: "simple" },
      ],
    },
    {
      id: "name",
      header: "Name",
      question: "What is it called?",
      options: [
        { label: "foo", description: "short" },
        { label: "bar", description: "as short" },
      ],
    },
  ],
};

const ASKS = () => ({ main: [output([call("request_user_input", QUESTIONS)]), say("Thanks.")] });
const PLANS = "[tools.update_plan]\nenabled = true";

export const questionScenarios: readonly CodexScenario[] = [
  {
    name: "question",
    title: "The model asks two questions; one is answered with an option, one with own words.",
    requirements: ["question.several", "question.custom"],
    session: { mode: "plan" },
    script: ASKS,
    drive: async (driver) => {
      await driver.prompt("Plan it.");
      const [pending] = await driver.blocked();
      assert(pending?.block.type === "question");
      await driver.reply(pending.block.id, { answers: [["SQLite"], ["baz"]] });
      await driver.idle();
      const answer = JSON.parse(lastToolResults(driver.model)[0]?.text ?? "");
      assert.deepEqual(answer.answers, { db: { answers: ["SQLite"] }, name: { answers: ["baz"] } });
    },
  },
  {
    name: "question-in-default-mode",
    title: "Where the feature is on, the model may also ask outside of plan mode.",
    requirements: ["question.several"],
    features: "default_mode_request_user_input = true",
    script: ASKS,
    drive: async (driver) => {
      await driver.prompt("Do it.");
      const [pending] = await driver.blocked();
      assert(pending);
      await driver.reply(pending.block.id, { answers: [["SQLite"], ["foo"]] });
      await driver.idle();
    },
  },
  {
    name: "question-one",
    title: "The model asks one question; one of its options is chosen.",
    requirements: ["question.one"],
    session: { mode: "plan" },
    script: () => ({
      main: [output([call("request_user_input", { questions: QUESTIONS.questions.slice(0, 1) })]), say("Thanks.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Plan it.");
      const [pending] = await driver.blocked();
      assert(pending);
      await driver.reply(pending.block.id, { answers: [["SQLite"]] });
      await driver.idle();
    },
  },
  {
    name: "question-unanswered",
    title: "Of two questions one is left unanswered.",
    requirements: ["question.unanswered"],
    session: { mode: "plan" },
    script: ASKS,
    drive: async (driver) => {
      await driver.prompt("Plan it.");
      const [pending] = await driver.blocked();
      assert(pending);
      await driver.reply(pending.block.id, { answers: [["SQLite"], []] });
      await driver.idle();
    },
  },
  {
    name: "question-rejected",
    title: "The user does not answer; the model goes on without.",
    requirements: ["question.rejected"],
    session: { mode: "plan" },
    script: ASKS,
    drive: async (driver) => {
      await driver.prompt("Plan it.");
      const [pending] = await driver.blocked();
      assert(pending);
      await driver.reply(pending.block.id, { decision: "reject" });
      await driver.idle();
    },
  },
  {
    name: "question-aborted",
    title: "The turn is aborted while a question waits.",
    requirements: ["question.withdrawn", "abort.blocked"],
    session: { mode: "plan" },
    script: () => ({ main: [output([call("request_user_input", QUESTIONS)])] }),
    drive: async (driver) => {
      await driver.prompt("Plan it.");
      await driver.blocked();
      await driver.abort();
      await driver.idle();
    },
  },
  {
    name: "todos",
    title: "The model keeps a list of steps, told anew with each change.",
    requirements: ["todo.list"],
    config: PLANS,
    script: () => ({
      main: [
        output([
          call("update_plan", {
            plan: [
              { step: "look", status: "in_progress" },
              { step: "leap", status: "pending" },
            ],
          }),
        ]),
        output([
          call("update_plan", {
            plan: [
              { step: "look", status: "completed" },
              { step: "leap", status: "in_progress" },
            ],
          }),
        ]),
        say("Half way."),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "Look before you leap.");
      assert.equal((await todosOf(driver)).length, 2);
      assert.equal((await toolsOf(driver)).length, 2);
    },
  },
  {
    name: "todo-removed",
    title: "A step is left out of the next list: it is gone.",
    requirements: ["todo.removed"],
    config: PLANS,
    script: () => ({
      main: [
        output([
          call("update_plan", {
            plan: [
              { step: "look", status: "in_progress" },
              { step: "leap", status: "pending" },
            ],
          }),
        ]),
        output([call("update_plan", { plan: [{ step: "look", status: "completed" }] })]),
        say("I will not leap."),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "Look before you leap.");
      assert.equal((await todosOf(driver)).length, 1);
    },
  },
];
