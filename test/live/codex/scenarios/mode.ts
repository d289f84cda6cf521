import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { output, say, text } from "../../openai/script.js";
import type { CodexScenario } from "../codex-scenario.js";
import { addFile, escalated, exec, patch } from "../native-tools.js";
import { ask, decideNext, lastToolResults, putFile, sessionOf, toolStatesOf } from "../steps.js";

/** Not in a folder for temporary files: the sandbox lets those be written. */
const OUTSIDE = "/opt/agentwire-never.txt";

export const modeScenarios: readonly CodexScenario[] = [
  {
    name: "accept-edits-mode",
    title: "In acceptEdits mode a patch of the project runs unasked; a command that leaves the sandbox asks.",
    requirements: ["mode.acceptEdits"],
    session: { mode: "acceptEdits" },
    script: () => ({
      main: [output([patch(addFile("made.txt", "one"))]), output([escalated("echo out")]), say("Done.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Make it, then get out.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["write completed", "bash completed"]);
    },
  },
  {
    name: "default-mode",
    title: "In default mode everything asks: a patch of the project, and a command that does no harm.",
    requirements: ["mode.default"],
    setup: ({ cwd }) => putFile(cwd, "a.txt", "read me\n"),
    script: () => ({
      main: [output([patch(addFile("made.txt", "one"))]), output([exec("cat a.txt")]), say("Done.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Do it.");
      for (const pattern of ["made.txt", "cat a.txt"]) {
        const { block } = await decideNext(driver, { decision: "once" });
        assert(block.type === "permission");
        assert.deepEqual(block.patterns, [pattern]);
      }
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["write completed", "bash completed"]);
    },
  },
  {
    name: "safe-yolo-mode",
    title:
      "In safe-yolo mode nothing is asked, and nothing leaves the sandbox: what would have to be asked for is refused.",
    requirements: ["mode.safe-yolo"],
    session: { mode: "safe-yolo" },
    script: () => ({
      main: [
        output([exec("touch made.txt")]),
        output([exec(`sleep 0.5; touch ${OUTSIDE}`)]),
        output([escalated(`touch ${OUTSIDE}`)]),
        say("I cannot."),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "Write them.");
      await access(join(driver.cwd, "made.txt"));
      await assert.rejects(access(OUTSIDE), "nothing is written outside");
      assert.match(lastToolResults(driver.model).at(-1)?.text ?? "", /approval/i);
    },
  },
  {
    name: "plan-mode",
    title: "In plan mode the agent reads, and its plan is a part of its own.",
    requirements: ["mode.plan", "plan.text"],
    session: { mode: "plan" },
    setup: ({ cwd }) => putFile(cwd, "a.txt", "read me\n"),
    script: () => ({
      main: [
        output([exec("cat a.txt")]),
        output([text("This is it.\n<proposed_plan>\n# Plan\n- step one\n- step two\n</proposed_plan>\nShall I?")]),
      ],
    }),
    drive: (driver) => ask(driver, "Plan it."),
  },
  {
    name: "read-only-mode",
    title: "In read-only mode a command cannot write, and nothing is asked.",
    requirements: ["mode.read-only", "permission.denied-by-mode"],
    session: { mode: "read-only" },
    script: () => ({
      main: [output([exec("sleep 0.5; touch made.txt")]), output([escalated("touch made.txt")]), say("I cannot.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Write it.");
      await assert.rejects(access(join(driver.cwd, "made.txt")), "nothing is written");
    },
  },
  {
    name: "bypass-mode",
    title: "In bypassPermissions mode a command runs outside of the sandbox, and nothing is asked.",
    requirements: ["mode.bypassPermissions"],
    session: { mode: "bypassPermissions" },
    script: () => ({ main: [output([exec("touch $HOME/made.txt && echo made")]), say("Done.")] }),
    drive: async (driver) => {
      await ask(driver, "Write it.");
      await access(join(driver.home, "made.txt"));
    },
  },
  {
    name: "mode-in-force",
    title: "The session shows what is in force; a new mode holds from the next turn on.",
    requirements: ["mode.changed-by-agent", "mode.set"],
    session: { mode: "acceptEdits" },
    script: () => ({ main: [say("One."), say("Two.")] }),
    drive: async (driver) => {
      await ask(driver, "One.");
      await driver.request("session.setMode", { mode: "read-only" });
      await ask(driver, "Two.");
      const native = (await sessionOf(driver)).metadata?.native as { approvalPolicy?: unknown; sandbox?: unknown };
      assert.deepEqual([native.approvalPolicy, native.sandbox], ["never", "readOnly"]);
    },
  },
  {
    name: "model-and-effort",
    title: "Another model and effort hold from the next turn on.",
    requirements: ["model.set", "option.set"],
    script: () => ({ main: [say("One."), say("Two.")] }),
    drive: async (driver) => {
      await ask(driver, "One.");
      await driver.request("session.setModel", { model: "scripted-model" });
      await driver.request("session.setOption", { option: "effort", value: "low" });
      await ask(driver, "Two.");
      const last = driver.model.requests.at(-1)?.body;
      assert.equal(last?.model, "scripted-model");
    },
  },
];
