import { expect, test } from "vitest";
import type { AgentEvent } from "../../../src/process/agent-host.js";
import { AgentReporter } from "../../../src/process/agent-reporter.js";

const ending = { code: 0, signal: null, stderr: "" };

function createReporter(onEvent?: (event: AgentEvent) => void) {
  const events: AgentEvent[] = [];
  const stderr: string[] = [];
  const errors: unknown[] = [];
  let time = 1_000;
  const listener = {
    onEvent: (event: AgentEvent) => {
      events.push(event);
      onEvent?.(event);
    },
    onStderr: (text: string) => void stderr.push(text),
  };
  const context = { epoch: 3, now: () => time++, onListenerError: (error: unknown) => void errors.push(error) };
  return { reporter: new AgentReporter(listener, context), events, stderr, errors };
}

test("events are numbered from 1 and stamped", () => {
  const { reporter, events } = createReporter();
  reporter.report({ kind: "frame", frame: { a: 1 } });
  reporter.report({ kind: "noise", what: "noise", text: "hi" });
  reporter.reportExit(ending);
  expect(events).toEqual([
    { epoch: 3, seq: 1, at: 1_000, kind: "frame", frame: { a: 1 } },
    { epoch: 3, seq: 2, at: 1_001, kind: "noise", what: "noise", text: "hi" },
    { epoch: 3, seq: 3, at: 1_002, kind: "exit", ...ending },
  ]);
});

test("nothing follows the exit", () => {
  const { reporter, events, stderr } = createReporter();
  reporter.reportExit(ending);
  reporter.reportExit({ ...ending, code: 1 });
  reporter.report({ kind: "fault", detail: "late" });
  reporter.reportStderr("late");
  expect(events).toHaveLength(1);
  expect(stderr).toEqual([]);
});

test("a listener that throws gets the next event all the same, and its error is handed over later", async () => {
  const bug = new Error("bug");
  const { reporter, events, errors } = createReporter((event) => {
    if (event.seq === 1) throw bug;
  });
  reporter.report({ kind: "frame", frame: 1 });
  reporter.report({ kind: "frame", frame: 2 });
  expect(events.map((event) => event.seq)).toEqual([1, 2]);
  expect(errors).toEqual([]);
  await Promise.resolve();
  expect(errors).toEqual([bug]);
});
