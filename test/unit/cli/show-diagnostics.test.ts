import { expect, test } from "vitest";
import type { SessionDiagnostics } from "../../../schemas/index.js";
import { showDiagnostics } from "../../../src/cli/show-diagnostics.js";

const NOW = 1_000_000_000;
const IDLE: SessionDiagnostics = {
  sessionID: "ses_1",
  agent: "claude",
  atWork: false,
  processes: 0,
  frames: 0,
  unknownFrames: {},
  noise: { count: 0, lines: [] },
  faults: 0,
  stalls: 0,
  waiting: { inputs: 0, effects: 0, timers: 0, reads: 0 },
};

test("a session that this gateway has not used", () => {
  expect(showDiagnostics(IDLE, NOW)).toEqual([
    "session     ses_1 of claude, not at work in this gateway",
    "process     none runs, 0 so far",
    "frames      0",
    "noise       0 lines, 0 broken frames",
    "silences    0",
    "waiting     0 inputs, 0 effects, 0 timers, 0 reads",
  ]);
});

test("one at work, whose agent died before and talks; what it wrote drives no terminal", () => {
  const lines = showDiagnostics(
    {
      ...IDLE,
      atWork: true,
      process: { pid: 42, program: "/bin/claude", since: NOW - 3_905_000 },
      processes: 2,
      lastExit: { at: NOW - 86_400_000, code: null, signal: "SIGKILL", stderr: "one\n\n\u001b[2Jtwo\n" },
      frames: 12,
      lastFrameAt: NOW - 400,
      unknownFrames: { a: 3, "b\u0007": 1 },
      noise: { count: 60, lines: ["hello\tthere"] },
      stalls: 1,
    },
    NOW,
  );
  expect(lines).toEqual([
    "session     ses_1 of claude",
    "process     42, /bin/claude, for 1 h 5 min, 2 so far",
    "last exit   signal SIGKILL, 1 d 0 h ago",
    "            one",
    "            \\u001b[2Jtwo",
    "frames      12, the last 0 s ago",
    "unknown     a 3, b\\u0007 1",
    "noise       60 lines, 0 broken frames",
    "            hello\\u0009there",
    "silences    1",
    "waiting     0 inputs, 0 effects, 0 timers, 0 reads",
  ]);
});

test("a process that an earlier gateway started, and one that was not started", () => {
  const lastExit = { at: NOW - 12_000, code: null, signal: null, error: "no such program", stderr: "" };
  const lines = showDiagnostics({ ...IDLE, process: { since: NOW - 61_000 }, processes: 1, lastExit }, NOW);
  expect(lines.slice(1, 3)).toEqual([
    "process     not known yet, started by an earlier gateway, for 1 min 1 s, 1 so far",
    "last exit   no such program, 12 s ago",
  ]);
});
