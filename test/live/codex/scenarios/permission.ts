import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { call, output, say, text } from "../../openai/script.js";
import { userTextIn } from "../../openai/seen.js";
import { ALWAYS, REJECT_INTERRUPT } from "../../stories.js";
import type { CodexScenario } from "../codex-scenario.js";
import { addFile, escalated, exec, patch } from "../native-tools.js";
import { ask, decideNext, lastRequest, lastToolResults, putFile, toolStatesOf } from "../steps.js";

const COUNT = escalated("printf x >> count");
/** A command in a terminal that waits for a line. */
const TERMINAL = call("exec_command", {
  cmd: "read x; echo got $x",
  tty: true,
  yield_time_ms: 400,
  sandbox_permissions: "require_escalated",
  justification: "May I?",
});
/** The number that the CLI gave the terminal. */
const sessionIn = (body: unknown) => Number(/session ID (\d+)/.exec(JSON.stringify(body))?.[1]);
const READ_ONLY_ASKS = { session: { mode: "plan" } } as const;

export const permissionScenarios: readonly CodexScenario[] = [
  {
    name: "exec-once",
    title: "A command is asked for, allowed once and runs.",
    requirements: ["permission.once", "tool.completed", "tool.output"],
    script: () => ({ main: [output([text("I create it."), exec("touch made.txt && echo made")]), say("Created.")] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /made\n/);
    },
  },
  {
    name: "exec-reject",
    title: "A command is rejected; the model goes on.",
    requirements: ["permission.reject"],
    script: () => ({ main: [output([exec("touch made.txt")]), say("Then I will not.")] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      await decideNext(driver, { decision: "reject" });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /rejected/i);
    },
  },
  {
    name: "exec-reject-message",
    title: "A command is rejected with a message; the model reads it as a word of its user.",
    requirements: ["permission.reject", "permission.reject-message"],
    script: () => ({ main: [output([exec("touch made.txt")]), say("Another name, then.")] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      await decideNext(driver, { decision: "reject", message: "Use another name, please." });
      await driver.idle();
      assert.match(userTextIn(lastRequest(driver.model)), /Use another name/);
    },
  },
  {
    ...REJECT_INTERRUPT,
    name: "exec-reject-interrupt",
    script: () => ({ main: [output([exec("touch made.txt")])] }),
  },
  {
    ...ALWAYS,
    name: "exec-always",
    script: () => ({ main: [output([COUNT]), say("Once."), output([COUNT]), say("Twice.")] }),
  },
  {
    name: "exec-always-other-command",
    title: "A command is always allowed; another one is still asked for.",
    requirements: ["permission.always", "permission.always-is-narrow"],
    script: () => ({ main: [output([COUNT]), output([escalated("mkfifo pipe")]), say("No pipe, then.")] }),
    drive: async (driver) => {
      await driver.prompt("Count, then make a pipe.");
      await decideNext(driver, { decision: "always" });
      await decideNext(driver, { decision: "reject" });
      await driver.idle();
      assert.match(lastToolResults(driver.model).at(-1)?.text ?? "", /rejected/i);
    },
  },
  {
    name: "exec-rule-option",
    title: "The CLI offers to write a rule for a command; it is an option of the ask, and holds in the next turn.",
    requirements: ["permission.option"],
    session: { mode: "acceptEdits" },
    script: () => ({
      main: [
        output([
          call("exec_command", {
            cmd: "touch made.txt",
            sandbox_permissions: "require_escalated",
            justification: "May I?",
            prefix_rule: ["touch"],
          }),
        ]),
        say("Done."),
        output([escalated("touch other.txt")]),
        say("Done again."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Touch it.");
      const [pending] = await driver.blocked();
      assert(pending?.block.type === "permission");
      assert.deepEqual(
        pending.block.options?.map(({ optionID }) => optionID),
        ["acceptWithExecpolicyAmendment"],
      );
      await driver.reply(pending.block.id, { optionID: "acceptWithExecpolicyAmendment" });
      await driver.idle();
      await ask(driver, "Touch another.");
    },
  },
  {
    name: "exec-escalated",
    title: "The model asks to leave the sandbox and says why.",
    requirements: ["permission.once"],
    session: { mode: "acceptEdits" },
    script: () => ({ main: [output([escalated("echo out", "I need the network.")]), say("Done.")] }),
    drive: async (driver) => {
      await driver.prompt("Get out.");
      const pending = await decideNext(driver, { decision: "once" });
      assert(pending.block.type === "permission");
      assert.equal(pending.block.metadata.reason, "I need the network.");
      await driver.idle();
    },
  },
  {
    name: "stdin-asks",
    title:
      "The model writes into a command that runs outside of the sandbox: that asks, beside the part of the command.",
    requirements: ["permission.stdin", "permission.reject"],
    session: { mode: "acceptEdits" },
    script: () => ({
      main: [
        output([TERMINAL]),
        (body) => output([call("write_stdin", { session_id: sessionIn(body), chars: "yes\n", yield_time_ms: 500 })]),
        (body) => output([call("write_stdin", { session_id: sessionIn(body), chars: "no\n", yield_time_ms: 500 })]),
        say("Done."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Answer it.");
      await decideNext(driver, { decision: "once" });
      const pending = await decideNext(driver, { decision: "reject" });
      assert(pending.block.type === "permission");
      assert.equal(pending.block.metadata.kind, "writeStdin");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.match(lastToolResults(driver.model).at(-1)?.text ?? "", /got no/);
      assert.deepEqual(await toolStatesOf(driver), ["bash completed", "bash error", "bash completed"]);
    },
  },
  {
    name: "session-rule-allows",
    title: "A rule of the session allows a command that the CLI asks for.",
    requirements: ["permission.rule-allow"],
    session: { permission: [{ permission: "bash", pattern: "*", action: "allow" }] },
    script: () => ({ main: [output([exec("touch a.txt")]), say("Created.")] }),
    drive: (driver) => ask(driver, "Create a.txt."),
  },
  {
    name: "session-rule-denies",
    title: "A rule of the session denies a command that the CLI asks for.",
    requirements: ["permission.rule-deny"],
    session: { permission: [{ permission: "bash", pattern: "*", action: "deny" }] },
    script: () => ({ main: [output([exec("touch a.txt")]), say("Not allowed.")] }),
    drive: (driver) => ask(driver, "Create a.txt."),
  },
  {
    name: "user-rule-asks",
    title: "A rule in the user's own settings makes the CLI ask for a harmless command.",
    requirements: ["permission.asked-by-user-settings"],
    session: { mode: "acceptEdits" },
    setup: ({ home }) =>
      putFile(
        home,
        ".codex/rules/default.rules",
        'prefix_rule(pattern = ["git", "status"], decision = "prompt", justification = "look first")\n',
      ),
    script: () => ({ main: [output([exec("git status")]), say("Not a repository.")] }),
    drive: async (driver) => {
      await driver.prompt("Status?");
      await decideNext(driver, { decision: "reject" });
      await driver.idle();
    },
  },
  {
    name: "automatic-review",
    title: "The user has set a model to decide in their place: its verdict is on the tool's part.",
    requirements: ["permission.decided-by-agent"],
    session: { mode: "acceptEdits" },
    top: 'approvals_reviewer = "auto_review"',
    script: () => ({
      main: [output([escalated("echo out")]), say("Done.")],
      reviewer: [
        say('{"risk_level":"low","user_authorization":"high","outcome":"allow","rationale":"It is harmless."}'),
      ],
    }),
    drive: (driver) => ask(driver, "Get out."),
  },
  {
    name: "exec-rebuilt",
    title: "While a command waits, its session is built anew from what is stored; it is allowed and runs.",
    requirements: ["permission.rebuilt"],
    script: () => ({ main: [output([exec("touch made.txt && echo made")]), say("Created.")] }),
    drive: async (driver) => {
      await driver.prompt("Create made.txt.");
      const [waiting] = await driver.blocked();
      driver.rebuild();
      assert.deepEqual(await driver.blocked(), [waiting]);
      await decideNext(driver, { decision: "once" });
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /made\n/);
    },
  },
  {
    name: "late-reply",
    title: "A second answer to the same question is refused; the first one stands.",
    requirements: ["permission.first-wins"],
    script: () => ({ main: [output([exec("touch a.txt")]), say("Created.")] }),
    drive: async (driver) => {
      await driver.prompt("Create a.txt.");
      const { block } = await decideNext(driver, { decision: "once" });
      await driver.expectError("conflict", driver.reply(block.id, { decision: "reject" }));
      await driver.idle();
    },
  },
  {
    ...READ_ONLY_ASKS,
    name: "patch-once",
    title: "A patch is asked for with its diff, allowed once and applied.",
    requirements: ["diff.new-file", "permission.once", "tool.write"],
    script: () => ({ main: [output([patch(addFile("made.txt", "one"))]), say("Made.")] }),
    drive: async (driver) => {
      await driver.prompt("Make made.txt.");
      const { block } = await decideNext(driver, { decision: "once" });
      assert(block.type === "permission" && /\+one/.test(String(block.metadata.diff)));
      await driver.idle();
      assert.equal(await readFile(join(driver.cwd, "made.txt"), "utf8"), "one\n");
    },
  },
  {
    ...READ_ONLY_ASKS,
    name: "patch-edit-reject",
    title: "A change of a file is asked for with its diff and rejected.",
    requirements: ["diff.edit", "permission.reject", "tool.edit"],
    setup: ({ cwd }) => putFile(cwd, "a.txt", "old line\nkeep\n"),
    script: () => ({
      main: [output([patch(["*** Update File: a.txt", "@@", "-old line", "+new line"])]), say("Then not.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Change it.");
      const { block } = await decideNext(driver, { decision: "reject" });
      assert(block.type === "permission" && /-old line\n\+new line/.test(String(block.metadata.diff)));
      await driver.idle();
      assert.equal(await readFile(join(driver.cwd, "a.txt"), "utf8"), "old line\nkeep\n");
    },
  },
  {
    ...READ_ONLY_ASKS,
    name: "patch-always",
    title: "Changes of a file are always allowed: the next one of it is not asked for, one of another file is.",
    requirements: ["permission.always", "permission.not-asked-again", "permission.always-is-narrow"],
    setup: ({ cwd }) => putFile(cwd, "a.txt", "one\n"),
    script: () => ({
      main: [
        output([patch(["*** Update File: a.txt", "@@", "-one", "+two"])]),
        output([patch(["*** Update File: a.txt", "@@", "-two", "+three"])]),
        output([patch(addFile("b.txt", "x"))]),
        say("Done."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Change them.");
      await decideNext(driver, { decision: "always" });
      const { block } = await decideNext(driver, { decision: "reject" });
      assert(block.type === "permission");
      assert.deepEqual(block.patterns, ["b.txt"]);
      await driver.idle();
    },
  },
  {
    name: "more-permissions",
    title: "The model asks for the network as such; the user grants it for the session.",
    requirements: ["permission.requested-by-model"],
    session: { mode: "acceptEdits" },
    features: "request_permissions_tool = true",
    script: () => ({
      main: [
        output([
          call("request_permissions", { reason: "I need the network.", permissions: { network: { enabled: true } } }),
        ]),
        say("Thanks."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Get it.");
      const { block } = await decideNext(driver, { decision: "always" });
      assert(block.type === "permission");
      assert.deepEqual(block.patterns, ["network"]);
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["permissions completed"]);
    },
  },
  {
    name: "more-permissions-rejected",
    title: "The model asks for the network as such and does not get it.",
    requirements: ["permission.requested-by-model", "permission.reject"],
    session: { mode: "acceptEdits" },
    features: "request_permissions_tool = true",
    script: () => ({
      main: [
        output([
          call("request_permissions", { reason: "I need the network.", permissions: { network: { enabled: true } } }),
        ]),
        say("Then not."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Get it.");
      await decideNext(driver, { decision: "reject" });
      await driver.idle();
    },
  },
];
