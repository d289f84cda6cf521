import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listServerRecords, readServerRecord, writeServerRecord } from "../../../src/cli/server-record.js";
import { databaseName, stateFolder } from "../../../src/cli/state-folder.js";

let base = "";
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "agentwire-record-"));
  vi.stubEnv("XDG_STATE_HOME", base);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(base, { recursive: true, force: true });
});

const address = (db: string) => ({ url: "http://127.0.0.1:1", tokenFile: "/t/token", db, version: "0.1.0" });
const files = () => readdirSync(stateFolder()).filter((name) => name.startsWith("gateway-"));

/** Writes what a gateway of another process left, and returns its file's name. */
function leave(db: string, fields: object): string {
  const pid = "pid" in fields ? fields.pid : process.pid;
  const record = { ...address(db), pid, processStart: "", startedAt: 1, ...fields };
  const name = `gateway-${databaseName(db)}.${pid}.json`;
  mkdirSync(stateFolder(), { recursive: true });
  writeFileSync(join(stateFolder(), name), JSON.stringify(record));
  return name;
}

test("A gateway is found by its database, however that is named, until it takes its record back", () => {
  const db = join(base, "a.db");
  const { record, remove } = writeServerRecord({ ...address(db), socket: "/s" });
  expect(record).toMatchObject({ pid: process.pid, url: "http://127.0.0.1:1", socket: "/s", db });
  expect(record.processStart).not.toBe("");
  expect(readServerRecord(join(base, "x", "..", "a.db"))).toEqual(record);
  expect(readServerRecord(join(base, "b.db"))).toBeUndefined();
  remove();
  expect(listServerRecords()).toEqual([]);
  remove();
});

test("Only its owner may read a record, and it is there whole or not at all", () => {
  writeServerRecord(address(join(base, "a.db")));
  const [name = "", ...others] = files();
  expect(others).toEqual([]);
  expect(statSync(join(stateFolder(), name)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(stateFolder(), name), "utf8"))).toMatchObject({ pid: process.pid });
});

test("While one gateway takes over from another the newer is found, and the older takes back only its own", () => {
  const db = join(base, "a.db");
  const { record, remove } = writeServerRecord(address(db));
  const newer = leave(db, { pid: process.ppid, startedAt: record.startedAt + 1 });
  expect(readServerRecord(db)?.pid).toBe(process.ppid);
  remove();
  expect(files()).toEqual([newer]);
  expect(readServerRecord(db)?.pid).toBe(process.ppid);
});

test("A record of a process that died is no gateway, and is removed", () => {
  leave(join(base, "a.db"), { pid: spawnSync(process.execPath, ["--version"]).pid });
  expect(listServerRecords()).toEqual([]);
  expect(files()).toEqual([]);
});

test("Nor is one whose pid another process has by now", () => {
  leave(join(base, "a.db"), { processStart: "long ago" });
  expect(listServerRecords()).toEqual([]);
  expect(files()).toEqual([]);
});

test("What is no record is passed over, and a field that a later version added is no hindrance", () => {
  leave(join(base, "a.db"), { url: 1 });
  writeFileSync(join(stateFolder(), "gateway-abc.12.json"), "{");
  leave(join(base, "b.db"), { pid: process.ppid, later: true });
  expect(listServerRecords()).toMatchObject([{ db: join(base, "b.db"), pid: process.ppid }]);
  expect(files()).toHaveLength(3);
});

test("Gateways that store nothing have a record each", () => {
  const { record } = writeServerRecord(address(":memory:"));
  expect(record.db).toBe(":memory:");
  expect(readServerRecord(":memory:")).toEqual(record);
});

test("Where there is no state folder, nothing runs", () => {
  rmSync(base, { recursive: true });
  expect(listServerRecords()).toEqual([]);
});
