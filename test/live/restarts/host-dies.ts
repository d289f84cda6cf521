import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { ask, lastRequest, textsOf, toolsOf } from "../steps.js";
import type { OutlivingDriver } from "./outliving-driver.js";

const PROMPT = "Create made.txt.";

/**
 * The process that holds the agents is killed with its gateway while a tool waits. Nothing is open afterwards, and the
 * next prompt goes on with the history that the agent kept.
 */
export async function hostDies(driver: OutlivingDriver): Promise<void> {
  await driver.prompt(PROMPT);
  await driver.blocked();
  await driver.loseHost();
  await driver.idle();
  const [tool] = await toolsOf(driver);
  assert(tool?.state.status === "error", "the tool that waited is closed");
  assert.equal(tool.state.block?.decidedBy, "shutdown");
  await ask(driver, "Go on.");
  assert.match(
    JSON.stringify(lastRequest(driver.model).body),
    new RegExp(PROMPT),
    "the agent knows what was said before",
  );
  assert.equal((await textsOf(driver)).at(-1), "Created.");
  await assert.rejects(access(join(driver.cwd, "made.txt")), "the tool never ran");
}
