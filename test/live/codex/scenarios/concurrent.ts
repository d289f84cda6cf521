import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PendingBlock } from "../../../../schemas/index.js";
import { output, say } from "../../openai/script.js";
import type { Driver } from "../../scenario.js";
import type { CodexScenario } from "../codex-scenario.js";
import { escalated } from "../native-tools.js";
import { mainRequests, toolStatesOf } from "../steps.js";

/** The CLI starts the calls of one response side by side: the second one waits for the first to be asked for. */
const SECOND = { gate: "second" };

async function bothBlocked(driver: Driver): Promise<PendingBlock[]> {
  await driver.prompt("Run both.");
  await driver.blocked();
  driver.model.open("second");
  return driver.blocked(2);
}

const TWO = () => ({
  main: [output([escalated("printf a >> one"), escalated("printf b >> two", "May I?", SECOND)]), say("Done.")],
});
const SAME = () => ({
  main: [output([escalated("printf x >> n"), escalated("printf x >> n", "May I?", SECOND)]), say("Done.")],
});

export const concurrentScenarios: readonly CodexScenario[] = [
  {
    name: "two-blocked",
    title: "Two commands of one response wait at once; they are decided in reverse order.",
    requirements: ["permission.concurrent", "permission.any-order"],
    script: TWO,
    drive: async (driver) => {
      const [first, second] = await bothBlocked(driver);
      assert(first && second);
      await driver.reply(second.block.id, { decision: "once" });
      await driver.reply(first.block.id, { decision: "once" });
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["bash completed", "bash completed"]);
    },
  },
  {
    name: "two-blocked-reject-cascades",
    title: "Two commands wait; the user rejects one, and the other is rejected with it.",
    requirements: ["permission.concurrent", "permission.reject-cascades"],
    script: TWO,
    drive: async (driver) => {
      const [first] = await bothBlocked(driver);
      assert(first);
      await driver.reply(first.block.id, { decision: "reject" });
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["bash error", "bash error"]);
    },
  },
  {
    name: "two-blocked-reject-interrupt",
    title: "Two commands wait; the user rejects one together with the turn, which takes the other with it.",
    requirements: ["permission.concurrent", "permission.reject-interrupt"],
    script: () => ({ main: [output([escalated("printf a >> one"), escalated("printf b >> two", "May I?", SECOND)])] }),
    drive: async (driver) => {
      const [first] = await bothBlocked(driver);
      assert(first);
      await driver.reply(first.block.id, { decision: "reject", interrupt: true });
      await driver.idle();
      assert.equal(mainRequests(driver.model), 1);
    },
  },
  {
    name: "two-blocked-always-unblocks-sibling",
    title: "The same command waits twice; to allow it always lets the other go.",
    requirements: ["permission.concurrent", "permission.always-unblocks-sibling"],
    script: SAME,
    drive: async (driver) => {
      const [first] = await bothBlocked(driver);
      assert(first);
      await driver.reply(first.block.id, { decision: "always" });
      await driver.idle();
      assert.equal(await readFile(join(driver.cwd, "n"), "utf8"), "xx");
    },
  },
  {
    name: "asked-in-sequence",
    title: "Two responses ask for a command each, one after the other.",
    requirements: ["permission.sequence"],
    script: () => ({
      main: [output([escalated("printf a >> n")]), output([escalated("printf b >> n")]), say("Done.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Run both.");
      for (const _ of ["a", "b"]) {
        const [pending] = await driver.blocked();
        assert(pending);
        await driver.reply(pending.block.id, { decision: "once" });
      }
      await driver.idle();
      assert.equal(await readFile(join(driver.cwd, "n"), "utf8"), "ab");
    },
  },
];
