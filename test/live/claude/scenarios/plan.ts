import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PendingBlock } from "../../../../schemas/index.js";
import { message, say, toolUse } from "../../anthropic/script.js";
import type { BlockReply, Driver } from "../../scenario.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { write } from "../native-tools.js";
import { ask, decideNext, lastToolResults, sessionOf } from "../steps.js";

const PLAN = "# Plan\n1. Write done.txt\n";

/** The CLI names a plan's file in the instructions of the mode; the model writes it there, and is not asked. */
const writePlan = () =>
  message([toolUse("Write", { file_path: "{{plan}}", content: PLAN }, { chunk: 1000 })], {
    recall: { plan: /(\/\S+\/plans\/[A-Za-z0-9_-]+\.md)/ },
  });
const exitPlan = () => message([toolUse("ExitPlanMode", {})]);

async function presented(driver: Driver, reply: BlockReply): Promise<PendingBlock> {
  const pending = await decideNext(driver, reply);
  assert(pending.block.type === "permission", "a plan waits for a permission");
  assert.match(JSON.stringify(pending.block.metadata), /Write done\.txt/, "the user sees the plan");
  return pending;
}

export const planScenarios: readonly ClaudeFullScenario[] = [
  {
    name: "plan-approved-accept-edits",
    title: "A plan is approved and carried out in acceptEdits mode: the file is written unasked.",
    requirements: ["plan.approved", "plan.mode", "mode.changed-by-agent"],
    session: { mode: "plan" },
    script: ({ cwd }) => ({
      main: [writePlan(), exitPlan(), message([write(cwd, "done.txt", "done\n")]), say("Carried out.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Plan it.");
      await presented(driver, { decision: "once", optionID: "acceptEdits" });
      await driver.idle();
      assert.equal(await readFile(join(driver.cwd, "done.txt"), "utf8"), "done\n");
      assert.equal((await sessionOf(driver)).mode, "acceptEdits");
    },
  },
  {
    name: "plan-approved-default",
    title: "A plan is approved and carried out in default mode: the file is asked for.",
    requirements: ["plan.approved", "plan.mode", "mode.changed-by-agent"],
    session: { mode: "plan" },
    script: ({ cwd }) => ({
      main: [writePlan(), exitPlan(), message([write(cwd, "done.txt", "done\n")]), say("Not carried out.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Plan it.");
      await presented(driver, { decision: "once", optionID: "default" });
      const { tool } = await decideNext(driver, { decision: "reject" });
      assert.equal(tool, "write");
      await driver.idle();
      assert.equal((await sessionOf(driver)).mode, "default");
    },
  },
  {
    name: "plan-kept",
    title: "A plan is sent back with a remark; the agent goes on planning.",
    requirements: ["plan.rejected"],
    session: { mode: "plan" },
    script: () => ({ main: [writePlan(), exitPlan(), say("I will think about tests.")] }),
    drive: async (driver) => {
      await driver.prompt("Plan it.");
      await presented(driver, { decision: "reject", message: "Add a test first." });
      await driver.idle();
      assert.match(lastToolResults(driver.model).at(-1)?.text ?? "", /Add a test first\./);
      assert.equal((await sessionOf(driver)).mode, "plan");
      await assert.rejects(access(join(driver.cwd, "done.txt")), "nothing is carried out");
    },
  },
  {
    name: "plan-entered-by-agent",
    title: "The agent decides to plan first, which it need not ask for: the session is in plan mode.",
    requirements: ["mode.changed-by-agent", "plan.entered"],
    script: () => ({ main: [message([toolUse("EnterPlanMode", {})]), say("Let me plan.")] }),
    drive: async (driver) => {
      await ask(driver, "Do something big.");
      assert.equal((await sessionOf(driver)).mode, "plan");
    },
  },
];
