import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { WireEvent } from "../../../schemas/index.js";
import { EMPTY_STATE, finalDocument, hasHole, reduce, type WireState } from "../../../src/client/index.js";
import { listTraces } from "../../../src/conformance/trace.js";
import { GOLDEN } from "../../conformance/matrix.js";

function read(folder: string, name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

/** The same vectors that the store's reducer is held to. */
describe.each(listTraces(GOLDEN))("%s", (folder) => {
  const events = read(folder, "wire.jsonl")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as WireEvent);
  const final = JSON.parse(read(folder, "final.json")) as object;
  const reduceAll = (all: readonly WireEvent[]): WireState => all.reduce<WireState>(reduce, EMPTY_STATE);

  test("its events come to its final state, also each of them twice", () => {
    expect(finalDocument(reduceAll(events))).toEqual(final);
    expect(finalDocument(reduceAll(events.flatMap((event) => [event, event])))).toEqual(final);
  });

  test("no event has a hole before it", () => {
    let state = EMPTY_STATE;
    for (const event of events) {
      expect(hasHole(state, event)).toBe(false);
      state = reduce(state, event);
    }
  });
});

test("a hole is seen, and a snapshot fills it", () => {
  const delta: WireEvent = {
    type: "message.part.delta",
    properties: { sessionID: "ses_1", messageID: "msg_1", partID: "prt_1", field: "text", offset: 3, delta: "x" },
  };
  expect(hasHole(EMPTY_STATE, delta)).toBe(true);
  expect(reduce(EMPTY_STATE, delta)).toBe(EMPTY_STATE);
  const state: WireState = { sessions: {} };
  expect(reduce(EMPTY_STATE, { type: "snapshot", properties: { state } })).toBe(state);
  expect(reduce(state, { type: "gap", properties: {} })).toBe(state);
});
