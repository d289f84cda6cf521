import { pino } from "pino";
import { describe, expect, test } from "vitest";
import type { Params, WireEvent } from "../../../schemas/index.js";
import { Publisher } from "../../../src/server/publisher.js";
import { SERVER_LIMITS } from "../../../src/server/server-limits.js";
import { splitText } from "../../../src/server/split-text.js";
import { SSE_EVENT_FRAMING } from "../../../src/server/sse-event-framing.js";
import { delta, message, partUpdated, sessionCreated, status, text, tool } from "./events.js";
import { FakeOutlet } from "./fake-outlet.js";
import { FakeStore } from "./fake-store.js";
import { WireClient } from "./wire-client.js";

const KB = 1_000;
const limits = { ...SERVER_LIMITS, pendingBytes: 100 * KB, lowWaterBytes: 25 * KB, pageBytes: 50 * KB };
const P = { id: "prt_1" };

function setup() {
  const store = new FakeStore();
  const logged: { level: number; msg: string }[] = [];
  const log = pino({ level: "debug" }, { write: (line) => void logged.push(JSON.parse(line)) });
  const publisher = new Publisher(store, limits, log);
  const join = (params: Params<"events.subscribe"> = {}, outlet = new FakeOutlet()) => {
    const { subscriber, result } = publisher.subscribe(outlet, params);
    subscriber.start();
    return { outlet, subscriber, result, read: () => read(outlet) };
  };
  store.publish(sessionCreated(), message("msg_1"));
  return { store, publisher, join, logged };
}

function read(outlet: FakeOutlet): WireEvent[] {
  const client = new WireClient();
  for (const frame of outlet.arrived.splice(0)) client.receive(frame);
  return client.events;
}

const types = (events: WireEvent[]) => events.map(({ type }) => type);

describe("live", () => {
  test("a group is encoded once for all who hear the same", () => {
    const { store, join } = setup();
    const three = [join(), join(), join({ sessionID: "ses_1" })];
    let encoded = 0;
    const event = message("msg_2");
    Object.assign(event.properties, {
      toJSON() {
        encoded++;
        return { ...this, toJSON: undefined };
      },
    });
    store.publish(event);
    expect(encoded).toBe(1);
    expect(three.map(({ outlet }) => outlet.arrived.length)).toEqual([1, 1, 1]);
  });

  test("a server-sent message is one buffer for all who hear the same", () => {
    const { store, publisher } = setup();
    const frames: Buffer[] = [];
    for (let client = 0; client < 3; client++) {
      const outlet = new FakeOutlet();
      outlet.write = (frame) => frames.push(frame as Buffer);
      publisher.subscribe(outlet, {}, SSE_EVENT_FRAMING).subscriber.start();
    }
    store.publish(message("msg_2"));
    expect(frames).toHaveLength(3);
    expect(new Set(frames).size).toBe(1);
    expect(String(frames[0])).toMatch(new RegExp(`^id: ${store.cursor}\ndata: \\{"events":\\[\\{.*\\}\\]\\}\n\n$`));
  });

  test("a session's subscriber hears it and its descendants, and nobody else", () => {
    const { store, join } = setup();
    const one = join({ sessionID: "ses_1" });
    store.publish(sessionCreated("ses_9"), message("msg_9", "ses_9"));
    store.publish(sessionCreated("ses_2", "ses_1"), sessionCreated("ses_3", "ses_2"), message("msg_3", "ses_3"));
    expect(one.read().map(({ properties }) => properties.sessionID)).toEqual(["ses_2", "ses_3", "ses_3"]);
    const later = join({ sessionID: "ses_2" });
    store.publish(status("busy", "ses_3"), status("busy", "ses_1"));
    expect(later.read().map(({ properties }) => properties.sessionID)).toEqual(["ses_3"]);
  });

  test("who joins while a text is written gets its beginning with the next delta, once", () => {
    const { store, join } = setup();
    store.publish(partUpdated(text(P, "abc")), delta(P, 3, "def"));
    store.saveTexts();
    const one = join();
    store.publish(delta(P, 6, "ghi"));
    store.publish(delta(P, 9, "jkl"));
    expect(one.read()).toEqual([partUpdated(text(P, "abcdefghi")), delta(P, 9, "jkl")]);
  });

  test("and of a group that replaces the text, only what came of it", () => {
    const { store, join } = setup();
    store.publish(partUpdated(text(P, "abc")));
    const one = join();
    store.write(delta(P, 3, "def"), partUpdated(text(P, "xyz")), delta(P, 3, "!"), status("busy"));
    store.settle();
    expect(one.read()).toEqual([partUpdated(text(P, "xyz!")), status("busy")]);
  });

  test("one subscriber's broken transport is not the trouble of the others", () => {
    const { store, join } = setup();
    const broken = join();
    const fine = join();
    broken.outlet.write = () => {
      throw new Error("broken");
    };
    store.publish(message("msg_2"));
    store.publish(message("msg_3"));
    expect(broken.outlet.closedWith?.code).toBe(1011);
    expect(types(fine.read())).toEqual(["message.updated", "message.updated"]);
  });

  test("after its end nothing is sent, and the store is heard until the publisher ends", () => {
    const { store, join, publisher } = setup();
    const one = join();
    one.subscriber.end();
    one.subscriber.end();
    store.publish(message("msg_2"));
    expect(one.read()).toEqual([]);
    publisher.close();
    expect(store.listenerCount).toBe(0);
  });
});

describe("behind", () => {
  test("each time is counted, and the log warns of it once", () => {
    const { store, join, publisher, logged } = setup();
    const { outlet } = join();
    for (let time = 0, id = 2; time < 3; time++) {
      outlet.stalled = true;
      for (let i = 0; i < 500; i++) store.publish(message(`msg_${id++}`));
      outlet.stalled = false;
      outlet.drain(Number.POSITIVE_INFINITY);
    }
    expect(publisher.counts).toEqual({ overflows: 3, gaps: 0 });
    expect(logged.map(({ level, msg }) => [level, msg])).toEqual([
      [40, "a client reads too slowly"],
      [20, "a client reads too slowly"],
      [20, "a client reads too slowly"],
    ]);
    expect([...publisher.subscribers()]).toEqual([["stdio", 1]]);
  });

  test("who was too slow is told once, before the rows", () => {
    const { store, join } = setup();
    const one = join();
    one.outlet.stalled = true;
    for (let id = 2; id < 1_000; id++) store.publish(message(`msg_${id}`));
    one.outlet.stalled = false;
    one.outlet.drain(Number.POSITIVE_INFINITY);
    const told = one.outlet.arrived.flatMap((frame, at) => (frame.includes('"overflow":true') ? [at] : []));
    expect(told).toHaveLength(1);
    const [at = 0] = told;
    expect(JSON.parse(one.outlet.arrived[at] ?? "")).toEqual({
      jsonrpc: "2.0",
      method: "events",
      params: { subscriptionID: one.subscriber.id, overflow: true, events: [] },
    });
    expect(at).toBeLessThan(one.outlet.arrived.length - 1);
    store.publish(message("msg_1000"));
    expect(one.outlet.arrived.at(-1)).toContain("msg_1000");
  });

  test("a known text goes on from where it stopped, in pieces, and its bytes stay linear", () => {
    const { store, join } = setup();
    const one = join();
    store.publish(partUpdated(text(P, "")));
    one.outlet.stalled = true;
    const client = new WireClient();
    client.state = store.state;
    let length = 0;
    for (let turn = 0; turn < 4_000; turn++) {
      store.publish(delta(P, length, "é".repeat(250)));
      length += 250;
      if (turn % 100 === 99) one.outlet.drain(3);
    }
    while (one.outlet.pendingBytes > 0) one.outlet.drain(1);
    for (const frame of one.outlet.arrived) client.receive(frame);
    expect(client.state).toEqual(store.state);
    expect(client.bytes).toBeLessThan(2 * length * 1.3);
    expect(one.outlet.mostPendingBefore).toBeLessThan(limits.pendingBytes);
    expect(one.outlet.largestFrame).toBeLessThan(66 * 1024);
    // A text that takes many drains is asked for by itself, not with all that has changed.
    expect(store.pagesRead).toBeLessThan(10);
    expect(client.events.filter(({ type }) => type === "message.part.updated")).toHaveLength(1);
  });

  test("a text that closed meanwhile comes whole, once", () => {
    const { store, join } = setup();
    const one = join();
    store.publish(partUpdated(text(P, "")));
    one.outlet.stalled = true;
    const full = "x".repeat(300 * KB);
    for (let at = 0; at < full.length; at += KB) store.publish(delta(P, at, full.slice(at, at + KB)));
    store.publish(partUpdated(text(P, full, true)), status("idle"));
    one.read();
    one.outlet.stalled = false;
    one.outlet.drain(Number.POSITIVE_INFINITY);
    const events = one.read();
    expect(events.filter(({ type }) => type === "message.part.updated")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: "session.updated" });
  });

  test("a tool's output comes whole with its row", () => {
    const { store, join } = setup();
    const one = join();
    store.publish(partUpdated(tool(P, "")));
    one.outlet.stalled = true;
    store.publish(message("msg_2"), ...Array.from({ length: 300 }, (_, id) => message(`msg_x${id}`)));
    store.publish(...Array.from({ length: 300 }, (_, id) => message(`msg_y${id}`)));
    store.publish(delta(P, 0, "out", "state.metadata.output"));
    one.outlet.stalled = false;
    one.outlet.drain(Number.POSITIVE_INFINITY);
    expect(one.read()).toContainEqual(partUpdated(tool(P, "out")));
    store.publish(delta(P, 3, "put", "state.metadata.output"));
    expect(one.read()).toEqual([delta(P, 3, "put", "state.metadata.output")]);
  });

  test("many small rows share frames", () => {
    const { store, join } = setup();
    const after = store.cursor;
    store.publish(...Array.from({ length: 1_000 }, (_, id) => message(`msg_${id + 2}`)));
    const one = join({ after });
    expect(one.outlet.arrived.length).toBeLessThan(20);
    expect(one.read()).toHaveLength(1_000);
  });

  test("one row larger than all bounds still passes", () => {
    const { store, join } = setup();
    const after = store.cursor;
    store.publish(partUpdated(text(P, "x".repeat(500 * KB), true)), message("msg_2"));
    const one = join({ after });
    expect(types(one.read())).toEqual(["message.part.updated", "message.updated"]);
  });

  test("who was away longer than removals are remembered is told to start anew", () => {
    const { store, join } = setup();
    const one = join();
    one.outlet.stalled = true;
    for (let id = 2; id < 1_000; id++) store.publish(message(`msg_${id}`));
    store.forgetRemovals();
    one.outlet.drain(Number.POSITIVE_INFINITY);
    expect(one.outlet.closedWith).toMatchObject({ code: 4009 });
    store.publish(message("msg_1000"));
    expect(one.outlet.pendingBytes).toBe(0);
  });

  test("a store that cannot be read ends the connection, not the process", () => {
    const { store, join } = setup();
    const one = join();
    one.outlet.stalled = true;
    for (let id = 2; id < 1_000; id++) store.publish(message(`msg_${id}`));
    store.changesAfter = () => {
      throw new Error("disk");
    };
    one.outlet.drain(Number.POSITIVE_INFINITY);
    expect(one.outlet.closedWith).toMatchObject({ code: 1011 });
  });
});

test("pieces of a text never cut a character in half", () => {
  const value = `a${"😀".repeat(20_000)}`;
  const pieces = [...splitText(value, 1, SERVER_LIMITS.pieceLength)];
  expect(pieces.map((piece) => piece.text).join("")).toBe(value.slice(1));
  for (const piece of pieces) {
    expect(piece.text).not.toMatch(/\p{Surrogate}/u);
    expect(Buffer.byteLength(piece.text)).toBeLessThanOrEqual(64 * 1024);
  }
});
