import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { buildJsonSchema } from "../../schemas/json-schema.js";
import { LAWS } from "../../src/conformance/laws/index.js";
import { replay } from "../../src/conformance/replay.js";
import { eventsOf } from "../../src/conformance/run.js";
import { listTraces, readExpected, readTrace } from "../../src/conformance/trace.js";
import { GOLDEN } from "./matrix.js";
import { clientsAtEveryCursor } from "./sync.js";

const ajv = new Ajv2020({ strict: false });
ajv.addSchema(buildJsonSchema(), "wire");
const isWireEvent = ajv.compile({ $ref: "wire#/$defs/WireEvent" });

describe.each(listTraces(GOLDEN))("%s", (folder) => {
  const { run, expected, problems } = replay(readTrace(folder));

  test("golden: every line is consumed, every output expected, the events and the final state as recorded", () => {
    expect(problems).toEqual([]);
    expect(expected).toEqual(readExpected(folder));
  });

  test("schema: the generated JSON Schema accepts each event", () => {
    const refused = eventsOf(run).filter((event) => !isWireEvent(event));
    expect(refused).toEqual([]);
  });

  test.each(LAWS)("law $name", ({ check }) => {
    expect(check(run)).toEqual([]);
  });

  test("law sync: a client that connects at any cursor ends with the same state", () => {
    expect(clientsAtEveryCursor(run)).toEqual([]);
  });
});
