import { describe, expect, it } from "vitest";
import { Cursor, type EventEnvelope, type WireEvent } from "../../../schemas/index.js";
import { Recorder } from "./recorder.js";
import * as make from "./samples.js";

const { events, part } = make.conversation();
const fileEdited: WireEvent = { type: "file.edited", properties: { sessionID: "ses_1", file: "a" } };

describe("a group", () => {
  it("is all that was written in a tick, heard at its end and at once", () => {
    const recorder = new Recorder();
    recorder.write(events.slice(0, 1));
    recorder.write(events.slice(1));
    expect(recorder.groups).toEqual([]);
    recorder.clock.endTick();
    expect(recorder.groups.length).toBe(1);
    expect(recorder.heard).toEqual(events);
  });

  it("is committed by flush, and the end of the tick then has nothing to do", () => {
    const recorder = new Recorder();
    recorder.write(events);
    recorder.store.flush();
    recorder.clock.endTick();
    expect(recorder.groups.length).toBe(1);
  });

  it("gives durable events ascending cursors and transient ones none, in the order written", () => {
    const recorder = new Recorder();
    recorder.write([...events, fileEdited, make.message(make.userMessage("ses_1", "msg_2"))]);
    recorder.store.flush();
    const cursors = recorder.groups.flat().map(({ cursor }) => cursor);
    expect(cursors[3]).toBeUndefined();
    const given = cursors.filter((cursor) => cursor !== undefined);
    expect(given.length).toBe(4);
    expect(given).toEqual([...new Set(given)].sort());
    for (const cursor of given) Cursor.parse(cursor);
    expect(recorder.store.cursor).toBe(given.at(-1));
  });

  it("opens no transaction for transient events", () => {
    const recorder = new Recorder();
    recorder.given(...events);
    const { cursor } = recorder.store;
    recorder.write([make.delta(part, 0, "hi"), fileEdited]);
    recorder.store.flush();
    expect(recorder.heard).toEqual([make.delta(part, 0, "hi"), fileEdited]);
    expect(recorder.store.cursor).toBe(cursor);
  });

  it("leaves out what changes nothing", () => {
    const recorder = new Recorder();
    recorder.given(...events);
    const { cursor } = recorder.store;
    recorder.write([
      ...structuredClone(events),
      { type: "todo.updated", properties: { sessionID: "ses_1", todos: [] } },
      { type: "session.status", properties: { sessionID: "ses_1", status: { type: "idle" } } },
      { type: "session.status", properties: { sessionID: "ses_9", status: { type: "busy" } } },
      make.message(make.userMessage("ses_9", "msg_9")),
      make.partUpdated({ ...part, messageID: "msg_9", id: "prt_9" }),
      make.delta(part, 0, ""),
    ]);
    recorder.store.flush();
    expect(recorder.groups).toEqual([]);
    expect(recorder.store.cursor).toBe(cursor);
  });

  it("leaves out a part that says what its deltas said", () => {
    const recorder = new Recorder();
    recorder.given(...events, make.delta(part, 0, "hi"));
    recorder.write([make.partUpdated({ ...part, text: "hi" })]);
    recorder.store.flush();
    expect(recorder.groups).toEqual([]);
  });

  it("tells a part that goes back behind its deltas", () => {
    const recorder = new Recorder();
    recorder.given(...events, make.delta(part, 0, "hi"));
    recorder.write([make.partUpdated(part)]);
    recorder.store.flush();
    expect(recorder.heard).toEqual([make.partUpdated(part)]);
    expect(recorder.store.part("prt_1")).toEqual(part);
  });

  it("does not take over an id that stands elsewhere, and says so", () => {
    const recorder = new Recorder();
    const other = make.conversation("ses_2");
    recorder.given(...events, ...other.events);
    recorder.write([
      make.message(make.userMessage("ses_2", "msg_1")),
      make.partUpdated({ ...other.part, id: "prt_1", text: "mine" }),
    ]);
    recorder.store.flush();
    expect(recorder.groups).toEqual([]);
    expect(recorder.errors.map(({ kind }) => kind)).toEqual(["conflict", "conflict"]);
    expect(recorder.store.part("prt_1")).toEqual(part);
  });
});

describe("deltas of a group", () => {
  const second = { ...part, id: "prt_2" };
  const recorderWithTwo = () => {
    const recorder = new Recorder();
    recorder.given(...events, make.partUpdated(second));
    return recorder;
  };

  it("are joined by part", () => {
    const recorder = recorderWithTwo();
    const written = [
      make.delta(part, 0, "a"),
      make.delta(second, 0, "1"),
      fileEdited,
      make.delta(part, 1, "b"),
      make.delta(second, 1, "2"),
    ];
    const copy = structuredClone(written);
    recorder.write(written.slice(0, 2));
    recorder.write(written.slice(2));
    recorder.store.flush();
    expect(recorder.heard).toEqual([make.delta(part, 0, "ab"), make.delta(second, 0, "12"), fileEdited]);
    expect(written).toEqual(copy);
  });

  it("are not joined across another event of their part", () => {
    const recorder = recorderWithTwo();
    const titled = make.partUpdated({ ...part, text: "a", metadata: { a: 1 } });
    recorder.write([make.delta(part, 0, "a"), titled, make.delta(part, 1, "b"), make.delta(part, 2, "c")]);
    recorder.store.flush();
    expect(recorder.heard).toEqual([make.delta(part, 0, "a"), titled, make.delta(part, 1, "bc")]);
  });

  it("count all, joined or not, when their part is told again", () => {
    const recorder = recorderWithTwo();
    const back = make.partUpdated({ ...part, text: "a" });
    const deltas = [make.delta(part, 0, "a"), make.delta(part, 1, "b"), make.delta(part, 2, "c")];
    recorder.write([...deltas, make.partUpdated({ ...part, text: "abc" }), back, make.delta(part, 1, "d")]);
    recorder.store.flush();
    expect(recorder.heard).toEqual([make.delta(part, 0, "abc"), back, make.delta(part, 1, "d")]);
    expect(recorder.store.part("prt_1")).toEqual({ ...part, text: "ad" });
  });

  it("are not joined to what was said before their part was removed", () => {
    const recorder = recorderWithTwo();
    const removed = { type: "message.removed", properties: { sessionID: "ses_1", messageID: "msg_1" } } as const;
    recorder.write([make.delta(part, 0, "a"), removed, make.delta(part, 1, "b")]);
    recorder.store.flush();
    expect(recorder.heard).toEqual([make.delta(part, 0, "a"), removed]);
  });

  it("are heard without what is known", () => {
    const recorder = recorderWithTwo();
    recorder.write([make.delta(part, 0, "ab"), make.delta(part, 0, "ab")]);
    recorder.store.flush();
    recorder.write([make.delta(part, 1, "bcd")]);
    recorder.store.flush();
    expect(recorder.heard).toEqual([make.delta(part, 0, "ab"), make.delta(part, 2, "cd")]);
  });

  it("with a hole before them are not heard, and reported once", () => {
    const recorder = recorderWithTwo();
    recorder.write([make.delta(part, 5, "a"), make.delta(part, 6, "b")]);
    recorder.store.flush();
    expect(recorder.groups).toEqual([]);
    expect(recorder.errors.length).toBe(1);
  });

  it("are not heard when they come after the end or the removal of their part", () => {
    const recorder = recorderWithTwo();
    recorder.given(make.partUpdated({ ...part, text: "a", time: { start: 1, end: 2 } }), {
      type: "message.part.removed",
      properties: { sessionID: "ses_1", messageID: "msg_1", partID: "prt_2" },
    });
    recorder.write([make.delta(part, 1, "b"), make.delta(second, 0, "b")]);
    recorder.store.flush();
    expect(recorder.groups).toEqual([]);
  });

  it("are not heard after the removal of their message or session", () => {
    const recorder = recorderWithTwo();
    recorder.given({ type: "message.removed", properties: { sessionID: "ses_1", messageID: "msg_1" } });
    const other = make.conversation("ses_2");
    recorder.given(...other.events, { type: "session.deleted", properties: { sessionID: "ses_2" } });
    recorder.write([make.delta(part, 0, "b"), make.delta(other.part, 0, "b")]);
    recorder.store.flush();
    expect(recorder.groups).toEqual([]);
  });
});

describe("subscribers", () => {
  it("of one session hear it and its descendants, and share one array", () => {
    const recorder = new Recorder();
    const heard: (readonly EventEnvelope[])[] = [];
    recorder.store.subscribe((group) => heard.push(group), { sessionID: "ses_1" });
    recorder.store.subscribe((group) => heard.push(group), { sessionID: "ses_1" });
    const child = make.created(make.session("ses_3", { parentID: "ses_1" }));
    recorder.write([...events, ...make.conversation("ses_2").events, child, make.delta(part, 0, "a")]);
    recorder.store.flush();
    expect(heard[0]?.map(({ event }) => event)).toEqual([...events, child, make.delta(part, 0, "a")]);
    expect(heard[1]).toBe(heard[0]);
  });

  it("of a child hear that it went with its parent", () => {
    const recorder = new Recorder();
    recorder.given(...events, make.created(make.session("ses_3", { parentID: "ses_1" })));
    const heard: WireEvent[] = [];
    recorder.store.subscribe((group) => heard.push(...group.map(({ event }) => event)), { sessionID: "ses_3" });
    recorder.store.deleteSession("ses_1");
    expect(heard).toEqual([{ type: "session.deleted", properties: { sessionID: "ses_3" } }]);
  });

  it("that throw are reported and stop nobody", () => {
    const recorder = new Recorder();
    recorder.store.subscribe(() => {
      throw new Error("I am broken");
    });
    const after: unknown[] = [];
    recorder.store.subscribe((group) => after.push(group));
    recorder.write(events);
    recorder.store.flush();
    expect(after.length).toBe(1);
    expect(recorder.errors.map(({ message }) => message)).toEqual(["I am broken"]);
  });

  it("may write and flush: all hear that after what they hear now", () => {
    const recorder = new Recorder();
    const orders: string[][] = [[], []];
    const listen = (order: string[]) => (group: readonly EventEnvelope[]) => {
      order.push(group.map(({ event }) => event.type).join());
      if (order.length > 1) return;
      recorder.write([fileEdited]);
      recorder.store.flush();
    };
    for (const order of orders) recorder.store.subscribe(listen(order));
    recorder.write(events.slice(0, 1));
    recorder.store.flush();
    expect(orders[0]).toEqual(["session.created", "file.edited", "file.edited"]);
    expect(orders[1]).toEqual(orders[0]);
  });

  it("that left hear nothing", () => {
    const recorder = new Recorder();
    const heard: unknown[] = [];
    const stop = recorder.store.subscribe((group) => heard.push(group));
    stop();
    recorder.given(...events);
    expect(heard).toEqual([]);
  });
});
