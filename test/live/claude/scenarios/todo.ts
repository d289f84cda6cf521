import assert from "node:assert/strict";
import { message, say, toolUse } from "../../anthropic/script.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { agent, taskCreate, taskList, taskUpdate } from "../native-tools.js";
import { ask, lastToolResults, todosOf } from "../steps.js";

const todoWrite = (first: string, second: string) =>
  message([
    toolUse("TodoWrite", {
      todos: [
        { content: "Build", status: first, activeForm: "Building" },
        { content: "Test", status: second, activeForm: "Testing" },
      ],
    }),
  ]);

export const todoScenarios: readonly ClaudeFullScenario[] = [
  {
    name: "tasks",
    title: "Two tasks are made; one is begun and completed.",
    requirements: ["todo.list", "todo.incremental"],
    script: () => ({
      main: [
        message([taskCreate("Build")]),
        message([taskCreate("Test"), taskUpdate("1", "in_progress")]),
        message([taskUpdate("1", "completed"), taskUpdate("2", "in_progress")]),
        message([taskList()]),
        say("Half done."),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "Plan and begin.");
      assert.deepEqual(await todosOf(driver), ["Build: completed", "Test: in_progress"]);
      assert.match(lastToolResults(driver.model).at(-1)?.text ?? "", /#1 \[completed\] Build/);
    },
  },
  {
    name: "task-deleted",
    title: "One of two tasks is deleted; a task that does not exist cannot be changed.",
    requirements: ["todo.list", "todo.removed"],
    script: () => ({
      main: [
        message([taskCreate("Build")]),
        message([taskCreate("Test"), taskUpdate("1", "deleted"), taskUpdate("9", "completed")]),
        say("One left."),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "Plan, then think again.");
      assert.deepEqual(await todosOf(driver), ["Test: pending"]);
    },
  },
  {
    name: "tasks-in-subagent",
    title: "A subagent adds to its parent's list of tasks.",
    requirements: ["todo.list", "todo.shared"],
    script: () => ({
      main: [message([taskCreate("Build")]), message([agent("planner", "Plan the tests")]), say("Two tasks.")],
      planner: [message([taskCreate("Test")]), message([taskUpdate("2", "in_progress")]), say("Planned.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Plan with help.");
      assert.deepEqual(await todosOf(driver), ["Build: pending", "Test: in_progress"]);
    },
  },
  {
    name: "tasks-of-newer-model",
    title: "With a model that has no todo tools by itself the gateway sees to it that there are some.",
    requirements: ["todo.list", "todo.enabled"],
    session: { model: "claude-opus-5-5" },
    script: () => ({ main: [message([taskCreate("Build")]), say("One task.")] }),
    drive: async (driver) => {
      await ask(driver, "Plan.");
      assert.deepEqual(await todosOf(driver), ["Build: pending"]);
    },
  },
  {
    name: "todo-write",
    title: "The older tool writes the whole list each time.",
    requirements: ["todo.list", "todo.whole"],
    env: { CLAUDE_CODE_ENABLE_TASKS: "0" },
    script: () => ({
      main: [todoWrite("in_progress", "pending"), todoWrite("completed", "in_progress"), say("Half done.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Plan and begin.");
      assert.deepEqual(await todosOf(driver), ["Build: completed", "Test: in_progress"]);
    },
  },
];
