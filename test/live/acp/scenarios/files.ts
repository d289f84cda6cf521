import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { answer, say } from "../../model-server/script.js";
import { decideNext, putFile } from "../../steps.js";
import type { AcpAgent } from "../acp-agent.js";
import type { AcpScenario, AcpStories } from "../acp-scenario.js";
import { allow, asksFor } from "../steps.js";

const LIST = "one\ntwo\nthree\n";

export const fileStories: AcpStories = (agent) => [
  {
    name: "edit",
    title: "A file is read, then changed; its diff is shown.",
    requirements: asksFor(agent, "edit") ? ["diff.edit", "tool.edit", "tool.read"] : ["tool.edit", "tool.read"],
    setup: ({ cwd }) => putFile(cwd, "list.txt", LIST),
    script: ({ cwd }) => ({
      main: [
        answer([agent.tools.read(join(cwd, "list.txt"))]),
        answer([agent.tools.edit(join(cwd, "list.txt"), "two", "2")]),
        say("Changed."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Change two to 2.");
      await allow(agent, driver, "edit");
      await driver.idle();
      assert.equal(await readFile(join(driver.cwd, "list.txt"), "utf8"), "one\n2\nthree\n");
    },
  },
  {
    name: "write",
    title: "A new file is written; its diff is shown.",
    requirements: asksFor(agent, "write") ? ["diff.new-file", "tool.write"] : ["tool.write"],
    script: ({ cwd }) => ({ main: [answer([agent.tools.write(join(cwd, "hello.txt"), "hello\n")]), say("Written.")] }),
    drive: async (driver) => {
      await driver.prompt("Write hello.txt.");
      await allow(agent, driver, "write");
      await driver.idle();
      assert.equal((await readFile(join(driver.cwd, "hello.txt"), "utf8")).trim(), "hello");
    },
  },
  ...(asksFor(agent, "write") ? [rejectedStory(agent)] : []),
];

function rejectedStory(agent: AcpAgent): AcpScenario {
  const goesOn = agent.habits.afterReject === "goes-on";
  return {
    name: "write-reject",
    title: "A new file is rejected and not written.",
    requirements: ["permission.reject", "diff.new-file"],
    script: ({ cwd }) => ({
      main: [answer([agent.tools.write(join(cwd, "hello.txt"), "hello\n")]), ...(goesOn ? [say("Not written.")] : [])],
    }),
    drive: async (driver) => {
      await driver.prompt("Write hello.txt.");
      await decideNext(driver, { decision: "reject" });
      await driver.idle();
      await assert.rejects(access(join(driver.cwd, "hello.txt")), "no file is written");
    },
  };
}
