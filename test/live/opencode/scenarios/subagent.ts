import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { hang, httpError, message, say, spare, text, toolUse } from "../../anthropic/script.js";
import { bash, task } from "../native-tools.js";
import type { OpencodeScenario } from "../opencode-scenario.js";
import {
  childrenOf,
  decideNext,
  END_OF_ENDED_COMMAND,
  ENDLESS,
  fileAppears,
  onlyChildOf,
  sessionOf,
  showsText,
  textsOf,
  toolStatesOf,
} from "../steps.js";

export const subagentScenarios: readonly OpencodeScenario[] = [
  {
    name: "subagent",
    title: "A subagent works in a session of its own while its parent waits.",
    requirements: ["subagent.child", "subagent.foreground", "subagent.text"],
    script: () => ({
      main: [message([task("kid", "Find it out")]), say("It is 42.")],
      kid: [say("The answer is 42.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Have it found out.");
      await driver.idle();
      const child = await onlyChildOf(driver);
      assert.deepEqual(await textsOf(driver, child.id), ["The answer is 42."]);
    },
  },
  {
    name: "subagent-permission",
    title: "A command of a subagent waits in the child's session, is listed from the root, allowed and runs.",
    requirements: ["subagent.permission"],
    script: () => ({
      main: [message([task("kid", "Create it")]), say("Created.")],
      kid: [message([bash("touch made.txt")]), say("I have created it.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Have it created.");
      const pending = await decideNext(driver, { decision: "once" });
      const child = await onlyChildOf(driver);
      assert.equal(pending.sessionID, child.id);
      await driver.idle();
      await access(join(driver.cwd, "made.txt"));
      assert.deepEqual(await toolStatesOf(driver, child.id), ["bash completed"]);
    },
  },
  {
    name: "subagent-permission-rejected",
    title: "A command of a subagent is rejected with a reason; the subagent reads it and goes on.",
    requirements: ["subagent.permission", "permission.reject-message"],
    script: () => ({
      main: [message([task("kid", "Create it")]), say("Not created.")],
      kid: [message([bash("touch made.txt")]), say("I may not.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Have it created.");
      await decideNext(driver, { decision: "reject", message: "Not here." });
      await driver.idle();
      const child = await onlyChildOf(driver);
      assert.deepEqual(await toolStatesOf(driver, child.id), ["bash error"]);
    },
  },
  {
    name: "subagent-rules",
    title: "A rule of the session decides the command of its subagent.",
    requirements: ["subagent.rules"],
    session: { permission: [{ permission: "bash", pattern: "*", action: "allow" }] },
    script: () => ({
      main: [message([task("kid", "Create it")]), say("Created.")],
      kid: [message([bash("touch made.txt")]), say("Done.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Have it created.");
      await driver.idle();
      await access(join(driver.cwd, "made.txt"));
    },
  },
  {
    name: "subagents-parallel",
    title: "Two subagents work at once and end in the other order.",
    requirements: ["subagent.parallel"],
    script: () => ({
      main: [message([task("one", "First"), task("two", "Second")]), say("Both.")],
      one: [message([text("One waits. Then it ends.", { chunk: 10, after: 1, gate: "one" })])],
      two: [say("Two is done.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Send two.");
      await driver.until(showsText("Two is done"));
      driver.model.open("one");
      await driver.idle();
      assert.equal((await childrenOf(driver)).length, 2);
    },
  },
  {
    name: "subagent-nested",
    title: "A subagent has a subagent of its own, where the configuration allows it.",
    requirements: ["subagent.nested"],
    config: { subagent_depth: 2, agent: { title: { disable: true }, general: { permission: { task: "allow" } } } },
    script: () => ({
      main: [message([task("kid", "Delegate")]), say("All done.")],
      kid: [message([task("grandkid", "Work")]), say("It is done.")],
      grandkid: [say("Worked.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Delegate.");
      await driver.idle();
      const child = await onlyChildOf(driver);
      const grandchild = await onlyChildOf(driver, child.id);
      assert.deepEqual(await textsOf(driver, grandchild.id), ["Worked."]);
    },
  },
  {
    name: "subagent-fails",
    title: "The model of a subagent fails; the child has the error and the parent goes on.",
    requirements: ["subagent.failed"],
    script: () => ({
      main: [message([task("kid", "Try it")]), say("It did not work.")],
      kid: [httpError(400, "invalid_request_error", "This is refused.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Have it tried.");
      await driver.idle();
      const child = await onlyChildOf(driver);
      assert.equal(child.error?.name, "invalid_request");
      assert.deepEqual(await textsOf(driver), ["It did not work."]);
    },
  },
  {
    name: "subagent-unknown",
    title: "A subagent of a kind that does not exist leaves no session.",
    requirements: ["subagent.refused"],
    script: () => ({
      main: [message([task("kid", "Try it", { subagent_type: "wizard" })]), say("There is none.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Send a wizard.");
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["task error"]);
      assert.deepEqual(await childrenOf(driver), []);
    },
  },
  {
    name: "subagent-resumed",
    title: "A further task goes on in the session of the subagent.",
    requirements: ["subagent.resumed"],
    script: () => ({
      main: [
        message([task("kid", "Begin")]),
        message(
          [
            toolUse(
              "task",
              { description: "Go on", prompt: "LANE=kid Go on.", subagent_type: "general", task_id: "{{id}}" },
              { chunk: 100_000 },
            ),
          ],
          { recall: { id: /<task id=\\?"(ses_\w+)/ } },
        ),
        say("Both parts are done."),
      ],
      kid: [say("Begun."), say("Gone on.")],
    }),
    drive: async (driver) => {
      await driver.prompt("In two parts, please.");
      await driver.idle();
      const child = await onlyChildOf(driver);
      assert.deepEqual(await textsOf(driver, child.id), ["Begun.", "Gone on."]);
    },
  },
  {
    name: "abort-subagent",
    title: "The turn is aborted while a command of a subagent runs: both sessions end.",
    requirements: ["abort.subagent", "subagent.aborted"],
    session: { mode: "yolo" },
    unsteady: END_OF_ENDED_COMMAND,
    script: () => ({ main: [message([task("kid", "Wait")]), spare()], kid: [message([bash(ENDLESS)])] }),
    drive: async (driver) => {
      await driver.prompt("Have it wait.");
      await fileAppears(join(driver.cwd, "started"));
      await driver.abort();
      await driver.idle();
      const child = await onlyChildOf(driver);
      await driver.idle(child.id);
      assert.deepEqual(await toolStatesOf(driver, child.id), ["bash error"]);
    },
  },
  {
    name: "abort-subagent-blocked",
    title: "The turn is aborted while a command of a subagent waits for permission.",
    requirements: ["abort.subagent", "permission.withdrawn"],
    script: () => ({ main: [message([task("kid", "Create it")]), spare()], kid: [message([bash("touch a.txt")])] }),
    drive: async (driver) => {
      await driver.prompt("Have it created.");
      const [pending] = await driver.blocked();
      assert(pending);
      await driver.abort();
      await driver.idle();
      const child = await onlyChildOf(driver);
      await driver.idle(child.id);
      await driver.expectError("conflict", driver.reply(pending.block.id, { decision: "once" }));
    },
  },
  {
    name: "stop-one-subagent",
    title: "One subagent is ended by its session, the other goes on.",
    requirements: ["subagent.stopped"],
    script: () => ({
      main: [message([task("one", "First"), task("two", "Second")]), say("One of them.")],
      one: [hang("one")],
      two: [message([text("Two waits. Then it ends.", { chunk: 10, after: 1, gate: "two" })])],
    }),
    drive: async (driver) => {
      await driver.prompt("Send two.");
      await driver.model.reached("one");
      await driver.until(showsText("Two waits"));
      const first = (await childrenOf(driver)).find(({ title }) => title.startsWith("First"));
      assert(first);
      await driver.request("session.abort", { sessionID: first.id });
      await driver.idle(first.id);
      assert.equal((await sessionOf(driver)).status.type, "busy");
      driver.model.open("two");
      await driver.idle();
    },
  },
];
