import { expect, test } from "vitest";
import { createTranscript, nextCreated, nextId } from "../../../../adapters/shared/transcript.js";
import { Session } from "../../../../schemas/index.js";
import { AT, createDraft, createSeed, draftAt } from "./draft.js";

test("ids of one session ascend in the order they were given out, whatever they name", () => {
  const draft = createDraft();
  const bodies = Array.from({ length: 100 }, (_, i) => nextId(draft, i % 2 === 0 ? "msg" : "prt").slice(4));
  expect(bodies).toEqual([...bodies].sort());
  expect(new Set(bodies).size).toBe(100);
});

test("ids go on from a stored transcript without a repeat", () => {
  const draft = createDraft();
  const before = nextId(draft, "prt");
  const stored = JSON.parse(JSON.stringify(draft.transcript));
  expect(nextId(draftAt(stored, AT), "prt") > before).toBe(true);
});

test.each([
  ["the clock stands still", [5, 5, 5]],
  ["the clock goes back", [9, 3, 4]],
  ["the clock goes on", [10, 20, 30]],
])("creation times strictly ascend when %s", (_, clock) => {
  const { transcript } = createDraft();
  const times = clock.map((offset) => nextCreated(draftAt(transcript, AT + offset)));
  for (const [i, time] of times.entries()) expect(time).toBeGreaterThan(times[i - 1] ?? AT);
});

test("a session starts idle, with what its seed says and nothing else", () => {
  const seed = createSeed({ model: "m", permission: [{ permission: "*", pattern: "*", action: "ask" }] });
  const { transcript, created } = createTranscript(seed);
  expect(Session.parse(transcript.session)).toMatchObject({
    id: seed.sessionID,
    status: { type: "idle" },
    queue: [],
    model: "m",
    permission: seed.permission,
  });
  expect(transcript.session).not.toHaveProperty("metadata");
  expect(created).toMatchObject({ kind: "wire", event: { type: "session.created" } });
});
