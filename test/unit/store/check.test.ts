import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkDatabase } from "../../../src/store/check/check-database.js";
import { compactDatabase } from "../../../src/store/compact-database.js";
import { openStore } from "../../../src/store/open-store.js";
import { refusal } from "../refusal.js";
import { asNobody } from "./as-nobody.js";
import * as make from "./samples.js";

let folder: string;
let path: string;

const LONG = "long ".repeat(20);
const place = { sessionID: "ses_1", messageID: "msg_1" };
const closed = { ...make.assistantMessage("ses_1", "msg_1"), time: { created: 1, completed: 2 } };

/** A root session with a large output and a child. */
const EVENTS = [
  make.created(make.session("ses_1")),
  make.message(closed),
  make.partUpdated(make.textPart({ ...place, id: "prt_1" }, "hello", 2)),
  make.partUpdated(make.toolPart({ ...place, id: "prt_2" }, make.completed(LONG))),
  make.created(make.session("ses_2", { parentID: "ses_1" })),
];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-check-"));
  path = join(folder, "wire.db");
  const store = openStore({ path, largeChars: 50 });
  store.write({ sessionID: "ses_1", events: EVENTS, checkpoint: { state: {}, epoch: 0, seq: 0 } });
  store.close();
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

/** Changes the database as no gateway would. */
function spoil(sql: string): void {
  const db = new SqliteDatabase(path);
  db.pragma("foreign_keys = OFF");
  db.exec(sql);
  db.close();
}

const WHOLE = {
  schemaVersion: 3,
  holds: {
    ...{ sessions: 1, children: 1, messages: 1, parts: 2, todos: 0, checkpoints: 1, tombstones: 0 },
    blobs: { count: 1, bytes: LONG.length, unused: { count: 0, bytes: 0 } },
  },
  problems: [],
  problemCount: 0,
};

describe("a database that is whole", () => {
  test("is told with what it holds", () => {
    const report = checkDatabase({ path });
    expect(report).toMatchObject(WHOLE);
    expect(report.bytes).toBe(readFileSync(path).length);
  });

  test("may be one whose gateway was killed: what is in its log counts, and stays there", () => {
    const store = openStore({ path });
    store.write({ sessionID: "ses_3", events: [make.created(make.session("ses_3"))] });
    store.flush();
    const killed = join(folder, "killed.db");
    for (const side of ["", "-wal"]) copyFileSync(path + side, killed + side);
    store.close();
    const before = ["", "-wal"].map((side) => readFileSync(killed + side));
    expect(checkDatabase({ path: killed }).holds?.sessions).toBe(2);
    expect(["", "-wal"].map((side, at) => before[at]?.equals(readFileSync(killed + side)))).toEqual([true, true]);
  });

  test("may stand where this user can write nothing", () => {
    chmodSync(path, 0o444);
    chmodSync(folder, 0o555);
    expect(asNobody(() => checkDatabase({ path }))).toMatchObject(WHOLE);
    chmodSync(folder, 0o755);
    expect(asNobody(() => checkDatabase({ path }))).toMatchObject(WHOLE);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("agentwire-read-"))).toEqual([]);
  });

  test("may hold a blob that no part needs any more, which compacting drops", () => {
    spoil("delete from part where id = 'prt_2'; delete from part_blob");
    expect(checkDatabase({ path })).toMatchObject({
      holds: { blobs: { count: 1, unused: { count: 1, bytes: LONG.length } } },
      problems: [],
    });
    compactDatabase({ path });
    expect(checkDatabase({ path })).toMatchObject({ holds: { blobs: { count: 0, unused: { count: 0 } } } });
  });
});

describe("a problem is told with its row and what to do", () => {
  test.each<[string, string, string, RegExp]>([
    ["no JSON", "update part set data = '{' where id = 'prt_1'", "prt_1", /is no JSON/],
    ["a wrong field", "update session set data = json_set(data, '$.title', 7) where id = 'ses_1'", "ses_1", /title/],
    [
      "a wrong type of part",
      "update part set data = json_set(data, '$.type', 'x') where id = 'prt_1'",
      "prt_1",
      /type/,
    ],
    ["another id", "update message set data = json_set(data, '$.id', 'msg_2')", "msg_1", /another than it says/],
    ["an index that is wrong", "update session set active = 1 where id = 'ses_2'", "ses_2", /another than it says/],
    [
      "a part of no message",
      "update part set message_id = 'msg_9' where id = 'prt_1'",
      "prt_1",
      /a message that is not/,
    ],
    ["a message of no session", "update message set session_id = 'ses_9'", "msg_1", /a session that is not there/],
    ["a checkpoint of no session", "update checkpoint set session_id = 'ses_9'", "checkpoint of ses_9", /not there/],
    [
      "a child of no session",
      "update session set parent_id = 'ses_9' where id = 'ses_2'",
      "ses_2",
      /below a session that/,
    ],
    [
      "another root",
      "update session set root_id = 'ses_2' where id = 'ses_2'",
      "ses_2",
      /another root than its parent/,
    ],
    ["a message's other root", "update message set root_id = 'ses_2'", "msg_1", /another root than its session/],
    ["a part's other session", "update part set session_id = 'ses_2' where id = 'prt_1'", "prt_1", /than its message/],
    ["a circle", "update session set parent_id = 'ses_2' where id = 'ses_1'", "ses_1", /below itself/],
    ["a revision twice", "update part set rev = 1 where id = 'prt_1'", "ses_1", /only change with its revision/],
    ["no blob", "delete from blob", "prt_2", /refers to a blob that is not there/],
    ["a blob not kept", "delete from part_blob", "prt_2", /does not keep its blob sha256-/],
    ["another blob", "update blob set data = x'00'", "sha256-", /does not hold what its ref says/],
    ["a checkpoint", "update checkpoint set state = 'x'", "checkpoint of ses_1", /is no JSON/],
    [
      "an open answer",
      "update message set data = json_remove(data, '$.time.completed')",
      "msg_1",
      /its session is idle/,
    ],
    ["an open text", "update part set data = json_remove(data, '$.time.end') where id = 'prt_1'", "prt_1", /is open/],
  ])("%s", (_, sql, id, problem) => {
    spoil(sql);
    const before = readFileSync(path);
    const { problems, problemCount } = checkDatabase({ path });
    expect(problemCount).toBe(problems.length);
    expect(problems).toContainEqual({
      id: expect.stringContaining(id),
      problem: expect.stringMatching(problem),
      advice: expect.stringMatching(/\.$/),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("and what was open in a session that works is none", () => {
    spoil(`update part set data = json_remove(data, '$.time.end') where id = 'prt_1';
      update session set active = 1, data = json_set(data, '$.status.type', 'busy') where id = 'ses_1'`);
    expect(checkDatabase({ path }).problems).toEqual([]);
  });

  test("of the file itself, which is then not read further", () => {
    const bytes = readFileSync(path);
    // The last page: an index or a row, whose own page says that it is something else.
    writeFileSync(path, bytes.fill(0x5a, bytes.length - 4096));
    const { problems, problemCount, holds } = checkDatabase({ path });
    expect(problemCount).toBeGreaterThan(0);
    expect(problems[0]).toMatchObject({ id: "database", advice: expect.stringMatching(/Restore a backup/) });
    expect(holds).toBeUndefined();
  });

  test("at most a thousand times", () => {
    spoil(`insert into todo (session_id, root_id, rev, data)
      with recursive n (value) as (select 101 union all select value + 1 from n limit 1500)
      select 'ses_x' || value, 'ses_x', value, '[]' from n`);
    const { problems, problemCount } = checkDatabase({ path });
    expect([problems.length, problemCount]).toEqual([1000, 1500]);
  });
});

describe("a database is refused", () => {
  test("that a gateway has open", () => {
    const store = openStore({ path });
    expect(refusal(() => checkDatabase({ path, busyTimeoutMs: 0 })).message).toMatch(/in use by another process/);
    expect(refusal(() => compactDatabase({ path, busyTimeoutMs: 0 })).message).toMatch(/in use by another process/);
    store.close();
  });

  test("of a newer version, and stays as it is", () => {
    spoil("pragma user_version = 99");
    const before = readFileSync(path);
    expect(refusal(() => checkDatabase({ path })).message).toMatch(/schema version 99/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("that is not there, or never was one", () => {
    expect(refusal(() => checkDatabase({ path: join(folder, "no.db") })).kind).toBe("not_found");
    writeFileSync(join(folder, "empty.db"), "");
    expect(refusal(() => checkDatabase({ path: join(folder, "empty.db") })).message).toMatch(/was never used/);
    writeFileSync(join(folder, "text.db"), "no database at all, however long it may be. ".repeat(40));
    expect(refusal(() => checkDatabase({ path: join(folder, "text.db") })).message).toMatch(/not a database/);
  });
});

describe("compacting", () => {
  test("gives the space of what was deleted back to the disk", () => {
    const store = openStore({ path });
    const parts = Array.from({ length: 50 }, (_, i) =>
      make.partUpdated(
        make.textPart({ sessionID: "ses_3", messageID: "msg_3", id: `prt_3${i}` }, "x".repeat(10_000), 2),
      ),
    );
    store.write({ sessionID: "ses_3", events: [...make.conversation("ses_3").events, ...parts] });
    store.deleteSession("ses_3");
    store.close();
    const { before, after } = compactDatabase({ path });
    expect(before).toBeGreaterThan(500_000);
    expect(after).toBeLessThan(before - 500_000);
    expect(after).toBe(readFileSync(path).length);
    expect(readdirSync(folder)).toEqual(["wire.db"]);
    expect(checkDatabase({ path })).toMatchObject({ ...WHOLE, holds: { ...WHOLE.holds, tombstones: 1 } });
  });

  test("forgets the removals beyond those that are remembered", () => {
    spoil(`insert into tombstone (rev, kind, root_id, session_id, path)
      with recursive n(value) as (select 101 union all select value + 1 from n limit 10050)
      select value, 'session.deleted', 'ses_x', 'ses_x', 'ses_x' from n`);
    compactDatabase({ path });
    expect(checkDatabase({ path })).toMatchObject({ holds: { tombstones: 10_000 }, problems: [] });
  });
});
