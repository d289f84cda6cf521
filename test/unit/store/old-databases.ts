import SqliteDatabase from "better-sqlite3";
import { MIGRATIONS } from "../../../src/store/migrate.js";
import * as make from "./samples.js";

const text = make.textPart({ sessionID: "ses_1", messageID: "msg_1", id: "prt_1" }, "hello", 2);
const file = {
  ...{ id: "prt_2", sessionID: "ses_1", messageID: "msg_1", type: "file" as const, mime: "image/png" },
  url: "blob:sha256-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  blobs: {
    "/url": {
      ref: "sha256-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      bytes: 4,
      mime: "image/png",
    },
  },
};
const answer = { ...make.assistantMessage("ses_1", "msg_1"), time: { created: 1, completed: 2 } };

/** What an old database holds, as it is read today. */
export const OLD = {
  root: make.session("ses_1"),
  child: make.session("ses_2", { parentID: "ses_1" }),
  message: answer,
  text,
  file,
  todos: [{ content: "go on", status: "pending" as const, priority: "low" as const }],
  state: { said: "hello" },
};

/** The rows that a gateway of each schema version wrote, by the columns that there were. */
const ROWS: readonly ((db: SqliteDatabase.Database) => void)[] = [
  (db) => {
    const session = db.prepare("insert into session values (?, ?, 'ses_1', ?, 1, '/project', 'claude', 0, ?)");
    session.run("ses_1", null, 1, JSON.stringify(OLD.root));
    session.run("ses_2", "ses_1", 2, JSON.stringify(OLD.child));
    db.prepare("insert into message values ('msg_1', 'ses_1', 'ses_1', 3, 1, ?)").run(JSON.stringify(answer));
    db.prepare("insert into part values ('prt_1', 'msg_1', 'ses_1', 'ses_1', 4, 0, null, ?)").run(JSON.stringify(text));
    db.prepare("insert into todo values ('ses_1', 'ses_1', 5, ?)").run(JSON.stringify(OLD.todos));
    db.exec("insert into tombstone values (6, 'session.deleted', 'ses_9', 'ses_9', null, null, 'ses_9')");
    const columns = "insert into checkpoint (session_id, epoch, seq, state) values ('ses_1', 1, 7, ?)";
    db.prepare(columns).run(JSON.stringify(OLD.state));
  },
  (db) => {
    db.prepare("insert into part values ('prt_2', 'msg_1', 'ses_1', 'ses_1', 7, 0, null, ?)").run(JSON.stringify(file));
    const { ref } = file.blobs["/url"];
    db.prepare("insert into blob values (?, 'image/png', 0, ?)").run(ref, Buffer.from("test"));
    db.prepare("insert into part_blob values ('prt_2', ?)").run(ref);
  },
  (db) => db.exec(`update checkpoint set pending = '{"host":"h"}'`),
];

/** Writes a database as the gateway of a schema version left it. */
export function writeOldDatabase(path: string, version: number): void {
  const db = new SqliteDatabase(path);
  db.pragma("journal_mode = WAL");
  for (const { statements } of MIGRATIONS.slice(0, version)) db.exec(statements);
  for (const write of ROWS.slice(0, version)) write(db);
  db.pragma(`application_id = ${0x61677772}`);
  db.pragma(`user_version = ${version}`);
  db.close();
}
