import { afterEach, expect, test } from "vitest";
import { SERVER_LIMITS } from "../../../src/server/server-limits.js";
import { delta, message, partUpdated, sessionCreated, status, text } from "../../unit/server/events.js";
import { Serving } from "./serving.js";

const DELTAS = 50_000;
const DELTA = "0123456789abcdef".repeat(13).slice(0, 200);
const PER_GROUP = 10;
const P = { id: "prt_1" };

let serving: Serving;
afterEach(() => serving.stop());

test("a client that does not read costs a bounded buffer, slows nobody, and ends with the same text", async () => {
  serving = await Serving.start();
  const { store, server } = serving;
  const [slow, fast] = [await serving.connect(), await serving.connect()];
  for (const peer of [slow, fast]) await peer.request(1, "events.subscribe");
  store.publish(sessionCreated(), message("msg_1"), partUpdated(text(P)));
  await slow.until(() => slow.frames.length === 1);
  slow.socket.pause();

  let mostPending = 0;
  for (let at = 0; at < DELTAS; at += PER_GROUP) {
    store.publish(delta(P, at * DELTA.length, DELTA.repeat(PER_GROUP)));
    mostPending = Math.max(mostPending, ...server.clients.map(({ pendingBytes }) => pendingBytes));
    // The fast client has everything before the next hundred groups are written, whatever the slow one does.
    if (at % 1_000 === 0) await fast.until(() => textOf(fast) === (at + PER_GROUP) * DELTA.length);
  }
  const largestFrame = 70_000;
  expect(mostPending).toBeGreaterThan(SERVER_LIMITS.pendingBytes - largestFrame);
  expect(mostPending).toBeLessThanOrEqual(SERVER_LIMITS.pendingBytes);
  await fast.until(() => textOf(fast) === DELTAS * DELTA.length);
  expect(fast.frames.length).toBeGreaterThan(DELTAS / PER_GROUP);

  slow.socket.resume();
  await slow.until(() => textOf(slow) === DELTAS * DELTA.length);
  expect(slow.bytes).toBeLessThan(1.2 * DELTAS * DELTA.length);
  store.publish(partUpdated(text(P, DELTA.repeat(DELTAS), true)), status("idle"));
  for (const peer of [slow, fast]) await peer.until(() => peer.client.cursor === store.cursor);
  expect(slow.client.state).toEqual(store.state);
  expect(fast.client.state).toEqual(store.state);
  expect(slow.bytes).toBeLessThan(3 * DELTAS * DELTA.length);
});

function textOf(peer: Awaited<ReturnType<Serving["connect"]>>): number {
  const part = peer.client.state.sessions.ses_1?.messages.msg_1?.parts[P.id];
  return part?.type === "text" ? part.text.length : 0;
}
