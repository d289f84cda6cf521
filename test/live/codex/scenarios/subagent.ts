import assert from "node:assert/strict";
import { call, hang, httpError, output, say, text } from "../../openai/script.js";
import type { FullDriver } from "../../scenario.js";
import { type CodexScenario, PLAIN_MODEL } from "../codex-scenario.js";
import { escalated } from "../native-tools.js";
import { ask, childrenOf, onlyChildOf, showsText, textsOf, toolStatesOf, toolsOf } from "../steps.js";

const agents = (name: string, input: Readonly<Record<string, unknown>>) =>
  call(name, input, { namespace: "multi_agent_v1" });
const spawn = (lane: string) => agents("spawn_agent", { message: `LANE=${lane} Do your part.` });

/** The ids of the subagents that a conversation has started so far. */
function idsIn(body: Readonly<Record<string, unknown>>): string[] {
  const found = JSON.stringify(body.input).matchAll(/agent_id\\*":\s*\\*"([0-9a-f-]+)/g);
  return [...new Set([...found].map((match) => match[1] ?? ""))];
}

const wait = (body: Readonly<Record<string, unknown>>) =>
  output([agents("wait_agent", { targets: idsIn(body), timeout_ms: 30_000 })]);

const PLAIN = { session: { model: PLAIN_MODEL, mode: "acceptEdits" } } as const;

/** The newest subagent, once it is there. */
/** Whoever was away when it was made hears of it as of a session that has changed. */
async function childAppears(driver: FullDriver): Promise<string> {
  const event = await driver.until(({ type, properties }) => {
    return (type === "session.created" || type === "session.updated") && properties.sessionID !== driver.sessionID;
  });
  return event.properties.sessionID;
}

export const subagentScenarios: readonly CodexScenario[] = [
  {
    ...PLAIN,
    name: "subagent",
    title: "The model starts a subagent, waits for it and closes it: a child session with its own conversation.",
    requirements: ["subagent.child", "subagent.foreground", "subagent.text"],
    script: () => ({
      main: [
        output([text("I delegate."), spawn("child")]),
        wait,
        (body) => output([agents("close_agent", { target: idsIn(body)[0] })]),
        say("It is done."),
      ],
      child: [say("Child's result.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Delegate it.");
      const child = await onlyChildOf(driver);
      assert.deepEqual(await textsOf(driver, child.id), ["Child's result."]);
      const [task] = await toolsOf(driver);
      assert(task?.tool === "task" && task.state.status === "completed");
      assert.equal(task.state.metadata.sessionId, child.id);
    },
  },
  {
    ...PLAIN,
    name: "subagent-asks",
    title: "A subagent's command is asked for in the child session and decided from the parent.",
    requirements: ["subagent.permission"],
    script: () => ({
      main: [output([spawn("child")]), wait, say("It is done.")],
      child: [output([escalated("echo child")]), say("Child's result.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Delegate it.");
      const [pending] = await driver.blocked();
      assert(pending && pending.sessionID !== driver.sessionID, "the child's command waits");
      await driver.reply(pending.block.id, { decision: "once" });
      await driver.idle();
      const child = await onlyChildOf(driver);
      assert.deepEqual(await toolStatesOf(driver, child.id), ["bash completed"]);
    },
  },
  {
    ...PLAIN,
    name: "two-subagents-same-ids",
    title: "Two subagents work at once and use the same ids; both wait for permission and are decided one by one.",
    requirements: ["subagent.parallel", "subagent.permission", "subagent.background"],
    script: () => {
      const child = [
        output([escalated("echo same", "Same?", { id: "call_same" })]),
        output([text("Same end.", { id: "msg_same" })]),
      ];
      return {
        main: [output([spawn("one"), spawn("two")]), say("They work.")],
        one: child,
        two: child,
      };
    },
    drive: async (driver) => {
      await driver.prompt("Delegate both.");
      const blocked = await driver.blocked(2);
      const [first, second] = blocked.sort((a, b) => (a.sessionID < b.sessionID ? -1 : 1));
      assert(first && second && first.sessionID !== second.sessionID);
      await driver.reply(second.block.id, { decision: "once" });
      await driver.reply(first.block.id, { decision: "reject" });
      await driver.idle();
      for (const { id } of await childrenOf(driver)) await driver.idle(id);
      const states = await Promise.all((await childrenOf(driver)).map(({ id }) => toolStatesOf(driver, id)));
      assert.deepEqual(states.flat().sort(), ["bash completed", "bash error"]);
    },
  },
  {
    ...PLAIN,
    name: "subagent-aborted-with-parent",
    title: "The parent's turn is aborted while a subagent speaks: the subagent is interrupted too.",
    requirements: ["subagent.aborted", "abort.subagent"],
    script: () => ({
      main: [output([spawn("child")]), hang("parent thinks")],
      child: [output([text("A long tale of a child", { chunk: 8, after: 1, gate: "tale" })])],
    }),
    drive: async (driver) => {
      await driver.prompt("Delegate it.");
      const child = await childAppears(driver);
      await driver.until(showsText("A long"));
      await driver.model.reached("parent thinks");
      await driver.abort();
      await driver.idle();
      await driver.idle(child);
    },
  },
  {
    ...PLAIN,
    name: "subagent-aborted-alone",
    title: "A subagent outlives its parent's turn and is aborted by itself.",
    requirements: ["subagent.stopped", "subagent.outlives-turn"],
    script: () => ({
      main: [output([spawn("child")]), say("It works.")],
      child: [output([text("A long tale of a child", { chunk: 8, after: 1, gate: "tale" })])],
    }),
    drive: async (driver) => {
      await driver.prompt("Delegate it.");
      const child = await childAppears(driver);
      await driver.until(showsText("A long"));
      await driver.idle();
      await driver.request("session.abort", { sessionID: child });
      await driver.idle(child);
    },
  },
  {
    name: "subagent-of-program",
    title: "A newer model's subagent: its start and end are notes, and its task is not shown.",
    requirements: ["subagent.child", "subagent.foreground", "subagent.text"],
    session: { model: "gpt-6.1-sol", mode: "acceptEdits" },
    script: () => ({
      main: [
        output([
          call(
            "spawn_agent",
            { task_name: "helper", message: "Say hi.", fork_turns: "none" },
            { namespace: "collaboration" },
          ),
        ]),
        output([call("wait_agent", { timeout_ms: 10_000 }, { namespace: "collaboration" })]),
        say("It is done."),
      ],
      helper: [say("Child's result.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Delegate it.");
      const child = await onlyChildOf(driver);
      assert.deepEqual(await textsOf(driver, child.id), ["Child's result."]);
    },
  },
  {
    ...PLAIN,
    name: "subagent-nested",
    title: "A subagent starts a subagent of its own.",
    requirements: ["subagent.nested"],
    config: "[agents]\nmax_depth = 2",
    script: () => ({
      main: [output([spawn("outer")]), wait, say("All done.")],
      outer: [
        output([agents("spawn_agent", { message: "LANE=inner Do the work." })]),
        wait,
        say("The inner one did it."),
      ],
      inner: [say("Work done.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Delegate twice.");
      const outer = await onlyChildOf(driver);
      const inner = await onlyChildOf(driver, outer.id);
      assert.deepEqual(await textsOf(driver, inner.id), ["Work done."]);
    },
  },
  {
    ...PLAIN,
    name: "subagent-fails",
    title: "The API refuses a subagent's request; the parent is told and goes on.",
    requirements: ["subagent.failed"],
    script: () => ({
      main: [output([spawn("broken")]), wait, say("It failed.")],
      broken: [httpError(400, { message: "Too odd.", type: "invalid_request_error" })],
    }),
    drive: async (driver) => {
      await ask(driver, "Try it.");
      const child = await onlyChildOf(driver);
      assert(child.error !== undefined, "the subagent's session has the error");
    },
  },
  {
    ...PLAIN,
    name: "subagent-refused",
    title: "A subagent of a kind that does not exist is refused; no session is made.",
    requirements: ["subagent.refused"],
    script: () => ({
      main: [output([agents("spawn_agent", { message: "Do it.", agent_type: "nobody" })]), say("There is no such.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Delegate it.");
      assert.deepEqual(await childrenOf(driver), []);
    },
  },
  {
    name: "subagent-rules",
    title: "A rule of the session allows a command of its subagent; nobody is asked.",
    requirements: ["subagent.rules"],
    session: {
      model: PLAIN_MODEL,
      mode: "acceptEdits",
      permission: [{ permission: "bash", pattern: "*", action: "allow" }],
    },
    script: () => ({
      main: [output([spawn("child")]), wait, say("It is done.")],
      child: [output([escalated("echo child")]), say("Child's result.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Delegate it.");
      const child = await onlyChildOf(driver);
      assert.deepEqual(await toolStatesOf(driver, child.id), ["bash completed"]);
    },
  },
  {
    ...PLAIN,
    name: "subagent-resumed",
    title: "A subagent that has reported is sent a further message: it goes on in its own session.",
    requirements: ["subagent.resumed"],
    script: () => ({
      main: [
        output([spawn("scout")]),
        wait,
        (body) => output([agents("send_input", { target: idsIn(body)[0], message: "Look again." })]),
        wait,
        say("It looked twice."),
      ],
      scout: [say("I looked."), say("I looked again.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Look around, twice.");
      const child = await onlyChildOf(driver);
      assert.deepEqual(await textsOf(driver, child.id), ["I looked.", "I looked again."]);
    },
  },
];
