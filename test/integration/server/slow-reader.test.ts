import { afterEach, expect, test } from "vitest";
import { SERVER_LIMITS } from "../../../src/server/server-limits.js";
import { delta, message, partUpdated, sessionCreated, status, text } from "../../unit/server/events.js";
import type { WireClient } from "../../unit/server/wire-client.js";
import { HttpPeer } from "./http-peer.js";
import { Serving } from "./serving.js";

const DELTAS = 50_000;
const DELTA = "0123456789abcdef".repeat(13).slice(0, 200);
const PER_GROUP = 10;
const P = { id: "prt_1" };

/** A subscriber whose reading can be stopped. */
interface Reader {
  readonly client: WireClient;
  readonly bytes: number;
  until(condition: () => boolean): Promise<void>;
  pause(): void;
  resume(): void;
}

let serving: Serving;
afterEach(() => serving.stop());

const READERS: Record<string, () => Promise<Reader>> = {
  WebSocket: async () => {
    const peer = await serving.connect();
    await peer.request(1, "events.subscribe");
    return Object.assign(peer, { pause: () => peer.socket.pause(), resume: () => peer.socket.resume() });
  },
  SSE: async () => {
    const stream = await new HttpPeer({ port: serving.port }).subscribe();
    await stream.subscribed();
    return Object.assign(stream, { pause: () => stream.response.pause(), resume: () => stream.response.resume() });
  },
};

test.each(Object.keys(READERS))(
  "a %s client that does not read costs a bounded buffer, slows nobody, and ends with the same text",
  async (name) => {
    serving = await Serving.start({ closeMs: 100 });
    const { store, server } = serving;
    const open = READERS[name] as () => Promise<Reader>;
    const [slow, fast] = [await open(), await open()];
    store.publish(sessionCreated(), message("msg_1"), partUpdated(text(P)));
    await slow.until(() => slow.client.events.length === 3);
    slow.pause();

    let mostPending = 0;
    for (let at = 0; at < DELTAS; at += PER_GROUP) {
      store.publish(delta(P, at * DELTA.length, DELTA.repeat(PER_GROUP)));
      mostPending = Math.max(mostPending, ...server.clients.map(({ pendingBytes }) => pendingBytes));
      // The fast client has everything before the next hundred groups are written, whatever the slow one does.
      if (at % 1_000 === 0) await fast.until(() => textOf(fast) === (at + PER_GROUP) * DELTA.length);
    }
    const largestFrame = 70_000;
    expect(mostPending).toBeGreaterThan(SERVER_LIMITS.pendingBytes - largestFrame);
    // What HTTP puts around a message is not counted when there is room for it: a few bytes.
    expect(mostPending).toBeLessThanOrEqual(SERVER_LIMITS.pendingBytes + 100);
    await fast.until(() => textOf(fast) === DELTAS * DELTA.length);
    expect(fast.client.events.length).toBeGreaterThan(DELTAS / PER_GROUP);

    slow.resume();
    await slow.until(() => textOf(slow) === DELTAS * DELTA.length);
    expect(slow.bytes).toBeLessThan(1.2 * DELTAS * DELTA.length);
    store.publish(partUpdated(text(P, DELTA.repeat(DELTAS), true)), status("idle"));
    for (const peer of [slow, fast]) await peer.until(() => peer.client.cursor === store.cursor);
    expect(slow.client.state).toEqual(store.state);
    expect(fast.client.state).toEqual(store.state);
    expect(slow.bytes).toBeLessThan(3 * DELTAS * DELTA.length);
  },
);

function textOf({ client }: Reader): number {
  const part = client.state.sessions.ses_1?.messages.msg_1?.parts[P.id];
  return part?.type === "text" ? part.text.length : 0;
}
