import { describe, expect, test } from "vitest";
import { listTraces, readTrace } from "../../src/conformance/trace.js";
import { GOLDEN } from "./matrix.js";

const forks = listTraces(GOLDEN)
  .map((folder) => ({ folder, trace: readTrace(folder) }))
  .filter(({ trace }) => trace.info.origin);

/** A gateway gives a conversation to one session: it must know that a fork does not go on with the other one's. */
describe("a fork's program is started for a copy", () => {
  test.each(forks)("$folder", ({ trace }) => {
    const started = trace.native.flatMap((line) =>
      line.kind === "expect" && line.output.kind === "spawn" ? [line.output] : [],
    );
    expect(started[0]).toMatchObject({ resume: expect.any(String), fork: {} });
  });
});
