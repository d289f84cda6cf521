import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { answer, say } from "../../model-server/script.js";
import { ask, decideNext } from "../../steps.js";
import type { AcpAgent } from "../acp-agent.js";
import type { AcpScenario, AcpStories } from "../acp-scenario.js";
import { asksFor } from "../steps.js";

/** Stories of an agent that asks for commands: who else than the user answers. */
export const ruleStories: AcpStories = (agent) => (asksFor(agent, "shell") ? storiesOf(agent) : []);

function storiesOf(agent: AcpAgent): AcpScenario[] {
  const { shell } = agent.tools;
  const goesOn = agent.habits.afterReject === "goes-on";
  return [
    {
      name: "shell-always",
      title: "A command is always allowed: the same one is not asked for again.",
      requirements: ["permission.always", "permission.not-asked-again"],
      script: () => ({
        main: [answer([shell("echo one >> list.txt")]), answer([shell("echo one >> list.txt")]), say("Both done.")],
      }),
      drive: async (driver) => {
        await driver.prompt("Do it twice.");
        await decideNext(driver, { decision: "always" });
        await driver.idle();
      },
    },
    {
      name: "rule-allows",
      title: "A rule of the session allows a command that the agent asks for.",
      requirements: ["permission.rule-allow"],
      session: { permission: [{ permission: "bash", pattern: "*", action: "allow" }] },
      script: () => ({ main: [answer([shell("touch made.txt")]), say("Created.")] }),
      drive: async (driver) => {
        await ask(driver, "Create made.txt.");
        await access(join(driver.cwd, "made.txt"));
      },
    },
    {
      name: "rule-denies",
      title: "A rule of the session denies a command that the agent asks for.",
      requirements: ["permission.rule-deny"],
      session: { permission: [{ permission: "bash", pattern: "*", action: "deny" }] },
      script: () => ({ main: [answer([shell("touch made.txt")]), ...(goesOn ? [say("Not allowed.")] : [])] }),
      drive: async (driver) => {
        await ask(driver, "Create made.txt.");
        await assert.rejects(access(join(driver.cwd, "made.txt")), "the command does not run");
      },
    },
  ];
}
