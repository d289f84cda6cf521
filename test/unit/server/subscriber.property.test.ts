import fc from "fast-check";
import { pino } from "pino";
import { expect, test } from "vitest";
import type { Cursor, Part, WireEvent } from "../../../schemas/index.js";
import { Publisher } from "../../../src/server/publisher.js";
import { SERVER_LIMITS } from "../../../src/server/server-limits.js";
import type { Subscriber } from "../../../src/server/subscriber.js";
import type { WireState } from "../../../src/store/reduce.js";
import { delta, message, partUpdated, sessionCreated, status, text, tool } from "./events.js";
import { FakeOutlet } from "./fake-outlet.js";
import { FakeStore } from "./fake-store.js";
import { WireClient } from "./wire-client.js";

const BOUND = 2_000;
/** So small that a few rows or a single text fill them. */
const limits = {
  ...SERVER_LIMITS,
  pendingBytes: BOUND,
  lowWaterBytes: 500,
  pageBytes: 1_500,
  frameLength: 400,
  pieceLength: 100,
};
const SESSIONS = ["ses_1", "ses_2", "ses_3"] as const;
const OTHER = "ses_9";

/** One change to the store; numbers choose among what there is. */
const change = fc.record({
  what: fc.constantFrom(
    "open",
    "tool",
    "grow",
    "grow",
    "grow",
    "grow",
    "replace",
    "replace",
    "close",
    "removePart",
    "message",
    "removeMessage",
    "status",
    "todo",
    "child",
    "delete",
    "edit",
  ),
  which: fc.nat(30),
  size: fc.nat(400),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("publish" as const, "write" as const),
      changes: fc.array(change, { minLength: 1, maxLength: 6, size: "max" }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("forget" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("stall" as const, "flow" as const, "leave" as const),
      client: fc.nat(2),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("drain" as const),
      client: fc.nat(2),
      frames: fc.integer({ min: 1, max: 5 }),
    }),
  },
);

const partsOf = (state: WireState): Part[] =>
  Object.values(state.sessions).flatMap((one) =>
    Object.values(one.messages).flatMap(({ parts }) => Object.values(parts)),
  );

const isOpen = (part: Part): boolean =>
  part.type === "text" ? part.time?.end === undefined : part.type === "tool" && part.state.status === "running";

const outputOf = (part: Part): string =>
  part.type === "tool" && part.state.status === "running" ? String(part.state.metadata?.output ?? "") : "";

/** Turns changes into events that make sense where the store stands. */
class Author {
  private count = 0;

  constructor(private readonly store: FakeStore) {}

  write(one: Change): WireEvent[] {
    const event = this.compose(one);
    return event ? [event] : [];
  }

  private compose({ what, which, size }: Change): WireEvent | undefined {
    const { state } = this.store;
    const pick = <T>(list: readonly T[]): T | undefined => list[which % Math.max(1, list.length)];
    const sessionID = pick(Object.keys(state.sessions));
    const messages = Object.values(state.sessions).flatMap((one) => Object.values(one.messages));
    const home = pick(messages)?.info;
    const part = pick(partsOf(state));
    const open = pick(partsOf(state).filter(isOpen));
    const at = (one: Part) => ({ id: one.id, messageID: one.messageID, sessionID: one.sessionID });
    const fill = (length: number) => `${this.count++}é😀`.repeat(1 + length / 4);
    switch (what) {
      case "child": {
        const id = SESSIONS.find((one) => !state.sessions[one]);
        return id === undefined
          ? undefined
          : sessionCreated(id, id === "ses_1" ? undefined : `ses_${Number(id.slice(4)) - 1}`);
      }
      case "message":
        return sessionID === undefined ? undefined : message(`msg_${this.count++}`, sessionID);
      case "open":
        return (
          home &&
          partUpdated(text({ id: `prt_${this.count++}`, messageID: home.id, sessionID: home.sessionID }, fill(size)))
        );
      case "tool":
        return (
          home &&
          partUpdated(tool({ id: `prt_${this.count++}`, messageID: home.id, sessionID: home.sessionID }, fill(size)))
        );
      case "grow":
        return open && this.grow(open, fill(size));
      case "replace":
        return open?.type === "text" ? partUpdated(text(at(open), fill(size))) : undefined;
      case "close":
        return (
          open && partUpdated(open.type === "text" ? text(at(open), open.text, true) : tool(at(open), "done", true))
        );
      case "removePart":
        return (
          part && {
            type: "message.part.removed",
            properties: { sessionID: part.sessionID, messageID: part.messageID, partID: part.id },
          }
        );
      case "removeMessage":
        return size > 100 || !home
          ? undefined
          : { type: "message.removed", properties: { sessionID: home.sessionID, messageID: home.id } };
      case "status":
        return sessionID === undefined ? undefined : status("busy", sessionID);
      case "todo":
        return sessionID === undefined
          ? undefined
          : {
              type: "todo.updated",
              properties: { sessionID, todos: [{ content: fill(size), status: "pending", priority: "low" }] },
            };
      case "delete":
        return size < 200 && state.sessions.ses_3
          ? { type: "session.deleted", properties: { sessionID: "ses_3" } }
          : undefined;
      case "edit":
        return sessionID === undefined ? undefined : { type: "file.edited", properties: { sessionID, file: "/f" } };
    }
  }

  private grow(part: Part, added: string): WireEvent {
    if (part.type === "text") return delta(part, part.text.length, added);
    return delta(part, outputOf(part).length, added, "state.metadata.output");
  }
}

/** A client that stalls, leaves and comes back, and reads everything anew when it is told to. */
class Visitor {
  client = new WireClient();
  outlet = new FakeOutlet();
  private subscriber: Subscriber;
  private cursor: Cursor;
  private received = 0;

  constructor(
    private readonly publisher: Publisher,
    private readonly store: FakeStore,
    readonly filter: string | undefined,
  ) {
    [this.subscriber, this.cursor] = this.join(undefined);
  }

  leave(): void {
    this.read();
    this.subscriber.end();
    this.outlet.drop();
    this.outlet = new FakeOutlet();
    this.received = 0;
    [this.subscriber, this.cursor] = this.join(this.client.cursor ?? this.cursor);
  }

  read(): void {
    expect(this.outlet.mostPendingBefore).toBeLessThan(BOUND);
    for (; this.received < this.outlet.arrived.length; this.received++)
      this.client.receive(this.outlet.arrived[this.received] as string);
    if (this.outlet.closedWith) this.comeBack();
  }

  private comeBack(): void {
    expect(this.outlet.closedWith?.code).toBe(4009);
    this.outlet = new FakeOutlet();
    this.received = 0;
    [this.subscriber, this.cursor] = this.join(undefined);
    this.refetch();
  }

  private join(after: Cursor | undefined): [Subscriber, Cursor] {
    const params = {
      ...(this.filter !== undefined && { sessionID: this.filter }),
      ...(after !== undefined && { after }),
    };
    const { subscriber, result } = this.publisher.subscribe(this.outlet, params);
    if (result.gap) this.refetch();
    subscriber.start();
    return [subscriber, result.cursor];
  }

  /** As a client does that reads the sessions and messages after it has subscribed. */
  private refetch(): void {
    this.client.state = visible(this.store, this.filter);
    this.client.cursor = this.store.cursor;
  }
}

function visible(store: FakeStore, filter: string | undefined): WireState {
  if (filter === undefined) return store.state;
  const inside = (id: string | undefined): boolean =>
    id !== undefined && (id === filter || inside(store.session(id)?.parentID));
  return { sessions: Object.fromEntries(Object.entries(store.state.sessions).filter(([id]) => inside(id))) };
}

test("however its transport stalls, a client ends with the state of the store", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: "max" }), (steps) => {
      const store = new FakeStore();
      const publisher = new Publisher(store, limits, pino({ level: "silent" }));
      const author = new Author(store);
      const everything = new Visitor(publisher, store, undefined);
      store.publish(sessionCreated("ses_1"), sessionCreated(OTHER), message("msg_a"), message("msg_b", OTHER));
      const visitors = [everything, new Visitor(publisher, store, "ses_1"), new Visitor(publisher, store, undefined)];
      for (const one of visitors.slice(1)) one.client.state = visible(store, one.filter);
      for (const one of steps) {
        const visitor = "client" in one ? (visitors[one.client] as Visitor) : everything;
        switch (one.do) {
          case "publish":
          case "write":
            // Each change is written where the last one left the store, and all are heard as one group.
            for (const each of one.changes) store.write(...author.write(each));
            if (one.do === "publish") store.settle();
            break;
          case "forget":
            store.forgetRemovals();
            break;
          case "stall":
            visitor.outlet.stalled = true;
            break;
          case "flow":
            visitor.outlet.stalled = false;
            visitor.outlet.drain(Number.POSITIVE_INFINITY);
            break;
          case "leave":
            visitor.leave();
            break;
          case "drain":
            visitor.outlet.drain(one.frames);
            break;
        }
        for (const each of visitors) each.read();
      }
      store.settle();
      for (const each of visitors) {
        // Told to read anew, it comes back with another outlet, which does not stall.
        each.outlet.stalled = false;
        each.outlet.drain(Number.POSITIVE_INFINITY);
        each.read();
        expect(each.client.state).toEqual(visible(store, each.filter));
      }
    }),
    { numRuns: 500 },
  );
});
