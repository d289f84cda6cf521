import assert from "node:assert/strict";
import { join } from "node:path";
import { isFinal } from "../../../../schemas/index.js";
import { httpError, message, say, text, toolUse } from "../../anthropic/script.js";
import { userTextIn } from "../../anthropic/seen.js";
import type { FullDriver } from "../../scenario.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { agent, bash, read } from "../native-tools.js";
import {
  ask,
  childrenOf,
  decideNext,
  ENDLESS,
  fileAppears,
  lastRequest,
  lastToolResults,
  mainRequests,
  onlyChildOf,
  putFile,
  sessionOf,
  showsText,
  textsOf,
  toolStatesOf,
  toolsOf,
} from "../steps.js";

/** A script of the project, for which "always" is one plain rule. */
const COUNT = bash("sh count.sh", "Count");

/** The agent goes on by itself when a subagent in the background has ended: its turn is over when it has said this. */
async function reported(driver: FullDriver, words: string): Promise<void> {
  await driver.until(showsText(words));
  await driver.idle();
}

async function noToolIsOpen(driver: FullDriver, sessionID: string): Promise<void> {
  for (const { tool, state } of await toolsOf(driver, sessionID)) assert(isFinal(state.status), `${tool} has ended`);
}

export const subagentScenarios: readonly ClaudeFullScenario[] = [
  {
    name: "subagent-foreground",
    title: "A subagent reads a file and reports, while its parent waits.",
    requirements: ["subagent.child", "subagent.foreground", "subagent.text"],
    setup: ({ cwd }) => putFile(cwd, "notes.txt", "hello\n"),
    script: ({ cwd }) => ({
      main: [message([text("I delegate."), agent("reader", "Read the notes")]), say("It says hello.")],
      reader: [message([text("I look."), read(cwd, "notes.txt")]), say("The notes say hello.")],
    }),
    drive: async (driver) => {
      await ask(driver, "What do the notes say?");
      const child = await onlyChildOf(driver);
      assert.deepEqual(await textsOf(driver, child.id), ["I look.", "The notes say hello."]);
      assert.deepEqual(await toolStatesOf(driver, child.id), ["read completed"]);
      assert.deepEqual(await textsOf(driver), ["I delegate.", "It says hello."]);
      assert.equal(child.status.type, "idle");
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /The notes say hello\./);
    },
  },
  {
    name: "subagent-background",
    title: "A subagent outlives its parent's turn; when it has ended, the agent goes on by itself.",
    requirements: ["subagent.background", "subagent.outlives-turn", "turn.own"],
    script: () => ({
      main: [
        message([agent("slow", "Count slowly", { background: true })]),
        say("It counts."),
        say("It counted to 3."),
      ],
      slow: [message([text("One, two,", { gate: "count" })])],
    }),
    drive: async (driver) => {
      await driver.prompt("Count in the background.");
      await driver.until(showsText("It counts."));
      await driver.idle();
      const child = await onlyChildOf(driver);
      assert.equal(child.status.type, "busy", "the subagent is still at work");
      driver.model.open("count");
      await reported(driver, "It counted");
      assert.equal((await sessionOf(driver, child.id)).status.type, "idle");
      assert.deepEqual(await textsOf(driver, child.id), ["One, two,"]);
    },
  },
  {
    name: "subagents-parallel",
    title: "Two subagents work at once; the second one ends first.",
    requirements: ["subagent.parallel"],
    script: () => ({
      main: [message([agent("one", "Go left"), agent("two", "Go right")]), say("Both are back.")],
      one: [say("Left done.", { gate: "left" })],
      two: [say("Right done.", { gate: "right" })],
    }),
    drive: async (driver) => {
      await driver.prompt("Go both ways.");
      await driver.model.reached("left");
      await driver.model.reached("right");
      driver.model.open("right");
      await driver.until(showsText("Right done."));
      driver.model.open("left");
      await driver.idle();
      const texts = await Promise.all((await childrenOf(driver)).map((child) => textsOf(driver, child.id)));
      assert.deepEqual(texts.flat().sort(), ["Left done.", "Right done."]);
    },
  },
  {
    name: "subagent-nested",
    title: "A subagent starts a subagent of its own.",
    requirements: ["subagent.nested"],
    script: () => ({
      main: [message([agent("outer", "Delegate again")]), say("All done.")],
      outer: [message([agent("inner", "Do the work")]), say("The inner one did it.")],
      inner: [say("Work done.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Delegate twice.");
      const outer = await onlyChildOf(driver);
      const inner = await onlyChildOf(driver, outer.id);
      assert.deepEqual(await textsOf(driver, inner.id), ["Work done."]);
      assert.deepEqual(await textsOf(driver, outer.id), ["The inner one did it."]);
    },
  },
  {
    name: "subagent-fails",
    title: "The API fails for good in a subagent; the parent is told and goes on.",
    requirements: ["subagent.failed"],
    env: { CLAUDE_CODE_MAX_RETRIES: "0" },
    script: () => ({
      main: [message([agent("broken", "Try it")]), say("It failed.")],
      broken: [httpError(500, "api_error", "Internal server error")],
    }),
    drive: async (driver) => {
      await ask(driver, "Try it.");
      const child = await onlyChildOf(driver);
      assert(child.error !== undefined, "the subagent's session has the error");
      assert.equal((await sessionOf(driver)).error, undefined, "the parent's has none");
    },
  },
  {
    name: "subagent-unknown-type",
    title: "A subagent of a type that does not exist is refused; no session is made.",
    requirements: ["subagent.refused"],
    script: () => ({
      main: [message([agent("nobody", "Do it", { type: "no-such-type" })]), say("There is none.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Delegate it.");
      assert.equal(lastToolResults(driver.model)[0]?.isError, true);
      assert.deepEqual(await childrenOf(driver), []);
    },
  },
  {
    name: "subagent-permission-allowed",
    title: "A command of a subagent is asked for in the subagent's session, allowed and runs.",
    requirements: ["subagent.permission"],
    script: () => ({
      main: [message([agent("maker", "Make a file")]), say("Made.")],
      maker: [message([bash("touch made.txt && echo made", "Create made.txt")]), say("I made it.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Have a file made.");
      const pending = await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.equal(pending.sessionID, (await onlyChildOf(driver)).id);
      assert.match(lastToolResults(driver.model, "maker")[0]?.text ?? "", /^made/);
    },
  },
  {
    name: "subagent-permission-rejected",
    title: "A command of a subagent is rejected; the subagent is told why and reports it.",
    requirements: ["subagent.permission", "permission.reject-message"],
    script: () => ({
      main: [message([agent("maker", "Make a file")]), say("Not made.")],
      maker: [message([bash("touch made.txt", "Create made.txt")]), say("I may not.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Have a file made.");
      const pending = await decideNext(driver, { decision: "reject", message: "No files, please." });
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver, pending.sessionID), ["bash error"]);
      assert.match(lastToolResults(driver.model, "maker")[0]?.text ?? "", /No files, please\./);
    },
  },
  {
    name: "subagent-permission-always",
    title:
      "A command is always allowed in one subagent: the next one is not asked for it, and the session has the rule.",
    requirements: ["subagent.permission", "subagent.always"],
    setup: ({ cwd }) => putFile(cwd, "count.sh", "printf x >> count\n"),
    script: () => ({
      main: [message([agent("one", "Count")]), message([agent("two", "Count again")]), say("Counted twice.")],
      one: [message([COUNT]), say("One.")],
      two: [message([COUNT]), say("Two.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Have it counted twice.");
      await decideNext(driver, { decision: "always" });
      await driver.idle();
      const second = (await childrenOf(driver))[1];
      assert(second !== undefined, "there are two subagents");
      const [tool] = await toolsOf(driver, second.id);
      assert(tool?.state.status === "completed" && tool.state.block === undefined, "nobody is asked");
      assert.equal((await sessionOf(driver)).permission?.length, 1);
    },
  },
  {
    name: "subagent-permission-after-turn",
    title: "A subagent in the background asks when its parent's turn is long over, and is answered.",
    requirements: ["subagent.permission", "subagent.outlives-turn", "turn.own"],
    script: () => ({
      main: [
        message([agent("maker", "Make a file", { background: true })]),
        say("It is at work."),
        say("The file is made."),
      ],
      maker: [message([bash("touch made.txt && echo made", "Create made.txt")], { gate: "later" }), say("I made it.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Have a file made in the background.");
      await driver.until(showsText("It is at work."));
      await driver.idle();
      driver.model.open("later");
      const pending = await decideNext(driver, { decision: "once" });
      assert.equal(pending.sessionID, (await onlyChildOf(driver)).id);
      await reported(driver, "The file is made.");
    },
  },
  {
    name: "subagents-both-blocked",
    title: "Commands of two subagents wait at once; the rejection of one does not touch the other.",
    requirements: ["subagent.permission", "permission.concurrent", "permission.any-order"],
    script: () => ({
      main: [message([agent("one", "Make one"), agent("two", "Make two")]), say("One of two.")],
      one: [message([bash("touch one.txt", "Create one.txt")]), say("Made.")],
      two: [message([bash("touch two.txt", "Create two.txt")], { gate: "two" }), say("Not made.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Have two files made.");
      await driver.blocked();
      driver.model.open("two");
      const [first, second] = await driver.blocked(2);
      assert(first !== undefined && second !== undefined, "two tools are blocked");
      await driver.reply(second.block.id, { decision: "reject", message: "One is enough." });
      await driver.reply(first.block.id, { decision: "once" });
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver, first.sessionID), ["bash completed"]);
      assert.deepEqual(await toolStatesOf(driver, second.sessionID), ["bash error"]);
    },
  },
  {
    name: "subagent-under-session-rules",
    title: "A rule of the session allows a command of its subagent; nobody is asked.",
    requirements: ["subagent.rules", "permission.rule-allow"],
    session: { permission: [{ permission: "bash", pattern: "touch *", action: "allow" }] },
    script: () => ({
      main: [message([agent("maker", "Make a file")]), say("Made.")],
      maker: [message([bash("touch made.txt", "Create made.txt")]), say("I made it.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Have a file made.");
      assert.equal(lastToolResults(driver.model, "maker")[0]?.isError, false);
    },
  },
  {
    name: "subagent-interrupted",
    title: "The turn is aborted while a command of a subagent runs: the subagent and its command end with it.",
    requirements: ["subagent.aborted", "abort.subagent"],
    script: () => ({
      main: [message([agent("waiter", "Wait")])],
      waiter: [message([text("I wait."), bash(ENDLESS, "Wait")])],
    }),
    drive: async (driver) => {
      await driver.prompt("Wait for it.");
      await decideNext(driver, { decision: "once" });
      await fileAppears(join(driver.cwd, "started"));
      await driver.abort();
      await driver.idle();
      const child = await onlyChildOf(driver);
      assert.equal(child.status.type, "idle");
      await noToolIsOpen(driver, child.id);
      assert.equal(mainRequests(driver.model), 1, "the model is not asked again");
    },
  },
  {
    name: "subagent-background-survives-abort",
    title: "The turn is aborted, but a subagent in the background works on and is reported.",
    requirements: ["subagent.survives-abort", "turn.own"],
    script: () => ({
      main: [
        message([agent("slow", "Count slowly", { background: true })]),
        message([text("While it counts, a tale", { after: 1, gate: "tale" })]),
        say("It counted to 3."),
      ],
      slow: [say("One, two, three.", { gate: "count" })],
    }),
    drive: async (driver) => {
      await driver.prompt("Count in the background and tell a tale.");
      await driver.until(showsText("While it counts"));
      await driver.model.reached("count");
      await driver.abort();
      await driver.idle();
      const child = await onlyChildOf(driver);
      assert.equal(child.status.type, "busy", "the subagent is still at work");
      driver.model.open("count");
      await reported(driver, "It counted");
      assert.deepEqual(await textsOf(driver, child.id), ["One, two, three."]);
    },
  },
  {
    name: "subagent-stopped",
    title: "One of two subagents in the background is stopped by the user; the other one goes on.",
    requirements: ["subagent.stopped"],
    script: () => ({
      main: [
        message([agent("one", "Go left", { background: true }), agent("two", "Go right", { background: true })]),
        say("Both are on their way."),
        say("Right is done."),
      ],
      one: [say("Left done.", { gate: "left" })],
      two: [say("Right done.", { gate: "right" })],
    }),
    drive: async (driver) => {
      await driver.prompt("Go both ways.");
      await driver.until(showsText("Both are"));
      await driver.idle();
      await driver.model.reached("left");
      await driver.model.reached("right");
      const [left] = await childrenOf(driver);
      assert(left !== undefined, "there are subagents");
      await driver.request("session.abort", { sessionID: left.id });
      assert.equal((await sessionOf(driver, left.id)).status.type, "idle");
      driver.model.open("right");
      await reported(driver, "Right is done.");
      assert.deepEqual(await textsOf(driver, left.id), []);
    },
  },
  {
    name: "subagent-resumed",
    title: "A subagent that has reported is sent a further message: it goes on in its own session.",
    requirements: ["subagent.resumed", "turn.own"],
    script: () => ({
      main: [
        message([agent("scout", "Look around", { name: "scout" })]),
        message([toolUse("SendMessage", { to: "scout", message: "Look again.", summary: "Look again" })]),
        say("It looks again."),
        say("It looked twice."),
      ],
      scout: [say("I looked."), say("I looked again.", { gate: "again" })],
    }),
    drive: async (driver) => {
      await driver.prompt("Look around, twice.");
      await driver.until(showsText("It looks again."));
      await driver.idle();
      driver.model.open("again");
      await reported(driver, "It looked twice.");
      const child = await onlyChildOf(driver);
      assert.deepEqual(await textsOf(driver, child.id), ["I looked.", "I looked again."]);
      assert.match(userTextIn(lastRequest(driver.model, "scout")), /Look again\./);
    },
  },
];
