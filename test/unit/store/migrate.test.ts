import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkDatabase } from "../../../src/store/check/check-database.js";
import { MIGRATIONS, SCHEMA_VERSION } from "../../../src/store/migrate.js";
import { openStore } from "../../../src/store/open-store.js";
import { OLD, writeOldDatabase } from "./old-databases.js";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-migrate-"));
  path = join(folder, "wire.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

const versions = MIGRATIONS.map((_, index) => index + 1);

function raw<T>(look: (db: SqliteDatabase.Database) => T): T {
  const db = new SqliteDatabase(path);
  try {
    return look(db);
  } finally {
    db.close();
  }
}

const versionOf = () => raw((db) => db.pragma("user_version", { simple: true }));

/** By their statements, without the white space. Whoever changes a released one breaks every database that has it. */
const RELEASED = ["081a74a9", "d2ced0e2", "870146b9"];

test("a released schema version is never changed", () => {
  const hashes = MIGRATIONS.map(({ statements }) =>
    createHash("sha256").update(statements.replace(/\s+/g, " ").trim()).digest("hex").slice(0, 8),
  );
  expect(hashes).toEqual(RELEASED);
});

describe.each(versions)("a database of schema version %i", (version) => {
  beforeEach(() => writeOldDatabase(path, version));

  test("is opened with all that it held", () => {
    const store = openStore({ path });
    const parts = version === 1 ? [OLD.text] : [OLD.text, OLD.file];
    expect(store.sessions({ limit: 9 })).toEqual([OLD.root]);
    expect(store.children("ses_1")).toEqual([OLD.child]);
    expect(store.messages("ses_1", { limit: 9 })).toEqual([{ info: OLD.message, parts }]);
    expect(store.todos("ses_1")).toEqual(OLD.todos);
    const pending = version < 3 ? {} : { pending: { host: "h" } };
    expect(store.checkpoint("ses_1")).toEqual({ epoch: 1, seq: 7, state: OLD.state, ...pending });
    expect(store.blob(OLD.file.blobs["/url"].ref)?.data.toString()).toBe(version === 1 ? undefined : "test");
    expect(store.cursor.endsWith(version === 1 ? "6" : "7")).toBe(true);
    store.close();
    expect(versionOf()).toBe(SCHEMA_VERSION);
    expect(checkDatabase({ path }).problems).toEqual([]);
  });

  test("is checked as it is, and stays so", () => {
    const before = readFileSync(path);
    expect(checkDatabase({ path })).toMatchObject({
      schemaVersion: version,
      latestSchemaVersion: SCHEMA_VERSION,
      holds: {
        ...{ sessions: 1, children: 1, messages: 1, parts: version === 1 ? 1 : 2, todos: 1, checkpoints: 1 },
        ...{ blobs: { count: version === 1 ? 0 : 1 }, tombstones: 1 },
      },
      problems: [],
    });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(["wire.db"]);
  });
});

test("a migration that fails leaves the version before it, with all its rows", () => {
  writeOldDatabase(path, 1);
  // The second of the tables that version 2 makes is there already.
  raw((db) => db.exec("create table part_blob (theirs)"));
  expect(() => openStore({ path })).toThrow(/part_blob already exists/);
  expect(versionOf()).toBe(1);
  raw((db) => {
    expect(db.prepare("select name from sqlite_master where name in ('blob', 'part_blob')").pluck().all()).toEqual([
      "part_blob",
    ]);
    db.exec("drop table part_blob");
  });
  const store = openStore({ path });
  expect(store.session("ses_1")).toEqual(OLD.root);
  store.close();
});

test("another program's database is refused, and neither its bytes nor its mode are changed", () => {
  raw((db) => db.exec("create table theirs (id)"));
  const before = readFileSync(path);
  const { mode } = statSync(path);
  for (const open of [() => openStore({ path }), () => checkDatabase({ path })]) {
    expect(open).toThrow(/belongs to another program/);
  }
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(statSync(path).mode).toBe(mode);
});
