import SqliteDatabase, { type Database } from "better-sqlite3";
import type { Findings } from "./findings.js";

const RESTORE = "Restore a backup, or export what can be read (`db export`) and import it into a new database.";

/** What SQLite itself finds in the file. Where it finds something, rows cannot be relied on. */
export function checkFile(db: Database, findings: Findings): void {
  for (const answer of integrityOf(db)) if (answer !== "ok") findings.add("database", answer, RESTORE);
}

/** Some damage is too great to be told. */
function integrityOf(db: Database): string[] {
  try {
    const answers = db.pragma("main.integrity_check(100)") as { integrity_check: string }[];
    return answers.map(({ integrity_check }) => integrity_check);
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith("SQLITE_CORRUPT")) return [error.message];
    throw error;
  }
}

interface Rule {
  readonly problem: string;
  readonly advice: string;
  /** Gives the ids of the rows that break it. */
  readonly sql: string;
}

const DELETE_OR_RESTORE = "Delete the session (`session.delete`), or restore a backup.";

/** What must hold between rows. Rows whose owner is missing are what SQLite's own check of references tells. */
const RULES: readonly Rule[] = [
  {
    problem: "stands below a session that is not there",
    advice: DELETE_OR_RESTORE,
    sql: "select id from session s where parent_id not null and not exists (select 1 from session where id = s.parent_id)",
  },
  {
    problem: "has another root than its parent, or is none although it has no parent",
    advice: DELETE_OR_RESTORE,
    sql: `select s.id from session s left join session p on p.id = s.parent_id
      where s.root_id <> case when s.parent_id is null then s.id else coalesce(p.root_id, s.root_id) end`,
  },
  {
    problem: "stands below itself",
    advice: RESTORE,
    sql: `with recursive reached (id) as (
        select s.id from session s left join session p on p.id = s.parent_id where p.id is null
        union select s.id from session s join reached on s.parent_id = reached.id
      ) select id from session where id not in (select id from reached)`,
  },
  {
    problem: "has another root than its session",
    advice: DELETE_OR_RESTORE,
    sql: `select m.id from message m join session s on s.id = m.session_id where m.root_id <> s.root_id
      union all select 'todos of ' || s.id from todo t join session s on s.id = t.session_id where t.root_id <> s.root_id`,
  },
  {
    problem: "stands in another session than its message",
    advice: DELETE_OR_RESTORE,
    sql: `select p.id from part p join message m on m.id = p.message_id
      where p.session_id <> m.session_id or p.root_id <> m.root_id`,
  },
  {
    problem: "is not the only change with its revision",
    advice: "Clients that were away may miss it: have them read everything again.",
    sql: `select id from (
        select id, rev from session union all select id, rev from message union all select id, rev from part
        union all select 'todos of ' || session_id, rev from todo union all select path, rev from tombstone
      ) group by rev having count(*) > 1 or rev < 1`,
  },
  {
    problem: "was forgotten as a removal, and is still there",
    advice: "`db compact` drops it.",
    sql: `select path from tombstone
      where rev <= (select cast(value as integer) from meta where key = 'tombstone_floor')`,
  },
  {
    problem: "refers to a blob that is not there",
    advice: "What was large in it is lost. Restore a backup, or leave it.",
    sql: "select distinct part_id from part_blob r where not exists (select 1 from blob b where b.ref = r.ref)",
  },
];

/** What must hold between rows: references, places, revisions. */
export function checkPlaces(db: Database, findings: Findings): void {
  const strays = db.pragma("main.foreign_key_check") as { table: string; rowid: number | null; parent: string }[];
  for (const { table, rowid, parent } of strays) {
    findings.add(idAt(db, table, rowid), `stands in a ${parent} that is not there`, RESTORE);
  }
  for (const { sql, problem, advice } of RULES) {
    for (const id of db.prepare(sql).pluck().iterate()) findings.add(String(id), problem, advice);
  }
}

/** A row by the id that it has for people. */
function idAt(db: Database, table: string, rowid: number | null): string {
  if (rowid === null) return `a row of ${table}`;
  const columns = db.pragma(`table_info(${table})`) as { name: string }[];
  const row = db.prepare(`select ${columns[0]?.name} from ${table} where rowid = ?`).pluck().get(rowid);
  return columns[0]?.name === "id" ? String(row) : `${table} of ${String(row)}`;
}
