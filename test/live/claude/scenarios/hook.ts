import assert from "node:assert/strict";
import type { ToolPart } from "../../../../schemas/index.js";
import { message, say } from "../../anthropic/script.js";
import { userTextIn } from "../../anthropic/seen.js";
import type { FullDriver, ScenarioDirs } from "../../scenario.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { bash } from "../native-tools.js";
import { ask, lastRequest, lastToolResults, putFile, toolsOf } from "../steps.js";

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
function deciding(permissionDecision: "allow" | "deny" | "ask", permissionDecisionReason: string): string {
  const answer = { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason };
  return `echo '${JSON.stringify({ hookSpecificOutput: answer })}'`;
}

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
