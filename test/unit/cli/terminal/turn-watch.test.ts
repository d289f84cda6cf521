import { expect, test } from "vitest";
import type { AssistantMessage, Finish, UserMessage, WireEvent } from "../../../../schemas/index.js";
import { TurnWatch } from "../../../../src/cli/terminal/turn-watch.js";
import { message, session, status } from "../../server/events.js";

const SES = "ses_1";

function prompted(id: string): WireEvent {
  return { type: "message.updated", properties: { sessionID: SES, info: { id, role: "user" } as UserMessage } };
}

function answered(finish: Finish, sessionID = SES): WireEvent {
  const { properties } = message("msg_a", sessionID) as { properties: { info: AssistantMessage } };
  return { type: "message.updated", properties: { sessionID, info: { ...properties.info, finish } } };
}

function told(type: "idle" | "busy"): WireEvent {
  return { type: "session.updated", properties: { sessionID: SES, info: { ...session(), status: { type } } } };
}

function watching(...events: WireEvent[]) {
  const turns = new TurnWatch(SES);
  for (const event of events) turns.hear(event);
  let isOver = false;
  void turns.untilAnswered("msg_1").then(() => {
    isOver = true;
  });
  return { turns, isOver: () => new Promise<boolean>((resolve) => setImmediate(() => resolve(isOver))) };
}

test.each<[string, WireEvent[], boolean]>([
  ["when its turn has ended", [prompted("msg_1"), status("busy"), status("idle")], true],
  ["and not while it runs", [prompted("msg_1"), status("busy")], false],
  ["and not before it begins", [prompted("msg_1"), told("idle")], false],
  ["and not with the turn before it", [status("busy"), status("idle"), prompted("msg_1")], false],
  ["and not with a subagent's", [prompted("msg_1"), status("busy"), status("idle", "ses_2")], false],
  ["with the turn that it joins", [status("busy"), prompted("msg_1"), status("idle")], true],
  ["also when all of it happened unheard", [prompted("msg_1"), answered("stop"), told("idle")], true],
])("a prompt is answered %s", async (_, events, expected) => {
  expect(await watching(...events).isOver()).toBe(expected);
});

test("the exit code tells how the newest turn of the session ended", () => {
  const turns = new TurnWatch(SES);
  expect(turns.exitCode).toBe(0);
  const hear = (...events: WireEvent[]) => {
    for (const event of events) turns.hear(event);
    return turns.exitCode;
  };
  expect(hear(status("busy"), answered("stop"), answered("error", "ses_2"), status("idle"))).toBe(0);
  expect(hear(status("busy"), answered("aborted"), status("idle"))).toBe(7);
  expect(hear(status("busy"), status("idle"))).toBe(7);
  expect(hear(status("busy"), answered("tool-calls"), status("idle"))).toBe(0);
});

test("the exit code of a prompt is that of its turn, also where it was not heard to run", async () => {
  const { turns, isOver } = watching(prompted("msg_1"), answered("error"), told("idle"));
  expect(await isOver()).toBe(true);
  expect(turns.exitCode).toBe(7);
});

test("whoever waits for it is told when no turn runs", async () => {
  const changes: boolean[] = [];
  const turns = new TurnWatch(SES, (isIdle) => changes.push(isIdle));
  await turns.untilIdle();
  turns.hear(status("busy"));
  const idle = turns.untilIdle();
  turns.hear(told("idle"));
  await idle;
  expect(changes).toEqual([false, true]);
});
