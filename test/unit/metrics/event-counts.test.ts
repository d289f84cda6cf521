import { expect, test } from "vitest";
import type { AssistantMessage, SessionStatus, WireEvent } from "../../../schemas/index.js";
import { EventCounts } from "../../../src/metrics/event-counts.js";

const status = (sessionID: string, type: "busy" | "idle"): WireEvent => ({
  type: "session.status",
  properties: { sessionID, status: { type } as SessionStatus },
});
const answer = (sessionID: string, finish?: AssistantMessage["finish"]): WireEvent => ({
  type: "message.updated",
  properties: { sessionID, info: { id: "msg_1", sessionID, role: "assistant", finish } as AssistantMessage },
});

function count(...events: WireEvent[]): EventCounts {
  const counts = new EventCounts();
  for (const event of events) counts.hear([{ event }]);
  return counts;
}

test("events are counted by type, also those that nobody sent yet", () => {
  const { events } = count(status("ses_1", "busy"), status("ses_1", "idle"));
  expect(events["session.status"]).toBe(2);
  expect(events["message.part.delta"]).toBe(0);
});

test("a turn counts once, by how its last answer ended", () => {
  const { turns } = count(
    status("ses_1", "busy"),
    answer("ses_1", "tool-calls"),
    status("ses_1", "busy"),
    answer("ses_1"),
    answer("ses_1", "stop"),
    status("ses_1", "idle"),
    status("ses_1", "idle"),
  );
  expect([...turns]).toEqual([["stop", 1]]);
});

test("turns of several sessions are kept apart, and one without an answer counts as none", () => {
  const { turns } = count(
    status("ses_1", "busy"),
    status("ses_2", "busy"),
    answer("ses_1", "error"),
    status("ses_2", "idle"),
    status("ses_1", "idle"),
  );
  expect([...turns].sort()).toEqual([
    ["error", 1],
    ["none", 1],
  ]);
});

test("an answer outside a turn, and a session that is deleted in one, count as no turn", () => {
  const { turns } = count(
    answer("ses_1", "stop"),
    status("ses_1", "idle"),
    status("ses_2", "busy"),
    { type: "session.deleted", properties: { sessionID: "ses_2" } },
    status("ses_2", "idle"),
  );
  expect([...turns]).toEqual([]);
});
