import pino from "pino";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../src/redact.js";
import { AgentTotals } from "../../../src/session/agent-totals.js";
import { Diagnostics } from "../../../src/session/diagnostics.js";

const ENDING = { at: 1500, code: 0, signal: null, stderr: "" };

function create(level = "debug") {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level, base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  const totals = new AgentTotals();
  const redact = createRedactor({ env: {}, secrets: ["s3cr3t"] });
  return { lines, totals, diagnostics: new Diagnostics({ log, totals, redact }) };
}

describe("noise", () => {
  test("all is counted, and only a little of it kept", () => {
    const { diagnostics, totals } = create();
    for (let i = 0; i < 60; i++) diagnostics.noise(`${i} ${"x".repeat(600)}`);
    expect([diagnostics.noiseCount, totals.noiseLines]).toEqual([60, 60]);
    expect(diagnostics.noiseLines).toHaveLength(50);
    expect(diagnostics.noiseLines[0]).toMatch(/^0 x+$/);
    expect(Math.max(...diagnostics.noiseLines.map(({ length }) => length))).toBe(500);
  });

  test("is kept without secrets, also without half of one that a cut would leave", () => {
    const { diagnostics } = create();
    diagnostics.noise(`${"x".repeat(497)}s3cr3t`);
    diagnostics.fault("a line that does not parse: s3cr3t");
    expect(diagnostics.noiseLines).toEqual([`${"x".repeat(497)}[re`, "a line that does not parse: [redacted]"]);
    expect([diagnostics.noiseCount, diagnostics.faults]).toEqual([1, 1]);
  });
});

describe("unknown kinds", () => {
  test("each is logged once, and counted", () => {
    const { diagnostics, lines, totals } = create();
    for (const kind of ["a", "b", "a", "a"]) diagnostics.unknown(kind);
    expect(lines.map(({ kind }) => kind)).toEqual(["a", "b"]);
    expect([...diagnostics.unknownKinds]).toEqual([
      ["a", 3],
      ["b", 1],
    ]);
    expect(totals.unknownFrames).toBe(4);
  });

  test("an agent that makes them up costs no more than a hundred", () => {
    const { diagnostics, lines } = create();
    for (let i = 0; i < 1000; i++) diagnostics.unknown(`kind ${i}`);
    expect(diagnostics.unknownKinds.size).toBe(101);
    expect(diagnostics.unknownKinds.get("(others)")).toBe(900);
    expect(lines).toHaveLength(101);
  });
});

describe("a process", () => {
  test("is logged once its id is known, and at its end with how long it ran", () => {
    const { diagnostics, lines, totals } = create();
    diagnostics.started("/bin/agent", 1000);
    expect(lines).toEqual([]);
    diagnostics.runs(7);
    diagnostics.runs(7);
    expect(diagnostics.process).toEqual({ pid: 7, program: "/bin/agent", since: 1000 });
    diagnostics.ended({ ...ENDING, code: 3, stderr: "key s3cr3t is wrong" });
    expect(lines).toMatchObject([
      { level: 30, pid: 7, program: "/bin/agent", msg: "an agent was started" },
      { level: 30, pid: 7, code: 3, signal: null, ms: 500, msg: "an agent has ended" },
    ]);
    expect(diagnostics.process).toBeUndefined();
    expect(diagnostics.lastExit).toEqual({ at: 1500, code: 3, signal: null, stderr: "key [redacted] is wrong" });
    expect([totals.starts, totals.exits]).toEqual([1, { exited: 0, failed: 1, killed: 0, error: 0 }]);
  });

  test.each([
    [{ code: 0 }, "exited"],
    [{ code: 1 }, "failed"],
    [{ code: null, signal: "SIGKILL" }, "killed"],
    [{ code: null, error: "not found" }, "error"],
  ] as const)("that ended with %j has %s", (how, reason) => {
    const { diagnostics, totals } = create();
    diagnostics.ended({ ...ENDING, ...how });
    expect(totals.exits[reason]).toBe(1);
  });
});

describe("standard error", () => {
  test("is logged by whole lines, so that no secret is cut in two, and the rest at the end", () => {
    const { diagnostics, lines } = create();
    for (const text of ["one\ntwo s3c", "r3t\nthr", "ee"]) diagnostics.stderr(text);
    diagnostics.ended(ENDING);
    expect(lines.map(({ stderr }) => stderr)).toEqual(["one\n", "two s3cr3t\n", "three", undefined]);
  });

  test("a line without an end is logged all the same", () => {
    const { diagnostics, lines } = create();
    diagnostics.stderr("x".repeat(10_000));
    expect(lines).toHaveLength(1);
  });

  test("costs nothing where nobody asked for it", () => {
    const { diagnostics, lines } = create("info");
    diagnostics.stderr("one\n");
    expect(lines).toEqual([]);
  });
});
