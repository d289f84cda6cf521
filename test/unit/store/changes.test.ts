import { describe, expect, it } from "vitest";
import { CursorCodec } from "../../../src/store/cursor-codec.js";
import { Recorder } from "./recorder.js";
import * as make from "./samples.js";

const { events, part } = make.conversation();
const removed = (messageID: string) =>
  ({ type: "message.removed", properties: { sessionID: "ses_1", messageID } }) as const;

describe("changesAfter", () => {
  it("sends rows as they are now, and whole texts", () => {
    const recorder = new Recorder();
    recorder.given(...events);
    const { cursor } = recorder.store;
    recorder.write([make.delta(part, 0, "hi")]);
    expect(recorder.changes(cursor)).toEqual([make.partUpdated({ ...part, text: "hi" })]);
    expect(recorder.store.cursor > cursor).toBe(true);
    expect(recorder.changes(recorder.store.cursor)).toEqual([]);
  });

  it("sends what a row stands in before it, without a cursor, and once a page", () => {
    const recorder = new Recorder();
    recorder.given(...events);
    recorder.given(make.message(make.assistantMessage("ses_1", "msg_1", 1, 1)));
    recorder.given({ type: "session.status", properties: { sessionID: "ses_1", status: { type: "busy" } } });
    const { events: sent } = recorder.store.changesAfter(undefined, {}, 1e9);
    expect(sent.map(({ event }) => event.type)).toEqual(["session.updated", "message.updated", "message.part.updated"]);
    expect(sent.map(({ cursor }) => cursor === undefined)).toEqual([true, true, false]);
  });

  it("does not send what a row stands in where that is unchanged", () => {
    const recorder = new Recorder();
    recorder.given(...events);
    const { cursor } = recorder.store;
    recorder.given(make.partUpdated({ ...part, text: "new" }));
    expect(recorder.changes(cursor).map(({ type }) => type)).toEqual(["message.part.updated"]);
  });

  it("sends at least one row a page", () => {
    const recorder = new Recorder();
    recorder.given(...events);
    const first = recorder.store.changesAfter(undefined, {}, 1);
    expect(first).toMatchObject({ more: true, gap: false });
    expect(first.events.length).toBe(1);
  });

  it("tells who hears only a child what was removed below it", () => {
    const recorder = new Recorder();
    recorder.given(
      ...events,
      make.created(make.session("ses_2", { parentID: "ses_1" })),
      make.created(make.session("ses_3", { parentID: "ses_2" })),
      make.message(make.userMessage("ses_3", "msg_3")),
    );
    const { cursor } = recorder.store;
    const gone = { type: "message.removed", properties: { sessionID: "ses_3", messageID: "msg_3" } } as const;
    recorder.given(removed("msg_1"), gone);
    expect(recorder.changes(cursor, { sessionID: "ses_2" })).toEqual([gone]);
    recorder.store.deleteSession("ses_1");
    expect(recorder.changes(cursor, { sessionID: "ses_3" })).toEqual([
      gone,
      { type: "session.deleted", properties: { sessionID: "ses_3" } },
    ]);
    expect(recorder.changes(cursor, { sessionID: "ses_9" })).toEqual([]);
  });

  it("answers gap to what it did not give out", () => {
    const recorder = new Recorder();
    recorder.given(...events);
    const ahead = new Recorder();
    ahead.given(...events);
    const { store } = recorder;
    const own = store.cursor;
    for (const cursor of ["0", "zz", ahead.store.cursor, `${own}0`, own.replace(/.$/, "9")]) {
      const answer = store.changesAfter(cursor, {}, 1e9);
      expect(answer).toEqual({ events: [], cursor: own, more: false, gap: true });
    }
  });

  it("answers gap when removals are forgotten, but not to who starts from nothing", () => {
    const recorder = new Recorder({ keepTombstones: 2 });
    const { store } = recorder;
    recorder.given(...events);
    const old = store.cursor;
    for (const n of [2, 3, 4]) recorder.given(make.message(make.userMessage("ses_1", `msg_${n}`)));
    recorder.given(removed("msg_2"));
    const known = store.cursor;
    recorder.given(removed("msg_3"), removed("msg_4"));
    expect(store.changesAfter(old, {}, 1e9).gap).toBe(true);
    expect(recorder.changes(known)).toEqual([removed("msg_3"), removed("msg_4")]);

    const first = store.changesAfter(undefined, {}, 1);
    recorder.given(removed("msg_1"));
    const second = store.changesAfter(first.cursor, {}, 1e9);
    expect(second).toMatchObject({ gap: false, more: false });
    expect(second.events.map(({ event }) => event)).toEqual([removed("msg_1")]);
    const cut = store.changesAfter(undefined, {}, 1e9).events[0]?.cursor;
    expect(store.changesAfter(cut, {}, 1e9).gap).toBe(false);
  });
});

describe("CursorCodec", () => {
  it("sorts as it counts, and reads what it wrote", () => {
    const codec = new CursorCodec("abcdefghij");
    const revisions = [0, 1, 35, 36, 1295, 1296, Number.MAX_SAFE_INTEGER];
    const cursors = revisions.map((revision) => codec.encode(revision));
    expect(cursors).toEqual([...cursors].sort());
    expect(cursors.map((cursor) => codec.decode(cursor)?.revision)).toEqual(revisions);
    expect(codec.decode(codec.encode(5, 9))).toEqual({ revision: 5, removals: 9 });
    expect(codec.encode(9, 5)).toBe(codec.encode(9));
    expect(codec.encode(5, Number.MAX_SAFE_INTEGER).length).toBe(32);
  });
});
