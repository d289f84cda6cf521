import assert from "node:assert/strict";
import { message, say } from "../../anthropic/script.js";
import { askUser } from "../native-tools.js";
import type { OpencodeScenario } from "../opencode-scenario.js";
import { decideNext, lastToolResults, toolStatesOf } from "../steps.js";

const DATABASE = { question: "Which database?", header: "Database", labels: ["PostgreSQL", "SQLite"] };
const EXTRAS = { question: "Which extras?", header: "Extras", labels: ["Tests", "Docs", "CI"], multiple: true };

export const questionScenarios: readonly OpencodeScenario[] = [
  {
    name: "question",
    title: "A question blocks its tool and is answered by an option.",
    requirements: ["question.one"],
    script: () => ({ main: [message([askUser(DATABASE)]), say("SQLite it is.")] }),
    drive: async (driver) => {
      await driver.prompt("Set it up.");
      const { block } = await decideNext(driver, { answers: [["SQLite"]] });
      assert.equal(block.type, "question");
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /SQLite/);
    },
  },
  {
    name: "questions-at-once",
    title: "Two questions are answered at once, one of them by two options.",
    requirements: ["question.several", "question.multiple"],
    script: () => ({ main: [message([askUser(DATABASE, EXTRAS)]), say("Understood.")] }),
    drive: async (driver) => {
      await driver.prompt("Set it up.");
      await decideNext(driver, { answers: [["PostgreSQL"], ["Tests", "CI"]] });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /Tests, CI/);
    },
  },
  {
    name: "question-custom",
    title: "A question is answered in free text, another is left unanswered.",
    requirements: ["question.custom", "question.unanswered"],
    script: () => ({ main: [message([askUser(DATABASE, EXTRAS)]), say("DuckDB, then.")] }),
    drive: async (driver) => {
      await driver.prompt("Set it up.");
      await decideNext(driver, { answers: [["DuckDB, please"], []] });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /DuckDB/);
    },
  },
  {
    name: "question-rejected",
    title: "A question is rejected: an error, and the turn ends.",
    requirements: ["question.rejected"],
    script: () => ({ main: [message([askUser(DATABASE)])] }),
    drive: async (driver) => {
      await driver.prompt("Set it up.");
      await decideNext(driver, { decision: "reject" });
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["question error"]);
    },
  },
  {
    name: "question-withdrawn",
    title: "The turn of a question is aborted: it waits no more.",
    requirements: ["question.withdrawn"],
    script: () => ({ main: [message([askUser(DATABASE)])] }),
    drive: async (driver) => {
      await driver.prompt("Set it up.");
      const [pending] = await driver.blocked();
      assert(pending);
      await driver.abort();
      await driver.idle();
      await driver.expectError("conflict", driver.reply(pending.block.id, { answers: [["SQLite"]] }));
    },
  },
];
