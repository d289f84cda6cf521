import assert from "node:assert/strict";
import { message, rawToolUse, say, toolUse } from "../../anthropic/script.js";
import type { Driver } from "../../scenario.js";
import type { ClaudeScenario } from "../claude-scenario.js";
import { bash } from "../native-tools.js";
import { ask, decideNext, lastToolResults } from "../steps.js";

/** A call that the CLI refuses by itself: nobody is asked, the model is told. */
async function refusedCall(driver: Driver): Promise<void> {
  await ask(driver, "Try it.");
  const [result] = lastToolResults(driver.model);
  assert.equal(result?.isError, true);
  assert.match(result?.text ?? "", /tool_use_error|InputValidationError/);
}

export const toolFailureScenarios: readonly ClaudeScenario[] = [
  {
    name: "bash-fails",
    title: "An allowed command prints to both outputs and exits with 3.",
    requirements: ["tool.error", "tool.exit-code", "permission.once"],
    script: () => ({
      main: [message([bash("echo out; echo err >&2; touch tried; exit 3", "Fail")]), say("It failed with 3.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Run it.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.equal(lastToolResults(driver.model)[0]?.isError, true);
    },
  },
  {
    name: "unknown-tool",
    title: "The model calls a tool that does not exist.",
    requirements: ["tool.unknown"],
    script: () => ({ main: [message([toolUse("Frobnicate", { level: 11 })]), say("No such tool, then.")] }),
    drive: refusedCall,
  },
  {
    name: "invalid-tool-input",
    title: "The model calls a known tool without its required input.",
    requirements: ["tool.invalid-input"],
    script: () => ({ main: [message([toolUse("Bash", { description: "No command" })]), say("I forgot the command.")] }),
    drive: refusedCall,
  },
  {
    name: "unparsable-tool-input",
    title: "The model writes a tool input that is not JSON.",
    requirements: ["tool.unparsable-input"],
    script: () => ({ main: [message([rawToolUse("Bash", '{"command": "ls", "descr')]), say("That was broken.")] }),
    drive: refusedCall,
  },
];
