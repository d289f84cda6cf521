import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { ExportLine } from "../../../schemas/index.js";
import { openStore } from "../../../src/store/open-store.js";
import * as make from "../../unit/store/samples.js";
import { AGENTWIRE, agentwire, createFolder } from "./agentwire.js";

let folder: string;
let db: string;

beforeEach(() => {
  folder = createFolder();
  db = join(folder, "wire.db");
  const now = Date.now();
  const store = openStore({ path: db });
  for (const [id, at] of [
    ["ses_old", 1],
    ["ses_new", now],
  ] as const) {
    const info = make.session(id, { time: { created: at, updated: at } });
    store.write({ sessionID: id, events: [make.created(info), make.message(make.userMessage(id, `msg_${id}`, at))] });
  }
  store.close();
});

const run = (...args: string[]) => agentwire(["db", ...args], { env: { XDG_STATE_HOME: folder } });

function sessions(path = db): string[] {
  const store = openStore({ path });
  const ids = store.sessions({ limit: 9 }).map(({ id }) => id);
  store.close();
  return ids;
}

describe("db check", () => {
  test("tells what a database holds, and that nothing is wrong", async () => {
    const { code, out, err } = await run("check", "--db", db);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("sessions 2, of subagents 0, messages 2, parts 0");
    expect(out).toContain("ok    no problem was found");
    const json = await run("check", "--json", "--db", db);
    expect(json.lines).toMatchObject([{ path: db, schemaVersion: 3, holds: { sessions: 2 }, problems: [] }]);
  });

  test("exits as a failure of storage where something is", async () => {
    const store = openStore({ path: db });
    const info = { ...make.assistantMessage("ses_new", "msg_open"), time: { created: 1 } };
    store.write({ sessionID: "ses_new", events: [make.message(info)] });
    store.close();
    const { code, out } = await run("check", "--db", db);
    expect(code).toBe(1);
    expect(out).toMatch(/^bad {3}msg_open: is open although its session is idle\n {6}\S/m);
  });

  test("of one that is not there exits as such, and makes none", async () => {
    const { code, err } = await run("check");
    expect(code).toBe(3);
    expect(err).toContain("There is no database");
    expect(existsSync(join(folder, "agentwire", "agentwire.db"))).toBe(false);
  });
});

describe("db compact", () => {
  test("tells the bytes before and after, and deletes what nobody has used", async () => {
    const { code, out } = await run("compact", "--keep-days", "30", "--db", db);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^deleted 1 sessions that nobody has used for 30 days\n.*: \d+ bytes before, \d+ bytes after\n$/,
    );
    expect(sessions()).toEqual(["ses_new"]);
  });

  test("and serve refuse what is no number of days", async () => {
    for (const args of [
      ["db", "compact", "--keep-days=0"],
      ["serve", "--keep-days", "soon"],
    ]) {
      const { code, err } = await agentwire([...args, "--db", db]);
      expect(code).toBe(2);
      expect(err).toContain("--keep-days: must be a number of days, 1 or more");
    }
    expect(sessions()).toHaveLength(2);
  });
});

describe("db export and import", () => {
  test("bring sessions from one database into another, by a pipe or a private file", async () => {
    const { code, out } = await run("export", "--db", db);
    expect(code).toBe(0);
    for (const line of out.trimEnd().split("\n")) ExportLine.parse(JSON.parse(line));
    const piped = await agentwire(["db", "import", "-", "--db", join(folder, "piped.db")], { input: out });
    expect(piped).toMatchObject({ code: 0, out: "ses_old is imported\nses_new is imported\n" });
    expect(sessions(join(folder, "piped.db"))).toEqual(sessions());

    const file = join(folder, "export.ndjson");
    expect(await run("export", "--session", "ses_new", "--out", file, "--db", db)).toMatchObject({ code: 0, out: "" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await run("import", file, "--db", db);
    expect(again).toMatchObject({ code: 6, out: "" });
    expect(again.err).toContain("line 2: the session ses_new exists already");
    const skipped = await run("import", file, "--skip-existing", "--db", db);
    expect(skipped).toMatchObject({ code: 0, out: "ses_new is there already: left as it is\n" });
  });

  test("never write over a file, and leave none that is not whole", async () => {
    const taken = join(folder, "taken");
    writeFileSync(taken, "mine");
    const refused = await run("export", "--out", taken, "--db", db);
    expect(refused).toMatchObject({ code: 6, out: "" });
    expect(refused.err).toContain(`There is a file ${taken} already`);
    expect(readFileSync(taken, "utf8")).toBe("mine");
    const missing = await run("export", "--session", "ses_9", "--out", join(folder, "new"), "--db", db);
    expect(missing.code).toBe(3);
    expect(existsSync(join(folder, "new"))).toBe(false);
  });

  test("need a file that is there, and one only", async () => {
    expect(await run("import", join(folder, "none"), "--db", db)).toMatchObject({ code: 3 });
    expect(await run("import", "--db", db)).toMatchObject({ code: 2 });
    expect(await run("mend", "--db", db)).toMatchObject({ code: 2 });
    expect((await run("check", "all", "--db", db)).err).toContain('"all" is one too many');
  });
});

test("a gateway deletes what nobody has used, and keeps everybody else off its database", async () => {
  const [command, ...first] = AGENTWIRE;
  const args = ["serve", "--port", "0", "--keep-agents", "0", "--keep-days", "30", "--db", db];
  const env = { ...process.env, XDG_STATE_HOME: folder };
  const gateway = spawn(command, [...first, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  try {
    let log = "";
    for await (const chunk of gateway.stderr) {
      log += String(chunk);
      if (log.includes("sessions that nobody used were deleted")) break;
    }
    const refused = await Promise.all([
      run("check", "--db", db),
      run("compact", "--db", db),
      run("export", "--db", db),
    ]);
    for (const { code, err } of refused) {
      expect(code).toBe(1);
      expect(err).toContain("is in use by another process");
    }
    expect(refused[2]?.err).toContain("read its sessions from it");
    gateway.kill("SIGTERM");
    await once(gateway, "close");
    expect(sessions()).toEqual(["ses_new"]);
  } finally {
    gateway.kill("SIGKILL");
  }
});
