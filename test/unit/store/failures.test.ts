import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GatewayError } from "../../../src/gateway-error.js";
import { openStore } from "../../../src/store/open-store.js";
import { storageError } from "../../../src/store/storage-error.js";
import { asNobody } from "./as-nobody.js";
import { checkpoint, Recorder } from "./recorder.js";
import * as make from "./samples.js";

const { events, part } = make.conversation();
const bad = make.message(make.userMessage("ses_1", "msg_bad"));
const good = make.message(make.userMessage("ses_1", "msg_good"));
let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agentwire-store-"));
  path = join(directory, "wire.db");
});
afterEach(() => rmSync(directory, { recursive: true }));

function raw(change: (db: SqliteDatabase.Database) => void): void {
  const db = new SqliteDatabase(path);
  change(db);
  db.close();
}

function refusal(run: () => unknown): GatewayError {
  try {
    run();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  return expect.fail("nothing was refused");
}

/** A database on which every write of a row about `msg_bad` fails, as on a full disk. */
function failing(): Recorder {
  openStore({ path }).close();
  raw((db) => {
    db.exec(
      "create trigger fails before insert on message when new.id = 'msg_bad' begin select raise(abort, 'no'); end",
    );
    db.exec(
      "create trigger stuck before update on part when new.data like '%stuck%' begin select raise(abort, 'no'); end",
    );
  });
  const recorder = new Recorder({ path });
  recorder.given(...events);
  return recorder;
}

describe("a group that cannot be committed", () => {
  it("is counted, and transactions with what was joined in them are", () => {
    const recorder = failing();
    recorder.write([make.delta(part, 0, "a"), make.delta(part, 1, "b"), make.delta(part, 2, "c"), good]);
    recorder.store.flush();
    recorder.write([bad]);
    expect(() => recorder.store.flush()).toThrow();
    const { commits, failures, joinedDeltas } = recorder.store.counts;
    expect([failures, joinedDeltas]).toEqual([1, 2]);
    expect(commits.counts.reduce((sum, count) => sum + count)).toBe(2);
    expect(commits.sum).toBeGreaterThan(0);
  });

  it("is lost as a whole, and nobody hears it", () => {
    const recorder = failing();
    const { cursor } = recorder.store;
    recorder.write([make.delta(part, 0, "heard")]);
    recorder.clock.endTick();
    recorder.groups.length = 0;

    recorder.write([
      good,
      make.updated(make.session("ses_1", { title: "lost" })),
      make.created(make.session("ses_2", { parentID: "ses_1" })),
      make.delta(part, 5, " lost"),
      make.partUpdated({ ...part, id: "prt_2" }),
    ]);
    recorder.write([bad], checkpoint(9));
    expect(refusal(() => recorder.store.flush()).kind).toBe("storage");

    expect(recorder.groups).toEqual([]);
    expect(recorder.store.cursor).toBe(cursor);
    expect(recorder.store.session("ses_1")?.title).toBe("A session");
    expect(recorder.store.rootOf("ses_2")).toBeUndefined();
    expect(recorder.store.part("prt_1")).toEqual({ ...part, text: "heard" });
    expect(recorder.store.part("prt_2")).toBeUndefined();
    expect(recorder.store.messages("ses_1", { limit: 9 }).map(({ info }) => info.id)).toEqual(["msg_1"]);
    expect(recorder.store.checkpoint("ses_1")).toBeUndefined();
  });

  it("does not hinder the next one", () => {
    const recorder = failing();
    recorder.write([bad, make.delta(part, 0, "lost")]);
    expect(() => recorder.store.flush()).toThrow();
    recorder.write([good, make.delta(part, 0, "kept"), make.partUpdated({ ...part, id: "prt_2" })]);
    recorder.store.flush();
    expect(recorder.heard.map(({ type }) => type)).toEqual([
      "message.updated",
      "message.part.delta",
      "message.part.updated",
    ]);
    expect(recorder.store.part("prt_1")).toEqual({ ...part, text: "kept" });
    recorder.store.close();
    expect(new Recorder({ path }).store.part("prt_1")).toEqual({ ...part, text: "kept" });
  });

  it("is reported with its sessions when nobody flushed it, and reads go on", () => {
    const recorder = failing();
    recorder.write([bad]);
    recorder.clock.endTick();
    recorder.write([bad]);
    expect(recorder.store.session("ses_1")?.id).toBe("ses_1");
    expect(recorder.errors.map(({ kind, sessionIDs }) => [kind, sessionIDs])).toEqual([
      ["storage", ["ses_1"]],
      ["storage", ["ses_1"]],
    ]);
  });

  it("of text only is tried again, and its text is not missed by who was away", () => {
    const recorder = failing();
    recorder.write([make.delta(part, 0, "stuck")]);
    recorder.clock.endTick();
    const { cursor } = recorder.store;
    const stuck = make.partUpdated({ ...part, text: "stuck" });
    expect(recorder.changes(cursor)).toEqual([stuck]);
    expect(recorder.changes(cursor, { sessionID: "ses_1" })).toEqual([stuck]);
    expect(recorder.changes(cursor, { sessionID: "ses_2" })).toEqual([]);
    const failures = recorder.errors.length;
    recorder.clock.advance(5000);
    expect(recorder.errors.length).toBe(failures + 1);
    recorder.write([make.partUpdated({ ...part, text: "free", time: { start: 1, end: 2 } })]);
    recorder.store.flush();
    recorder.clock.advance(5000);
    expect(recorder.clock.timers).toBe(0);
    expect(recorder.changes(recorder.store.cursor)).toEqual([]);
  });

  it("does not keep the database from being closed", () => {
    const recorder = failing();
    recorder.write([bad]);
    expect(refusal(() => recorder.store.close()).kind).toBe("storage");
    recorder.store.close();
    expect(refusal(() => recorder.store.write({ sessionID: "ses_1", events: [] })).kind).toBe("shutting_down");
    expect(refusal(() => recorder.store.session("ses_1")).kind).toBe("shutting_down");
    recorder.clock.endTick();
    recorder.clock.advance(9999);
    openStore({ path }).close();
  });
});

describe("openStore", () => {
  it("makes directory and file for this user only", () => {
    const deep = join(directory, "a", "b", "wire.db");
    const recorder = new Recorder({ path: deep });
    recorder.given(...events);
    for (const made of ["a", "a/b"]) expect(statSync(join(directory, made)).mode & 0o777).toBe(0o700);
    for (const suffix of ["", "-wal"]) expect(statSync(deep + suffix).mode & 0o777).toBe(0o600);
  });

  it("finds everything again, under cursors that go on", () => {
    const first = new Recorder({ path });
    first.given(...events);
    first.given({ type: "message.removed", properties: { sessionID: "ses_1", messageID: "msg_1" } });
    const { cursor } = first.store;
    first.store.close();
    const second = new Recorder({ path });
    expect(second.store.cursor).toBe(cursor);
    second.given(good);
    expect(second.store.cursor > cursor).toBe(true);
    expect(second.changes(cursor)).toEqual([good]);
  });

  it("refuses a database of a newer version, and leaves it as it is", () => {
    openStore({ path }).close();
    raw((db) => db.pragma("user_version = 99"));
    const before = readFileSync(path);
    const error = refusal(() => openStore({ path }));
    expect(error.kind).toBe("storage");
    expect(error.message).toMatch(/schema version 99/);
    expect(error.detail.hint).toMatch(/newer/);
    expect(readFileSync(path)).toEqual(before);
  });

  it("refuses another program's database", () => {
    raw((db) => db.exec("create table theirs (id)"));
    expect(refusal(() => openStore({ path })).message).toMatch(/another program/);
  });

  it("refuses what is no database, or a damaged one", () => {
    writeFileSync(path, "this is no database at all, however long it may be. ".repeat(40));
    expect(refusal(() => openStore({ path }))).toMatchObject({
      kind: "storage",
      message: expect.stringMatching(/not a database/),
    });
    rmSync(path);
    openStore({ path }).close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x5a, 100, 4096));
    expect(refusal(() => openStore({ path }))).toMatchObject({
      kind: "storage",
      message: expect.stringMatching(/damaged/),
    });
  });

  it("refuses a path that is a directory", () => {
    mkdirSync(path);
    expect(refusal(() => openStore({ path })).message).toMatch(/is a directory/);
  });

  it("refuses a database that another store holds", () => {
    const first = openStore({ path });
    expect(refusal(() => openStore({ path, busyTimeoutMs: 0 })).message).toMatch(/in use by another process/);
    first.close();
    openStore({ path, busyTimeoutMs: 0 }).close();
  });

  it("refuses a file that this user may not write", () => {
    openStore({ path }).close();
    chmodSync(path, 0o444);
    chmodSync(directory, 0o555);
    const error = asNobody(() => refusal(() => openStore({ path })));
    chmodSync(directory, 0o755);
    expect(error).toMatchObject({ kind: "storage", message: expect.stringMatching(/may not be opened by this user/) });
    expect(existsSync(`${path}-wal`)).toBe(false);
  });
});

describe("storageError", () => {
  const thrownBy = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      return storageError(error, path);
    }
    return expect.fail("nothing was thrown");
  };

  it("explains a read-only database and a full disk", () => {
    raw((db) => db.exec("create table t (x)"));
    const readonly = new SqliteDatabase(path, { readonly: true });
    expect(thrownBy(() => readonly.exec("insert into t values (1)")).message).toMatch(/is read-only/);
    readonly.close();
    const full = new SqliteDatabase(path);
    full.pragma("max_page_count = 2");
    const filling = () => full.exec("insert into t values (zeroblob(100000))");
    expect(thrownBy(filling)).toMatchObject({ kind: "storage", detail: { hint: "Free some disk space." } });
    full.close();
  });

  it("leaves other errors what they are", () => {
    expect(storageError(new TypeError("a bug"), path).kind).toBe("internal");
    const error = new GatewayError("not_found", "no");
    expect(storageError(error, path)).toBe(error);
  });
});
