import assert from "node:assert/strict";
import type { PendingBlock } from "../../../../schemas/index.js";
import { message, say } from "../../anthropic/script.js";
import type { Driver, ScenarioDirs } from "../../scenario.js";
import type { ClaudeScenario } from "../claude-scenario.js";
import { read } from "../native-tools.js";
import { lastToolResults, putFile } from "../steps.js";

// Reads outside of the project are the one thing that this CLI asks for several times at once: commands and edits of
// one message are asked for one by one.
const FOLDER = "notes";

async function twoNotes({ home }: ScenarioDirs): Promise<void> {
  await putFile(home, `${FOLDER}/one.txt`, "note one\n");
  await putFile(home, `${FOLDER}/two.txt`, "note two\n");
}

function readBoth(then: string): ClaudeScenario["script"] {
  return ({ home }) => ({
    main: [message([read(home, `${FOLDER}/one.txt`), read(home, `${FOLDER}/two.txt`)]), say(then)],
  });
}

async function bothBlocked(driver: Driver): Promise<[PendingBlock, PendingBlock]> {
  await driver.prompt("Read both notes.");
  const [first, second] = await driver.blocked(2);
  assert(first !== undefined && second !== undefined, "two tools are blocked");
  return [first, second];
}

function failures(driver: Driver): boolean[] {
  return lastToolResults(driver.model).map((result) => result.isError);
}

export const concurrentScenarios: readonly ClaudeScenario[] = [
  {
    name: "two-blocked-reverse-order",
    title: "Two reads outside of the project wait at once and are allowed in reverse order.",
    requirements: ["permission.concurrent", "permission.any-order", "tool.read"],
    setup: twoNotes,
    script: readBoth("Both read."),
    drive: async (driver) => {
      const [first, second] = await bothBlocked(driver);
      await driver.reply(second.block.id, { decision: "once" });
      await driver.reply(first.block.id, { decision: "once" });
      await driver.idle();
      assert.deepEqual(failures(driver), [false, false]);
    },
  },
  {
    name: "two-blocked-always-unblocks-sibling",
    title: "Of two waiting reads one is always allowed, which allows the other too.",
    requirements: ["permission.concurrent", "permission.always-unblocks-sibling"],
    setup: twoNotes,
    script: readBoth("Both read."),
    drive: async (driver) => {
      const [first] = await bothBlocked(driver);
      await driver.reply(first.block.id, { decision: "always" });
      await driver.idle();
      assert.deepEqual(failures(driver), [false, false]);
    },
  },
  {
    name: "two-blocked-reject-cascades",
    title: "Of two waiting reads one is rejected, which rejects the other too.",
    requirements: ["permission.concurrent", "permission.reject-cascades"],
    setup: twoNotes,
    script: readBoth("Neither, then."),
    drive: async (driver) => {
      const [first] = await bothBlocked(driver);
      await driver.reply(first.block.id, { decision: "reject", message: "These are private." });
      await driver.idle();
      assert.deepEqual(failures(driver), [true, true]);
    },
  },
  {
    name: "two-blocked-reject-interrupt",
    title: "Of two waiting reads one is rejected together with the turn; the agent takes back the other question.",
    requirements: ["permission.concurrent", "permission.reject-interrupt", "permission.withdrawn"],
    setup: twoNotes,
    script: ({ home }) => ({
      main: [message([read(home, `${FOLDER}/one.txt`), read(home, `${FOLDER}/two.txt`)])],
    }),
    drive: async (driver) => {
      const [, second] = await bothBlocked(driver);
      await driver.reply(second.block.id, { decision: "reject", interrupt: true });
      await driver.idle();
    },
  },
];
