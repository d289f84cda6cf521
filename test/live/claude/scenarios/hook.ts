import assert from "node:assert/strict";
import type { ToolPart } from "../../../../schemas/index.js";
import { message, say, text } from "../../anthropic/script.js";
import { userTextIn } from "../../anthropic/seen.js";
import type { FullDriver, ScenarioDirs } from "../../scenario.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { agent, bash } from "../native-tools.js";
import {
  ask,
  decideNext,
  lastRequest,
  lastToolResults,
  mainRequests,
  onlyChildOf,
  putFile,
  textsOf,
  toolStatesOf,
  toolsOf,
} from "../steps.js";

/** Puts a hook that is a command into the project's settings. */
const withHook = (event: string, command: string) => (dirs: ScenarioDirs) =>
  putFile(
    dirs.cwd,
    ".claude/settings.json",
    JSON.stringify({
      hooks: {
        [event]: [{ ...(event === "PreToolUse" && { matcher: "Bash" }), hooks: [{ type: "command", command }] }],
      },
    }),
  );

/** A hook that decides about each command. */
function deciding(permissionDecision: "allow" | "deny" | "ask" | "defer", permissionDecisionReason: string): string {
  const answer = { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason };
  return `echo '${JSON.stringify({ hookSpecificOutput: answer })}'`;
}

const DEFERS = deciding("defer", "Not now.");

/** Defers the first command that it sees, and has no opinion of any later. */
const DEFERS_ONCE = `[ -e deferred ] || { touch deferred; ${DEFERS}; }`;

/** Defers the command that makes a file, once; the others it does not care about. */
const DEFERS_TOUCH_ONCE = `if grep -q 'touch made'; then ${DEFERS_ONCE}; fi`;

const touch = () => message([bash("touch made.txt", "Create made.txt")]);

async function onlyTool(driver: FullDriver): Promise<ToolPart> {
  const [tool] = await toolsOf(driver);
  assert(tool !== undefined, "there is a tool call");
  return tool;
}

export const hookScenarios: readonly ClaudeFullScenario[] = [
  {
    name: "hook-denies",
    title: "A hook of the project denies a command; nobody is asked and the model is told why.",
    requirements: ["hook.denies", "permission.decided-by-agent"],
    setup: withHook("PreToolUse", deciding("deny", "No files today.")),
    script: () => ({ main: [touch(), say("I may not.")] }),
    drive: async (driver) => {
      await ask(driver, "Create made.txt.");
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /No files today\./);
      assert.equal((await onlyTool(driver)).state.status, "error");
    },
  },
  {
    name: "hook-allows",
    title: "A hook of the project allows a command; nobody is asked.",
    requirements: ["hook.allows", "permission.decided-by-agent"],
    setup: withHook("PreToolUse", deciding("allow", "Files are fine.")),
    script: () => ({ main: [touch(), say("Created.")] }),
    drive: async (driver) => {
      await ask(driver, "Create made.txt.");
      assert.equal(lastToolResults(driver.model)[0]?.isError, false);
      assert.equal((await onlyTool(driver)).state.status, "completed");
    },
  },
  {
    name: "hook-asks",
    title: "A hook of the project wants a person to decide about a command that would run unasked.",
    requirements: ["hook.asks"],
    setup: withHook("PreToolUse", deciding("ask", "Better ask.")),
    script: () => ({ main: [message([bash("ls", "List files")]), say("Not listed.")] }),
    drive: async (driver) => {
      await driver.prompt("List the files.");
      const [pending] = await driver.blocked();
      assert(pending !== undefined, "a command is blocked");
      await driver.reply(pending.block.id, { decision: "reject" });
      await driver.idle();
      assert.equal(lastToolResults(driver.model)[0]?.isError, true);
    },
  },
  {
    name: "hook-defers",
    title:
      "A hook defers a command: the CLI is started again, asks for it there, and the turn goes on with the same tool part.",
    requirements: ["hook.defers", "permission.once"],
    setup: withHook("PreToolUse", DEFERS_ONCE),
    script: () => ({
      main: [
        message([text("I create it."), bash("touch made.txt && echo made", "Create made.txt")]),
        say("Created."),
        say("And more."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /^made/);
      assert.deepEqual(await toolStatesOf(driver), ["bash completed"]);
      await ask(driver, "And more.");
      assert.deepEqual(await textsOf(driver), ["I create it.", "Created.", "And more."]);
    },
  },
  {
    name: "hook-defers-rejected",
    title: "A command that a hook deferred is rejected when it is asked for; the model is told why.",
    requirements: ["hook.defers", "permission.reject-message"],
    setup: withHook("PreToolUse", DEFERS_ONCE),
    script: () => ({ main: [touch(), say("I may not.")] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      await decideNext(driver, { decision: "reject", message: "No files, please." });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /No files, please\./);
      assert.deepEqual(await toolStatesOf(driver), ["bash error"]);
    },
  },
  {
    name: "hook-defers-beside",
    title:
      "Of two commands of one response a hook defers the first: the other one runs before, and both have one part.",
    requirements: ["hook.defers"],
    setup: withHook("PreToolUse", DEFERS_TOUCH_ONCE),
    script: () => ({
      main: [message([bash("touch made.txt", "Create made.txt"), bash("ls", "List")]), say("Both done.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt and list the files.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["bash completed", "bash completed"]);
      assert.equal(mainRequests(driver.model), 2);
    },
  },
  {
    name: "hook-defers-again",
    title: "A hook defers a command whenever it comes: nobody is asked, the command fails and the turn ends.",
    requirements: ["hook.defers-again"],
    setup: withHook("PreToolUse", DEFERS),
    script: () => ({ main: [touch(), say("I did nothing.")] }),
    drive: async (driver) => {
      await ask(driver, "Create made.txt.");
      assert.deepEqual(await toolStatesOf(driver), ["bash error"]);
      await ask(driver, "What did you do?");
      assert.deepEqual(await textsOf(driver), ["I did nothing."]);
    },
  },
  {
    name: "hook-defers-killed",
    title: "The CLI dies while a deferred command waits for a decision; when the session goes on, the command is left.",
    requirements: ["hook.defers-left", "process.resume"],
    setup: withHook("PreToolUse", DEFERS_ONCE),
    script: () => ({ main: [touch(), say("I made nothing.")] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      await driver.blocked();
      driver.killAgent("SIGKILL");
      await driver.idle();
      await ask(driver, "What did you do?");
      assert.deepEqual(await toolStatesOf(driver), ["bash error"]);
      assert.deepEqual(await textsOf(driver), ["I made nothing."]);
      assert.equal(mainRequests(driver.model), 2);
    },
  },
  {
    name: "hook-defers-aborted",
    title: "The turn is aborted while a deferred command waits for a decision; the next prompt is answered as any.",
    requirements: ["hook.defers", "abort.blocked"],
    setup: withHook("PreToolUse", DEFERS_ONCE),
    script: () => ({ main: [touch(), say("I made nothing.")] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      await driver.blocked();
      await driver.abort();
      await driver.idle();
      await ask(driver, "What did you do?");
      assert.deepEqual(await toolStatesOf(driver), ["bash error"]);
      assert.equal(mainRequests(driver.model), 2);
    },
  },
  {
    name: "hook-defers-in-subagent",
    title: "A hook defers a command of a subagent: the subagent ends without it, and its parent goes on.",
    requirements: ["hook.defers-in-subagent"],
    setup: withHook("PreToolUse", DEFERS_ONCE),
    script: () => ({ main: [message([agent("maker", "Make a file")]), say("Nothing came back.")], maker: [touch()] }),
    drive: async (driver) => {
      await ask(driver, "Have a file made.");
      const child = await onlyChildOf(driver);
      assert.deepEqual(await toolStatesOf(driver, child.id), ["bash error"]);
      assert.deepEqual(await textsOf(driver), ["Nothing came back."]);
    },
  },
  {
    name: "hook-stop-goes-on",
    title: "A hook does not let the agent stop the first time: it goes on once, in the same turn.",
    requirements: ["hook.stop", "turn.continued"],
    setup: withHook(
      "Stop",
      `[ -e stopped ] || { touch stopped; echo '${JSON.stringify({ decision: "block", reason: "Say goodbye too." })}'; }`,
    ),
    script: () => ({ main: [say("Done."), say("Goodbye.")] }),
    drive: async (driver) => {
      await ask(driver, "Do it.");
      assert.match(userTextIn(lastRequest(driver.model)), /Say goodbye too\./);
    },
  },
];
