import { expect, test } from "vitest";
import { listTraces, readExpected, readTrace } from "../../src/conformance/trace.js";
import { EVIDENCE } from "./evidence.js";
import { GOLDEN } from "./matrix.js";

test("what a trace claims is in its final state", () => {
  const unfounded = listTraces(GOLDEN).flatMap((folder) => {
    const final = JSON.parse(readExpected(folder).final);
    return readTrace(folder)
      .info.requirements.filter((id) => EVIDENCE[id]?.(final) === false)
      .map((id) => `${folder}: ${id}`);
  });
  expect(unfounded).toEqual([]);
});
