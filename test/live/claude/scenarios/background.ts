import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WireEvent } from "../../../../schemas/index.js";
import { message, say, toolUse } from "../../anthropic/script.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { backgroundBash, bash } from "../native-tools.js";
import { decideNext, fileAppears, lastToolResults, showsText, toolStatesOf } from "../steps.js";

/** Makes a pipe, tells by a line and a file that it is there, and waits for a line in it. */
const PATIENT = "mkfifo go && echo begun && touch started && cat go";
/** In the result of its call the CLI tells the model the id of the command and the file of its output. */
const recall = { task: /with ID: (\w+)/, output: /Output is being written to: (\S+)\. / };

/** Matches the event by which a client sees that the CLI counts a command among its tasks, which it does after 3 s. */
function showsTask(event: WireEvent): boolean {
  if (event.type !== "message.part.updated" || event.properties.part.type !== "tool") return false;
  const { state } = event.properties.part;
  return state.status === "running" && state.metadata?.taskID !== undefined;
}

/** Matches the event by which a client sees what the only task in the background has written, and how it stands. */
function showsBackground(output: RegExp, status: string): (event: WireEvent) => boolean {
  return (event) => {
    if (event.type !== "session.updated") return false;
    const native = event.properties.info.metadata?.native as { backgroundTasks?: Task[] } | undefined;
    const [task] = native?.backgroundTasks ?? [];
    return task?.status === status && output.test(task.output ?? "");
  };
}

/** Matches the event by which all of these were seen. */
function inAnyOrder(...wanted: readonly ((event: WireEvent) => boolean)[]): (event: WireEvent) => boolean {
  const open = new Set(wanted);
  return (event) => {
    for (const matches of open) if (matches(event)) open.delete(matches);
    return open.size === 0;
  };
}

interface Task {
  readonly status: string;
  readonly output?: string;
}

/** Matches the event by which a client sees that a tool which runs is alive. */
function showsProgress(event: WireEvent): boolean {
  if (event.type !== "message.part.updated" || event.properties.part.type !== "tool") return false;
  const { state } = event.properties.part;
  return state.status === "running" && state.metadata?.elapsedMs === 30_000;
}

export const backgroundScenarios: readonly ClaudeFullScenario[] = [
  {
    name: "background-command",
    title:
      "A command in the background ends after the turn: its output and its end are on the session, and the agent hears of it and says so by itself.",
    requirements: ["turn.own", "tool.background", "tool.background-output"],
    script: () => ({
      main: [message([backgroundBash(PATIENT, "Wait")]), say("It runs."), say("It has ended.")],
    }),
    drive: async (driver) => {
      await driver.prompt("Start it.");
      await decideNext(driver, { decision: "once" });
      await driver.until(inAnyOrder(showsText("It runs."), showsBackground(/^begun\n$/, "running")));
      await driver.idle();
      await writeFile(join(driver.cwd, "go"), "gone\n");
      await driver.until(inAnyOrder(showsBackground(/^begun\ngone\n$/, "completed"), showsText("It has ended.")));
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["bash completed"]);
    },
  },
  {
    name: "background-command-output",
    title: "What a command in the background has written is read while it runs.",
    requirements: ["tool.background", "turn.own"],
    script: () => ({
      main: [
        message([backgroundBash(PATIENT, "Wait")]),
        message([toolUse("Read", { file_path: "{{output}}" }, { chunk: 1000 })], { recall, gate: "look" }),
        say("It has begun."),
        say("It has ended."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Start it and look.");
      await decideNext(driver, { decision: "once" });
      await fileAppears(join(driver.cwd, "started"));
      driver.model.open("look");
      await driver.until(showsText("It has begun."));
      await driver.idle();
      assert.match(lastToolResults(driver.model).at(-1)?.text ?? "", /begun/);
      await writeFile(join(driver.cwd, "go"), "gone\n");
      await driver.until(inAnyOrder(showsBackground(/gone/, "completed"), showsText("It has ended.")));
      await driver.idle();
    },
  },
  {
    name: "background-command-stopped",
    title: "The agent stops a command that it runs in the background.",
    requirements: ["tool.background", "tool.background-stopped"],
    script: () => ({
      main: [
        message([backgroundBash(PATIENT, "Wait")]),
        message([toolUse("TaskStop", { task_id: "{{task}}" })], { recall, gate: "stop" }),
        say("Stopped."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Start it and stop it.");
      await decideNext(driver, { decision: "once" });
      await fileAppears(join(driver.cwd, "started"));
      driver.model.open("stop");
      await driver.until(showsBackground(/begun/, "stopped"));
      await driver.idle();
      assert.equal(lastToolResults(driver.model).at(-1)?.isError, false);
    },
  },
  {
    name: "slow-command",
    title: "A command runs so long that the agent counts it among its tasks, then it ends.",
    requirements: ["tool.slow"],
    script: () => ({ main: [message([bash(PATIENT, "Wait")]), say("It has ended.")] }),
    drive: async (driver) => {
      await driver.prompt("Run it.");
      await decideNext(driver, { decision: "once" });
      await driver.until(showsTask);
      await writeFile(join(driver.cwd, "go"), "gone\n");
      await driver.until(showsText("It has ended."));
      await driver.idle();
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /^begun\ngone/);
      assert.deepEqual(await toolStatesOf(driver), ["bash completed"]);
    },
  },
  {
    name: "silent-command",
    title: "A command that is silent for half a minute says that it is alive.",
    requirements: ["tool.progress"],
    script: () => ({ main: [message([bash(PATIENT, "Wait")]), say("It has ended.")] }),
    drive: async (driver) => {
      await driver.prompt("Run it.");
      await decideNext(driver, { decision: "once" });
      await driver.until(showsProgress);
      await writeFile(join(driver.cwd, "go"), "gone\n");
      await driver.until(showsText("It has ended."));
      await driver.idle();
    },
  },
];
