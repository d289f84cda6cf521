import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ADAPTERS } from "../../../../adapters/index.js";
import type { Mode } from "../../../../schemas/index.js";
import { answer, say } from "../../model-server/script.js";
import { ask, lastRequest, putFile, sessionOf } from "../../steps.js";
import type { AcpAgent } from "../acp-agent.js";
import type { AcpScenario, AcpStories } from "../acp-scenario.js";

export const modeStories: AcpStories = (agent) => [
  ...(has(agent, "acceptEdits") ? [acceptEditsStory(agent)] : []),
  ...(has(agent, "bypassPermissions") ? [bypassStory(agent)] : []),
  refusedModeStory(agent),
  ...(agent.otherModel === undefined ? [] : [modelStory(agent.otherModel)]),
];

function has({ id }: AcpAgent, mode: Mode): boolean {
  return ADAPTERS[id]?.modes[mode].fidelity !== "unsupported";
}

function acceptEditsStory(agent: AcpAgent): AcpScenario {
  return {
    name: "mode-accept-edits",
    title: "In the mode acceptEdits a file is changed unasked.",
    requirements: ["mode.acceptEdits"],
    session: { mode: "acceptEdits" },
    setup: ({ cwd }) => putFile(cwd, "list.txt", "one\ntwo\n"),
    script: ({ cwd }) => ({
      main: [
        answer([agent.tools.read(join(cwd, "list.txt"))]),
        answer([agent.tools.edit(join(cwd, "list.txt"), "two", "2")]),
        say("Changed."),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "Change two to 2.");
      assert.equal(await readFile(join(driver.cwd, "list.txt"), "utf8"), "one\n2\n");
    },
  };
}

function bypassStory(agent: AcpAgent): AcpScenario {
  return {
    name: "mode-bypass",
    title: "Between two turns the mode becomes bypassPermissions: a command runs unasked.",
    requirements: ["mode.bypassPermissions", "mode.set"],
    script: () => ({ main: [say("Hello."), answer([agent.tools.shell("touch made.txt", true)]), say("Created.")] }),
    drive: async (driver) => {
      await ask(driver, "Hello?");
      await driver.request("session.setMode", { mode: "bypassPermissions" });
      await ask(driver, "Create made.txt.");
      await access(join(driver.cwd, "made.txt"));
      assert.equal((await sessionOf(driver)).mode, "bypassPermissions");
    },
  };
}

function refusedModeStory(agent: AcpAgent): AcpScenario {
  return {
    name: "mode-refused",
    title: "A mode that the agent lacks is refused, and the old one stays.",
    requirements: ["mode.unsupported"],
    script: () => ({ main: [say("Hello.")] }),
    drive: async (driver) => {
      const mode = has(agent, "safe-yolo") ? "read-only" : "safe-yolo";
      await driver.expectError("not_supported", driver.request("session.setMode", { mode }));
      await ask(driver, "Hello?");
      assert.equal((await sessionOf(driver)).mode, "default");
    },
  };
}

function modelStory(model: string): AcpScenario {
  return {
    name: "model-set",
    title: "The model changes between two turns.",
    requirements: ["model.set"],
    script: () => ({ main: [say("Hello."), say("Hello again.")] }),
    drive: async (driver) => {
      await ask(driver, "Hello?");
      await driver.request("session.setModel", { model });
      await ask(driver, "And now?");
      assert.equal((await sessionOf(driver)).model, model);
      assert(model.includes(String(lastRequest(driver.model).body.model)), "the other model is asked");
    },
  };
}
