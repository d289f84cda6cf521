import type { Database } from "better-sqlite3";
import { GatewayError } from "../gateway-error.js";

/** Marks the file as ours ("agwr"), so that nobody else's database is ever written to. */
const APPLICATION_ID = 0x61677772;

interface Migration {
  readonly statements: string;
  /** What stands in for it, in temporary tables, where an older database is only read. */
  readonly standIn?: string;
}

/**
 * One entry per schema version; an entry is never changed once released. `rev` is the revision that last changed the
 * row, `root_id` the root session it belongs to, and (`created`, `id`) the order in which rows are listed.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    statements: `
  create table meta (key text primary key, value not null) without rowid;

  create table session (
    id text primary key, parent_id text, root_id text not null, rev integer not null, created real not null,
    directory text not null, agent text not null, active integer not null, data text not null
  );
  create index session_rev on session (rev);
  create index session_root on session (root_id, rev);
  create index session_parent on session (parent_id, created, id);
  create index session_listed on session (created, id) where root_id = id;
  create index session_active on session (created, id) where active = 1;

  create table message (
    id text primary key, session_id text not null references session (id) on delete cascade,
    root_id text not null, rev integer not null, created real not null, data text not null
  );
  create index message_rev on message (rev);
  create index message_root on message (root_id, rev);
  create index message_listed on message (session_id, created, id);

  create table part (
    id text primary key, message_id text not null references message (id) on delete cascade,
    session_id text not null, root_id text not null, rev integer not null, blocked integer not null, block_id text,
    data text not null
  );
  create index part_rev on part (rev);
  create index part_root on part (root_id, rev);
  create index part_listed on part (message_id, id);
  create index part_blocked on part (id) where blocked = 1;
  create index part_block on part (block_id) where block_id is not null;

  create table todo (
    session_id text primary key references session (id) on delete cascade,
    root_id text not null, rev integer not null, data text not null
  );
  create index todo_rev on todo (rev);
  create index todo_root on todo (root_id, rev);

  create table tombstone (
    rev integer primary key, kind text not null, root_id text not null, session_id text not null,
    message_id text, part_id text, path text not null
  );
  create index tombstone_root on tombstone (root_id, rev);

  create table checkpoint (
    session_id text primary key references session (id) on delete cascade,
    epoch integer not null, seq integer not null, state text not null
  );

  insert into meta values ('database_id', substr(lower(hex(randomblob(8))), 1, 10)), ('tombstone_floor', 0);
  `,
  },
  {
    statements: `
  create table blob (ref text primary key, mime text not null, is_text integer not null, data blob not null);
  create table part_blob (
    part_id text not null references part (id) on delete cascade, ref text not null, primary key (part_id, ref)
  ) without rowid;
  create index part_blob_ref on part_blob (ref);
  `,
    standIn: `
  create temp table blob (ref text primary key, mime text, is_text integer, data blob);
  create temp table part_blob (part_id text, ref text);
  `,
  },
  {
    statements: "alter table checkpoint add column pending text not null default 'null'",
    standIn: "create temp view checkpoint as select *, 'null' as pending from main.checkpoint",
  },
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** Refuses, before anything is written, a database that this version must not touch. Returns its schema version. */
export function checkVersion(db: Database, path: string): number {
  const version = versionOf(db);
  const owner = db.pragma("application_id", { simple: true }) as number;
  const used = db.prepare("select count(*) from sqlite_master").pluck().get() !== 0;
  if (used && owner !== APPLICATION_ID) {
    throw new GatewayError("storage", `The database ${path} belongs to another program`, {
      hint: "Choose another path.",
    });
  }
  if (version > SCHEMA_VERSION) {
    const message = `The database ${path} has schema version ${version}; this agentwire knows versions up to ${SCHEMA_VERSION}`;
    throw new GatewayError("storage", message, {
      hint: "Use the agentwire that wrote it or a newer one, or choose another path. Nothing was changed.",
    });
  }
  return version;
}

/** Brings the schema up to date. Always writes, so that a database that cannot be written to is refused at the start. */
export function migrate(db: Database): void {
  const upgrade = db.transaction(() => {
    for (const { statements } of MIGRATIONS.slice(versionOf(db))) db.exec(statements);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  });
  upgrade.immediate();
}

/** Lets an older database be read as if it were of this version, without a change of it. */
export function standIn(db: Database, version: number): void {
  for (const migration of MIGRATIONS.slice(version)) if (migration.standIn !== undefined) db.exec(migration.standIn);
}

function versionOf(db: Database): number {
  return db.pragma("user_version", { simple: true }) as number;
}
